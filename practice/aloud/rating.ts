import { POINT_COUNT } from './spoken-prompt.ts'

/** The person's own word on a spoken answer: 1 not yet, 2 shaky, 3 good, 4 fluent (product 3.13.7). */
export const RATINGS = [1, 2, 3, 4] as const
export type Rating = (typeof RATINGS)[number]

export const RATING_NAMES: Record<Rating, string> = {
  1: 'Not yet',
  2: 'Shaky',
  3: 'Good',
  4: 'Fluent',
}

/**
 * What so many ticked points propose (product 3.13.7). Fluent is never proposed: how it sounded, the
 * points do not know.
 */
export function proposeRating(pointsSaid: number): Rating {
  if (pointsSaid >= POINT_COUNT) return 3
  return pointsSaid >= 4 ? 2 : 1
}
