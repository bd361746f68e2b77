import { dayAfter } from '../../platform/local-day.ts'
import { type Category, DIFFICULTIES } from '../categories.ts'
import { questionsOf, type SittingSize } from './plan.ts'
import { hash } from './schedule.ts'
import { placeOf } from './tracks.ts'

const QUESTIONS_A_SITTING = 10

export interface NewFamily {
  family: string
  category: Category
  topic: string
  level: number
}

/** A person has started a level after this many of its questions, half a test (product 3.10.8). */
export const BEGINS_A_LEVEL = 5

/** Sizes a sitting (product 3.10.8): due questions up to their share, then new ones, then more due ones. */
export function sizeOfSitting(
  due: number,
  fresh: number,
  share: number,
  size = QUESTIONS_A_SITTING,
): SittingSize {
  const first = Math.min(due, Math.round(size * share))
  const news = Math.min(fresh, size - first)
  return { due: Math.min(due, size - news), fresh: news }
}

/** How many cards come back on each of the days after `day`. */
export function countAhead(cards: readonly { due: string }[], day: string, days: number): number[] {
  const counts = new Map(Array.from({ length: days }, (_, n) => [dayAfter(day, n + 1), 0]))
  for (const { due } of cards) {
    const count = counts.get(due)
    if (count !== undefined) counts.set(due, count + 1)
  }
  return [...counts.values()]
}

/** Splits the rest of a planned day into sittings of ten, for several screens (product 3.16.2). */
export function tensOf(left: number, due: number, fresh: number, share: number): SittingSize[] {
  const ten = sizeOfSitting(due, fresh, share, Math.min(QUESTIONS_A_SITTING, left))
  const asked = questionsOf([ten])
  if (asked <= 0) return []
  return [ten, ...tensOf(left - asked, due - ten.due, fresh - ten.fresh, share)]
}

/**
 * Chooses the families to ask (product 3.10.8): due ones, then new ones, with topics mixed. A seed always gives the same
 * result. `weights` are by category; categories without one get no new questions.
 */
export function chooseToday(options: {
  /** least likely known first */
  due: readonly { family: string; topic: string }[]
  fresh: readonly NewFamily[]
  share: number
  questions?: number
  weights: Partial<Record<Category, number>>
  /** a role's weights by topic; null if all topics weigh the same */
  topics?: ReadonlyMap<string, number> | null
  levels: Partial<Record<Category, number>>
  seed: string
}): string[] {
  const { due, seed, weights } = options
  const fresh = options.fresh.filter(({ category }) => weights[category])
  const size = sizeOfSitting(due.length, fresh.length, options.share, options.questions)
  const old = mixTopics(due.slice(0, size.due), seed)
  const last = due.find(({ family }) => family === old.at(-1))?.topic
  return [...old, ...mixTopics(chooseNew(fresh, options, size.fresh), seed, last)]
}

/** Picks new questions by weight: a role's topics, then the level reached, then higher, then lower ones. */
function chooseNew(
  fresh: readonly NewFamily[],
  {
    weights,
    topics: ofRole = null,
    levels,
    seed,
  }: Pick<Parameters<typeof chooseToday>[0], 'weights' | 'topics' | 'levels' | 'seed'>,
  count: number,
): NewFamily[] {
  const topicsOf = new Map<Category, Map<string, NewFamily[]>>()
  for (const one of fresh) {
    const topics = topicsOf.get(one.category) ?? new Map<string, NewFamily[]>()
    topics.set(one.topic, [...(topics.get(one.topic) ?? []), one])
    topicsOf.set(one.category, topics)
  }
  const turn = ({ category, level, topic }: NewFamily): number => {
    const reached = levels[category] ?? 0
    const later = ofRole && !ofRole.has(topic) ? 2 * DIFFICULTIES.length : 0
    return later + (level >= reached ? level - reached : DIFFICULTIES.length + reached - level)
  }
  const place = (topic: string) =>
    placeOf(ofRole?.get(topic) ?? 1, hash(`${seed} ${topic}`) / 2 ** 32)
  // Each category has a queue of topics in the seed's order. A picked topic goes to the end.
  const queues = [...topicsOf].map(([category, topics]) => ({
    category,
    topics: [...topics]
      .map(([topic, families]) => ({
        topic,
        families: [...families].sort((a, b) => turn(a) - turn(b)),
      }))
      .sort((a, b) => place(a.topic) - place(b.topic)),
  }))
  const chosen: NewFamily[] = []
  for (let pick = 0; pick < count; pick += 1) {
    const open = queues.filter(({ topics }) => topics.length > 0)
    if (open.length === 0) break
    const whole = open.reduce((sum, { category }) => sum + (weights[category] ?? 0), 0)
    let left = (hash(`${seed} new ${pick}`) / 2 ** 32) * whole
    const queue =
      open.find(({ category }) => {
        left -= weights[category] ?? 0
        return left < 0
      }) ?? open.at(-1)
    const topic = queue?.topics.reduce((nearest, one) =>
      turn(one.families[0] as NewFamily) < turn(nearest.families[0] as NewFamily) ? one : nearest,
    )
    const family = topic?.families.shift()
    if (!queue || !topic || !family) break
    chosen.push(family)
    queue.topics.splice(queue.topics.indexOf(topic), 1)
    if (topic.families.length > 0) queue.topics.push(topic)
  }
  return chosen
}

/** Avoids the same topic twice in a row where possible, by taking the topic with the most left, ties by the seed. */
export function mixTopics<T extends { family: string; topic: string }>(
  asked: readonly T[],
  seed: string,
  before = '',
): string[] {
  const topics = [...new Set(asked.map(({ topic }) => topic))]
    .sort((a, b) => hash(`${seed} ${a}`) - hash(`${seed} ${b}`))
    .map((topic) => ({ topic, families: asked.filter((one) => one.topic === topic) }))
  const order: string[] = []
  let last = before
  while (order.length < asked.length) {
    const open = topics.filter(({ families }) => families.length > 0)
    const others = open.filter(({ topic }) => topic !== last)
    const next = (others.length > 0 ? others : open).reduce((most, one) =>
      one.families.length > most.families.length ? one : most,
    )
    last = next.topic
    order.push((next.families.shift() as T).family)
  }
  return order
}
