import * as z from 'zod/mini'
import { localDay } from '../../../platform/local-day.ts'
import { type OptionLetter, optionLetterSchema } from '../../../platform/options.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { deviceStore } from '../../../platform/web/storage.ts'
import { dueSchema } from '../../contract/today.ts'
import {
  answerCard,
  type Card,
  intervalOf,
  isCleared,
  type Spread,
} from '../../schedule/schedule.ts'
import type { OutboxItem } from '../outbox.ts'
import { createPersonStore } from '../person-store.ts'
import type { Tick } from '../sitting/ticks.tsx'
import { topicHeading } from '../topics.ts'

export type DueItem = z.infer<typeof dueSchema>['items'][number]

const givenSchema = z.object({
  choice: optionLetterSchema,
  tookMs: z.int(),
  isGuess: z.boolean(),
  answeredAt: z.iso.datetime(),
})
type Given = z.infer<typeof givenSchema>

const sittingSchema = z.object({
  id: z.uuid(),
  /** the local day; the sitting starts over on another day */
  day: z.iso.date(),
  dueCount: z.int(),
  plan: dueSchema.shape.plan,
  items: dueSchema.shape.items,
  /** in order; wrong items are repeated after all items */
  given: z.array(givenSchema),
})
export type Sitting = z.infer<typeof sittingSchema>

export const dueSittings = createPersonStore(
  deviceStore,
  'due',
  sittingSchema,
  ({ day }) => day === localDay(Date.now(), deviceTimeZone()),
)
export const DUE = 'today'

const isRight = (item: DueItem, given: Pick<Given, 'choice'>) =>
  given.choice === item.question.correctOption

/** Returns the items, followed by those that were wrong the first time. */
export function queueOf({ items, given }: Sitting): DueItem[] {
  const again = items.filter((item, place) => {
    const first = given[place]
    return first !== undefined && !isRight(item, first)
  })
  return [...items, ...again]
}

export function judge(sitting: Sitting, place: number, spreadOf: (family: string) => Spread) {
  const item = queueOf(sitting)[place]
  const given = sitting.given[place]
  if (!item || !given) return null
  const right = isRight(item, given)
  // A repeat in the same sitting doesn't change the card.
  const isAgain = place >= sitting.items.length
  const first = isAgain ? sitting.given[sitting.items.indexOf(item)] : given
  const after = answerCard(
    item.card,
    {
      day: sitting.day,
      isRight: first ? isRight(item, first) : right,
      isGuess: first?.isGuess ?? false,
      tookMs: first?.tookMs ?? null,
      usualMs: item.usualMs,
    },
    spreadOf(item.family),
  )
  return { item, given, isRight: right, before: item.card, after, isAgain }
}
export type Judged = NonNullable<ReturnType<typeof judge>>

export function ticksOf(sitting: Sitting, place: number): { ticks: Tick[]; index: number } {
  const queue = queueOf(sitting)
  const from = place < sitting.items.length ? 0 : sitting.items.length
  const shown = from === 0 ? sitting.items : queue.slice(from)
  const ticks = shown.map((item, index): Tick => {
    const given = sitting.given[from + index]
    if (given) return isRight(item, given) ? 'right' : 'wrong'
    return from + index === place ? 'now' : 'open'
  })
  return { ticks, index: place - from }
}

export function asOutboxItem(sitting: Sitting): OutboxItem {
  const queue = queueOf(sitting)
  const answers = sitting.given.flatMap((given, place) => {
    const item = queue[place]
    return item ? [{ place, item: String(item.question.id), ...given }] : []
  })
  return {
    kind: 'session',
    body: {
      id: sitting.id,
      kind: 'due',
      about: {},
      answers,
      isFinished: sitting.given.length === queue.length,
      completedAt: new Date().toISOString(),
      timeZone: deviceTimeZone(),
    },
  }
}

export const doneSchema = z.object({
  /** checked because the browser's history outlives a sign-out */
  userId: z.string(),
  answered: z.int(),
  fresh: z.int(),
  left: z.int(),
  of: z.nullable(z.int()),
  climbed: z.int(),
  missed: z.int(),
  cleared: z.int(),
  /** days until each comes back, except those after the interview */
  intervals: z.array(z.int()),
  mistakes: z.array(
    z.object({ topic: z.string(), sentence: z.string(), days: z.nullable(z.int()) }),
  ),
})
export type Done = z.infer<typeof doneSchema>

export function sumUp(
  sitting: Sitting,
  userId: string,
  spreadOf: (family: string) => Spread,
): Done {
  const judged = sitting.items.flatMap((_, place) => judge(sitting, place, spreadOf) ?? [])
  const { plan } = sitting
  const asked = plan ? judged.length : sitting.items.filter(({ card }) => card).length
  const isBack = ({ after }: Judged) => isBackBefore(plan?.interviewOn, after)
  const isKnown = ({ isRight, given }: Judged) => isRight && !given.isGuess
  return {
    userId,
    answered: judged.length,
    fresh: sitting.items.filter(({ card }) => !card).length,
    left: Math.max(0, (plan?.left ?? sitting.dueCount) - asked),
    of: plan?.of ?? null,
    climbed: judged.filter(isKnown).length,
    missed: judged.filter((one) => !isKnown(one)).length,
    cleared: judged.filter(
      ({ before, after }) =>
        before !== null && after.lapses > 0 && !isCleared(before) && isCleared(after),
    ).length,
    intervals: judged.filter(isBack).map(({ after }) => intervalOf(after)),
    mistakes: judged
      .filter((one) => !isKnown(one))
      .map((one) => ({ ...one, days: isBack(one) ? intervalOf(one.after) : null }))
      .map(({ item, given, isRight, days }) => ({
        topic: item.topic ? topicHeading(item.topic) : item.question.category,
        sentence: isRight
          ? `Guessed: ${item.question.question}`
          : (item.question.why[given.choice] ?? item.question.question),
        days,
      })),
  }
}

export function withAnswer(
  sitting: Sitting,
  choice: OptionLetter,
  times: { tookMs: number; answeredAt: string },
): Sitting {
  return { ...sitting, given: [...sitting.given, { choice, isGuess: false, ...times }] }
}

export function withGuess(sitting: Sitting): Sitting {
  const last = sitting.given.at(-1)
  if (!last) return sitting
  return { ...sitting, given: [...sitting.given.slice(0, -1), { ...last, isGuess: true }] }
}

export const isBackBefore = (interviewOn: string | null | undefined, { due }: Pick<Card, 'due'>) =>
  !interviewOn || due < interviewOn

export function againIn(days: number): string {
  return days === 1 ? 'Again tomorrow' : `Again in ${days} days`
}

export const NOT_AGAIN = 'Not again before your interview'
