import { daysBetween } from '../../../platform/local-day.ts'
import { URLS } from '../../../platform/urls.ts'
import { countOf, numberWord } from '../../../platform/words.ts'
import type { DayPart, Phase, Plan, SittingSize } from '../../schedule/plan.ts'

/** Monday first; the plan counts from 1. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** Why a day holds what it holds (product 3.16.2). */
export const PHASE_SENTENCES: Record<Phase, string> = {
  'last-evening': "Nothing new tonight. Refresh what's shaky, two answers aloud, then sleep.",
  'last-week': 'The classics come first, and one answer aloud each day.',
  'three-weeks': 'Your weak topics come first, weighted for your role.',
  early: 'Reviews come first, so that nothing slips. New questions take the rest.',
  'no-date': 'Reviews come first, then some new questions every day.',
  past: 'Set a new date to keep going, or end this plan.',
}

export function wordsOf({ kind, count }: Pick<DayPart, 'kind' | 'count'>) {
  switch (kind) {
    case 'due-and-new':
      return { text: countOf(count, 'question'), to: URLS.due, start: 'Start next ten' }
    case 'weakest':
      return {
        text: `The ${count} you're most likely to forget`,
        ...{ to: URLS.due, start: `Review ${countOf(count, 'question')}` },
      }
    case 'formula-sheet':
      return { text: 'Formula sheet', to: URLS.formulaSheet, start: 'Open formula sheet' }
    case 'aloud':
      return {
        text: `${numberWord(count)} ${count === 1 ? 'answer' : 'answers'} aloud`,
        ...{ to: URLS.aloud, start: 'Answer aloud' },
      }
    case 'drill':
      return { text: 'One drill', to: URLS.drills, start: 'Choose a drill' }
    case 'superday':
      return { text: 'Mock superday', to: URLS.superday, start: 'Start mock superday' }
  }
}

export function mixOf(sittings: readonly SittingSize[]): string {
  const due = sittings.reduce((sum, one) => sum + one.due, 0)
  const fresh = sittings.reduce((sum, one) => sum + one.fresh, 0)
  return [due > 0 && countOf(due, 'review'), fresh > 0 && `${fresh} new`].filter(Boolean).join(', ')
}

export function countdownOf({ interviewOn, startedOn }: Plan, day: string): string {
  const number = daysBetween(startedOn, day) + 1
  if (interviewOn === null) return `Day ${number} of your plan`
  const left = daysBetween(day, interviewOn)
  if (left === 0) return 'Your interview is today'
  const total = daysBetween(startedOn, interviewOn)
  return `Day ${number} of ${total} · ${countOf(left, 'day')} to your interview`
}
