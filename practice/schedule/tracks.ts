import content from '../../content/tracks.json' with { type: 'json' }
import { CATEGORIES, type Category, topicKey } from '../categories.ts'
import type { Role } from './plan-choices.ts'

interface Track {
  drills: string[]
  /** `share` is in percent. Topics are 3 if asked in nearly every interview, 2 if often, 1 if sometimes. */
  categories: Partial<Record<Category, { share: number; topics: Record<string, number> }>>
}
export const TRACKS: Record<Role, Track> = content

/** Returns each category's share of a role's questions. The shares add up to 1. */
export const categoryWeights = (role: Role) =>
  Object.fromEntries(
    CATEGORIES.map((category) => [category, (TRACKS[role].categories[category]?.share ?? 0) / 100]),
  ) as Record<Category, number>

/** Returns each topic's share of a role's questions, by topicKey. The shares add up to 1. */
export function topicWeights(role: Role): Map<string, number> {
  return new Map(
    CATEGORIES.flatMap((category) => {
      const { share, topics } = TRACKS[role].categories[category] ?? { share: 0, topics: {} }
      const whole = Object.values(topics).reduce((sum, often) => sum + often, 0)
      return Object.entries(topics).map(
        ([topic, often]) => [topicKey(category, topic), ((share / 100) * often) / whole] as const,
      )
    }),
  )
}

/** Returns how much of a role's questions is solid, shaky and new (product 3.16.15). The shares add up to 1. */
export function readinessOf(
  role: Role,
  topics: readonly {
    category: Category
    topic: string
    solid: number
    shaky: number
    new: number
  }[],
): { solid: number; shaky: number; new: number } {
  const weights = topicWeights(role)
  const sum = { solid: 0, shaky: 0, new: 0 }
  for (const one of topics) {
    const count = one.solid + one.shaky + one.new
    const weight = (weights.get(topicKey(one.category, one.topic)) ?? 0) / count
    for (const standing of ['solid', 'shaky', 'new'] as const)
      sum[standing] += weight * one[standing]
  }
  return sum
}

/** Returns a random sort key. Twice the weight is twice as likely to come first. @param drawn from 0 to below 1 */
export const placeOf = (weight: number, drawn: number): number => -Math.log(1 - drawn) / weight
