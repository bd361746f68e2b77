import { Check, ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import { daysBetween } from '../../../platform/local-day.ts'
import { URLS } from '../../../platform/urls.ts'
import { deviceStore } from '../../../platform/web/storage.ts'
import { countOf, numberWord } from '../../../platform/words.ts'
import {
  type DayPart,
  dayOfPlan,
  isOfQuestions,
  leftOfDay,
  type Phase,
  type Plan,
  phaseOf,
  QUESTIONS_A_MINUTE,
  questionsOf,
  type SittingSize,
} from '../../schedule/plan.ts'
import type { TodaysPlan } from '../dashboard/lead-content.ts'
import { OnLink } from '../kit.tsx'

// Only this device knows whether the formula sheet was opened.
const SHEET = 'superday-formula-sheet'

export function standOf({ plan, of, tens, done }: TodaysPlan, day: string) {
  const left = questionsOf(tens)
  const planned = dayOfPlan(plan, day)
    .parts.map((part) =>
      isOfQuestions(part.kind)
        ? { ...part, count: of, minutes: Math.ceil(of / QUESTIONS_A_MINUTE) }
        : part,
    )
    .filter(({ count }) => count > 0)
  const sheet = deviceStore.get(SHEET) === day ? 1 : 0
  const parts = leftOfDay(planned, left, { ...done, 'formula-sheet': sheet }).map((part, at) => ({
    ...part,
    isDone: part.count === 0,
    whole: planned[at] ?? part,
    open: () => part.kind === 'formula-sheet' && deviceStore.set(SHEET, day),
  }))
  return { of, tens, left, answered: of - left, parts, next: parts.find(({ isDone }) => !isDone) }
}
export type Stand = ReturnType<typeof standOf>

export function nextInWords({ next, left, answered }: Stand): string {
  if (!next) return 'Today is done'
  if (!isOfQuestions(next.kind)) return wordsOf(next).text
  return `${countOf(left, 'question')} ${answered === 0 ? 'today' : 'left today'}`
}

export function StartNext({ stand: { next, answered, tens } }: { stand: Stand }) {
  if (!next) return null
  const { to, start } = wordsOf(next)
  const ten = questionsOf(tens.slice(0, 1))
  return (
    <OnLink to={to} onClick={next.open}>
      {next.kind !== 'due-and-new'
        ? start
        : ten < 10
          ? `Start last ${ten}`
          : `Start ${answered === 0 ? 'first' : 'next'} ten`}
    </OnLink>
  )
}

export function PartRows({ stand: { parts, next } }: { stand: Stand }) {
  return (
    <ul className="part-rows">
      {parts.map((part) => {
        const shown = part.isDone ? part.whole : part
        return (
          <li key={part.kind}>
            <Link to={wordsOf(part).to} onClick={part.open} className="part-row hover:bg-sunken">
              <span
                className={`part-mark ${part.isDone ? 'is-done' : part === next ? 'is-next' : ''}`}
              >
                {part.isDone && <Check size={13} aria-hidden />}
              </span>
              <span className={part.isDone ? 'text-ink-2' : 'font-[550]'}>
                {wordsOf(shown).text}
                {part.kind === 'due-and-new' && shown.count < part.whole.count && ' left'}
                {part.isDone && <span className="sr-only">, done</span>}
              </span>
              <span className="hint flex items-center gap-2.5">
                {Math.ceil(shown.minutes)} min
                <ChevronRight size={18} aria-hidden />
              </span>
            </Link>
          </li>
        )
      })}
    </ul>
  )
}

/** Monday is first. The plan counts from 1. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** These sentences explain the parts of a planned day (product 3.16.2). */
export const PHASE_SENTENCES: Record<Phase, string> = {
  'last-evening': "Nothing new tonight. Refresh what's shaky, two answers aloud, then sleep.",
  'last-week': 'The classics come first, and one answer aloud each day.',
  'three-weeks': 'Your weak topics come first, weighted for your role.',
  early: 'Reviews come first, so that nothing slips. New questions take the rest.',
  'no-date': 'Reviews come first, then some new questions every day.',
  past: 'Set a new date to keep going, or end this plan.',
}

/** The last evening's parts stay open on the day itself, when nobody is told to sleep. */
export const phaseSentence = (plan: Pick<Plan, 'interviewOn'>, day: string): string =>
  day === plan.interviewOn
    ? "Good luck today! Refresh what's shaky if you have time."
    : PHASE_SENTENCES[phaseOf(plan, day)]

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
