import { URLS } from '../../../platform/urls.ts'
import type { DayPart, Phase, Role } from '../../schedule/plan.ts'

/** What a role is called on the page. */
export const ROLE_NAMES: Record<Role, string> = {
  'investment-banking': 'Investment banking',
  'sales-and-trading': 'Sales & trading',
  quant: 'Quant trading',
  consulting: 'Consulting',
}

/** Monday first; the plan counts from 1. */
export const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const

/** Why a day holds what it holds, in one sentence (product 3.16.2). */
export const PHASE_SENTENCES: Record<Phase, string> = {
  'last-evening': 'Nothing new now: what you know and could lose, two answers aloud, then sleep.',
  'last-week': 'What is always asked comes first, and one answer aloud each day.',
  'three-weeks': 'Your weak topics by what your interview asks for, old questions mixed in.',
  early: 'Old questions first, so that nothing slips; new ones as the minutes allow.',
  'no-date': 'Without a date: what is due, and some new questions every day.',
  past: 'The day has passed. Set a new date, or drop the plan.',
}

/** What one part of a day is called, how much of it there is, and where it begins; null for what is no one page. */
export function wordsOf({ kind, count, minutes }: DayPart): { text: string; to: string | null } {
  switch (kind) {
    case 'due-and-new':
      return {
        text:
          count === 0
            ? 'The questions of today are done'
            : `${count} ${count === 1 ? 'question' : 'questions'} in tens, due ones first · ${minutes} min`,
        to: count === 0 ? null : URLS.due,
      }
    case 'weakest':
      return { text: `The ${count} weakest of what you know · ${minutes} min`, to: URLS.due }
    case 'formula-sheet':
      return { text: `The formula sheet · ${minutes} min`, to: URLS.formulaSheet }
    case 'aloud':
      return {
        text: `${count === 1 ? 'One answer' : `${count} answers`} aloud · ${minutes} min`,
        to: URLS.aloud,
      }
    case 'drill':
      return { text: `A drill · ${minutes} min`, to: URLS.drills }
    case 'superday':
      return {
        text: 'A mock superday: a test, a case, three answers aloud, a drill',
        to: URLS.superday,
      }
  }
}
