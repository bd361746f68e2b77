import type { Category } from '../categories.ts'
import { hash } from './schedule.ts'

/** Questions of a sitting of what is due (product 3.10.8). */
export const QUESTIONS_A_SITTING = 10

/** A family that is due. */
export interface DueFamily {
  family: string
  /** what it is about: neighbours differ in it */
  topic: string
  /** how likely it is still known, 0 to 1 */
  retrievability: number
}

/** A question that was never answered. */
export interface NewFamily {
  family: string
  category: Category
  topic: string
  /** 0 is the easiest */
  level: number
}

/**
 * The families to ask (product 3.10.8): what is due up to its share, the least likely known first; then new
 * ones, and where these don't fill it up more of what is due. The same for the same seed.
 * @param share 0 to 1
 * @param weights of the new ones, by category; a category without one has no new ones
 * @param seed the person, the day and the how many-th sitting of it
 * @returns in the order of asking: no neighbours of one topic, as far as that can be
 */
export function chooseToday(options: {
  due: readonly DueFamily[]
  fresh: readonly NewFamily[]
  share: number
  weights: Partial<Record<Category, number>>
  seed: string
  size?: number
}): string[] {
  const { fresh, seed, size = QUESTIONS_A_SITTING } = options
  const due = [...options.due].sort(
    (a, b) => a.retrievability - b.retrievability || (a.family < b.family ? -1 : 1),
  )
  const asked: { family: string; topic: string }[] = due.slice(0, Math.round(size * options.share))
  asked.push(...chooseNew(fresh, options.weights, seed, size - asked.length))
  // Fewer new ones than there is room for: more of what is due.
  const known = new Set(asked.map(({ family }) => family))
  asked.push(...due.filter(({ family }) => !known.has(family)).slice(0, size - asked.length))
  return mixTopics(asked, seed)
}

/** New ones by the weights of their categories: the topics of each in turn, the easiest of a topic first. */
function chooseNew(
  fresh: readonly NewFamily[],
  weights: Partial<Record<Category, number>>,
  seed: string,
  count: number,
): NewFamily[] {
  const topicsOf = new Map<Category, Map<string, NewFamily[]>>()
  for (const one of fresh) {
    if (!weights[one.category]) continue
    const topics = topicsOf.get(one.category) ?? new Map<string, NewFamily[]>()
    topics.set(one.topic, [...(topics.get(one.topic) ?? []), one])
    topicsOf.set(one.category, topics)
  }
  // Of each category its topics as queues, in the seed's order; the one that was asked goes to the end.
  const queues = [...topicsOf].map(([category, topics]) => ({
    category,
    topics: [...topics]
      .map(([topic, families]) => ({
        topic,
        families: [...families].sort((a, b) => a.level - b.level),
      }))
      .sort((a, b) => hash(`${seed} ${a.topic}`) - hash(`${seed} ${b.topic}`)),
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
    const topic = queue?.topics.shift()
    const family = topic?.families.shift()
    if (!queue || !topic || !family) break
    chosen.push(family)
    if (topic.families.length > 0) queue.topics.push(topic)
  }
  return chosen
}

/**
 * Orders so that no two neighbours share a topic, where no topic has more than half of them: always one of the
 * topic that has most left and was not just asked, ties by the seed.
 */
export function mixTopics<T extends { family: string; topic: string }>(
  asked: readonly T[],
  seed: string,
): string[] {
  const topics = [...new Set(asked.map(({ topic }) => topic))]
    .sort((a, b) => hash(`${seed} ${a}`) - hash(`${seed} ${b}`))
    .map((topic) => ({ topic, families: asked.filter((one) => one.topic === topic) }))
  const order: string[] = []
  let before = ''
  while (order.length < asked.length) {
    const open = topics.filter(({ families }) => families.length > 0)
    const others = open.filter(({ topic }) => topic !== before)
    const next = (others.length > 0 ? others : open).reduce((most, one) =>
      one.families.length > most.families.length ? one : most,
    )
    before = next.topic
    order.push((next.families.shift() as T).family)
  }
  return order
}
