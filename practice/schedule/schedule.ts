import { createEmptyCard, type Card as FsrsCard, fsrs, type Grade, Rating, State } from 'ts-fsrs'
import type * as z from 'zod/mini'
import { dayAfter, daysBetween } from '../../platform/local-day.ts'
import type { cardSchema } from '../contract/today.ts'
import { QUESTIONS_PER_TEST } from '../test-of-ten.ts'

/** Cards made with other settings are rebuilt from their facts (product 3.10.2). */
export const SETTINGS = 1
/** The maximum interval in days. FSRS can exceed its own maximum by one, so we clamp again. */
export const LONGEST_DAYS = 180

// Short-term steps are for flash cards, so they are off. FSRS's fuzz depends on the instant, so we use spreadOf
// instead.
const scheduler = fsrs({
  request_retention: 0.9,
  maximum_interval: LONGEST_DAYS,
  enable_short_term: false,
  enable_fuzz: false,
})

export interface AnswerFact {
  day: string
  isRight: boolean
  isGuess: boolean
  tookMs: number | null
  /** the median of all users in milliseconds, or null if too few were measured */
  usualMs: number | null
}

export type Card = z.infer<typeof cardSchema>

/** Spreads an interval in days, so questions learned on the same day don't all come back on the same day. */
export type Spread = (days: number) => number

export const exactly: Spread = (days) => days

/** An answer is slow if it takes longer than this and more than twice the usual time. */
const SLOW_MS = 20_000

/** Rates an answer by correctness, time and 'I guessed' (product 3.10.3). `card` is null for a first answer. */
export function ratingOf(
  fact: Omit<AnswerFact, 'day'>,
  card: Pick<Card, 'rightInRow'> | null,
): Grade {
  if (!fact.isRight || fact.isGuess) return Rating.Again
  // A guess is right a quarter of the time, however fast it was.
  if (!card) return Rating.Good
  const { tookMs, usualMs } = fact
  if (tookMs === null || usualMs === null) return Rating.Good
  if (tookMs > 2 * usualMs && tookMs > SLOW_MS) return Rating.Hard
  return tookMs < usualMs / 2 && card.rightInRow >= 2 ? Rating.Easy : Rating.Good
}

/** Updates a card after an answer. Only a day's first answer affects the schedule (product 3.10.4). */
export function answerCard(card: Card | null, fact: AnswerFact, spread: Spread): Card {
  const lapses = (card?.lapses ?? 0) + (fact.isRight ? 0 : 1)
  if (card && fact.day <= card.lastDay) return { ...card, lapses }
  const rating = ratingOf(fact, card)
  return {
    ...rateCard(card, fact.day, rating, spread),
    lapses,
    rightInRow: rating === Rating.Again ? 0 : (card?.rightInRow ?? 0) + 1,
  }
}

export function rateCard(
  card: Card | null,
  day: string,
  rating: Grade,
  spread: Spread,
): Pick<Card, 'due' | 'stability' | 'difficulty' | 'lastDay'> {
  const before = card ? asFsrs(card) : createEmptyCard(noon(day))
  const { card: next } = scheduler.next(before, noon(day), rating)
  const days = spread(Math.min(LONGEST_DAYS, next.scheduled_days))
  return {
    due: dayAfter(day, Math.min(LONGEST_DAYS, Math.max(1, days))),
    // The database stores 32-bit floats, and a new card must equal a stored one.
    stability: Math.fround(next.stability),
    difficulty: Math.fround(next.difficulty),
    lastDay: day,
  }
}

export function cardOf(facts: readonly AnswerFact[], spread: Spread): Card | null {
  return facts.reduce<Card | null>((card, fact) => answerCard(card, fact, spread), null)
}

export function retrievability(card: Pick<Card, 'stability' | 'lastDay'>, day: string): number {
  const elapsed = Math.max(0, daysBetween(card.lastDay, day))
  return scheduler.forgetting_curve(elapsed, card.stability)
}

/** Spreads intervals of 3 days or more by at least a day: 15% below a week, 10% below three weeks, 5% above. */
export function spreadOf(seed: string): Spread {
  const unit = hash(seed) / 2 ** 32
  return (days) => {
    if (days < 3) return days
    const share = days < 7 ? 0.15 : days < 21 ? 0.1 : 0.05
    const width = Math.max(1, Math.round(days * share))
    return days - width + Math.floor(unit * (2 * width + 1))
  }
}

export const personSpread = (userId: string, family: string): Spread =>
  spreadOf(`${userId} ${family}`)

/** Hashes a text to 32 bits (FNV-1a, then mixed). */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

// FSRS gets noon of the person's local day, so that ten minutes across midnight count as a day for everyone.
export function noon(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}

function asFsrs(card: Card): FsrsCard {
  return {
    due: noon(card.due),
    stability: card.stability,
    difficulty: card.difficulty,
    elapsed_days: 0,
    scheduled_days: 0,
    learning_steps: 0,
    reps: 1,
    lapses: 0,
    state: State.Review,
    last_review: noon(card.lastDay),
  }
}

export type Standing = 'solid' | 'shaky' | 'new'

const SOLID_IN_ROW = 2
const SOLID_STABILITY = 7
const SOLID_RETRIEVABILITY = 0.9

/** Solid means right twice in a row on different days, with a week's stability and a 90% chance to remember today. */
export function standingOf(
  card: Pick<Card, 'rightInRow' | 'stability' | 'lastDay'> | null,
  day: string,
): Standing {
  if (!card) return 'new'
  const isSolid =
    card.rightInRow >= SOLID_IN_ROW &&
    card.stability >= SOLID_STABILITY &&
    retrievability(card, day) >= SOLID_RETRIEVABILITY
  return isSolid ? 'solid' : 'shaky'
}

interface Step {
  days: number
  mark: 'was' | 'here' | 'ahead'
}

const STEPS = 5
const LONG_DAYS = 0.9 * LONGEST_DAYS

export const intervalOf = (card: Pick<Card, 'lastDay' | 'due'>): number =>
  daysBetween(card.lastDay, card.due)

/** Returns the previous interval, the current one, and the next ones if all answers are right (product 3.10.6). */
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

/** A mistake is cleared if the chance to remember it after this many days is 90% (product 3.6.7). */
const CLEARED_AFTER_DAYS = 21

interface MissedQuestion {
  questionId: number
  timesWrong: number
  stability: number
}

export function isCleared({ stability }: Pick<MissedQuestion, 'stability'>): boolean {
  return stability > CLEARED_AFTER_DAYS
}

/** Returns the uncleared questions missed most often, at most ten, ties by id (product 3.6.1). */
export function mostMissed<T extends MissedQuestion>(missed: readonly T[]): T[] {
  return missed
    .filter((one) => one.timesWrong > 0 && !isCleared(one))
    .sort((a, b) => b.timesWrong - a.timesWrong || a.questionId - b.questionId)
    .slice(0, QUESTIONS_PER_TEST)
}
