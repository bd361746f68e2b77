import type { ResponseOf } from '../../../platform/endpoint.ts'
import { URLS } from '../../../platform/urls.ts'
import { countOf, inWords } from '../../../platform/words.ts'
import {
  CATEGORIES,
  type Category,
  DIFFICULTIES,
  type Difficulty,
  SHORT_NAMES,
} from '../../categories.ts'
import type { getToday } from '../../contract/today.ts'
import { isDayOff, type Plan, phaseOf } from '../../schedule/plan.ts'
import type { UnfinishedTest } from '../quiz/unfinished.ts'

export type Today = ResponseOf<typeof getToday>
export type TodaysPlan = NonNullable<Today['plan']>

export interface TestAddress {
  category: Category
  difficulty: Difficulty
  testNumber: number
}

export const FIRST_TEST: TestAddress = {
  category: CATEGORIES[0],
  difficulty: DIFFICULTIES[0],
  testNumber: 1,
}

export type LeadContent =
  | { kind: 'plan'; todays: TodaysPlan; others: readonly UnfinishedTest[] }
  | { kind: 'after'; plan: Plan }
  | { kind: 'continue'; test: UnfinishedTest; others: UnfinishedTest[] }
  | { kind: 'due' }
  | { kind: 'next' | 'first'; test: TestAddress }
  /** the test with the lowest best score, after all tests were taken */
  | { kind: 'again'; test: TestAddress; best: number }
  | { kind: 'loading' }
  | { kind: 'unknown' }

export interface Taken extends TestAddress {
  percentage: number
}

/** Returns the first lead that applies (product 1.7.6). The inputs are undefined while loading and null on failure. */
export function leadOf(
  unfinished: readonly UnfinishedTest[],
  today: Today | null | undefined,
  taken: readonly Taken[] | null | undefined,
  day: string,
): LeadContent {
  const todays = today?.plan
  if (todays && phaseOf(todays.plan, day) === 'past') return { kind: 'after', plan: todays.plan }
  if (todays && !isDayOff(todays.plan, day)) return { kind: 'plan', todays, others: unfinished }
  const [latest, ...others] = unfinished
  if (latest) return { kind: 'continue', test: latest, others }
  if (today === undefined) return { kind: 'loading' }
  if (today === null) return { kind: 'unknown' }
  if (dueCount(today) > 0) return { kind: 'due' }
  if (taken === undefined) return { kind: 'loading' }
  if (taken?.length === 0) return { kind: 'first', test: FIRST_TEST }
  if (today.next) {
    // A finished test that isn't saved yet is not offered again.
    return { kind: 'next', test: firstNotTaken(today.next, taken ?? []) }
  }
  const worst = worstOf(taken ?? [])
  return worst ? { kind: 'again', test: worst, best: worst.percentage } : { kind: 'unknown' }
}

export function dueCount(today: Today): number {
  return today.due.count + today.spokenDue
}

/** Estimates the minutes for due and new questions: half a minute each, and two per spoken answer. */
export function dueMinutes({ due, spokenDue }: Today): number {
  const questions = due.count === 0 ? 0 : due.count + (due.alsoNew ?? 0)
  return Math.max(1, Math.round(questions / 2 + spokenDue * 2))
}

function firstNotTaken(next: TestAddress, taken: readonly Taken[]): TestAddress {
  let { testNumber } = next
  const isTaken = (number: number) =>
    taken.some((test) => isSameCell(test, next) && test.testNumber === number)
  while (isTaken(testNumber)) testNumber += 1
  return { ...next, testNumber }
}

function worstOf(taken: readonly Taken[]): Taken | undefined {
  const best = new Map<string, Taken>()
  for (const test of taken) {
    const key = `${test.category}/${test.difficulty}/${test.testNumber}`
    const known = best.get(key)
    if (!known || known.percentage < test.percentage) best.set(key, test)
  }
  return [...best.values()].sort((a, b) => a.percentage - b.percentage)[0]
}

function isSameCell(a: TestAddress, b: TestAddress): boolean {
  return a.category === b.category && a.difficulty === b.difficulty
}

export function minutesInWords(minutes: number): string {
  return `${inWords(minutes, 'zero')} ${minutes === 1 ? 'minute' : 'minutes'}`
}

export function dueHeading(today: Today): string {
  return `${countOfDue(today)} due`
}

/** Returns '12 questions and 2 spoken answers', without what isn't due. */
export function countOfDue({ due, spokenDue }: Today): string {
  if (due.count === 0) return countOf(spokenDue, 'spoken answer')
  const questions = countOf(due.count, 'question')
  return spokenDue > 0 ? `${questions} and ${countOf(spokenDue, 'spoken answer')}` : questions
}

export function dueCategories({ due, spokenDue }: Today): string {
  return [
    ...due.categories.map(({ category, count }) => `${SHORT_NAMES[category]} ${count}`),
    ...(spokenDue > 0 ? [`Aloud ${spokenDue}`] : []),
    ...(due.count > 0 && due.alsoNew ? [`and ${due.alsoNew} new`] : []),
  ].join(' · ')
}

/** Returns the review's address, or that of spoken answers if only those are due. */
export function dueUrl({ due, spokenDue }: Today): string {
  return due.count === 0 && spokenDue > 0 ? URLS.aloud : URLS.due
}
