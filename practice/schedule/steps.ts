import { daysBetween } from '../../platform/local-day.ts'
import { answerCard, type Card, LONGEST_DAYS, type Spread } from './schedule.ts'

/** An interval of a question's way: the one before, the one that begins now, or one ahead. */
export interface Step {
  days: number
  mark: 'was' | 'here' | 'ahead'
}

/** Steps told at most. */
const STEPS = 5
/** A step from here on is as good as the longest. */
const LONG_DAYS = 0.9 * LONGEST_DAYS

export const intervalOf = (card: Pick<Card, 'lastDay' | 'due'>): number =>
  daysBetween(card.lastDay, card.due)

/** The interval before an answer, the one now, and those that follow while answers are right (product 3.10.6). */
export function stepsOf(before: Card | null, after: Card, spread: Spread): Step[] {
  const steps = new Map<number, Step['mark']>()
  if (before) steps.set(intervalOf(before), 'was')
  steps.set(intervalOf(after), 'here')
  let card = after
  while (steps.size < STEPS && intervalOf(card) < LONG_DAYS) {
    const right = { isRight: true, isGuess: false, tookMs: null, usualMs: null }
    card = answerCard(card, { ...right, day: card.due }, spread)
    const days = intervalOf(card)
    if (!steps.has(days)) steps.set(days, 'ahead')
  }
  return [...steps].map(([days, mark]) => ({ days, mark })).sort((a, b) => a.days - b.days)
}
