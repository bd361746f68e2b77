import { type Card, retrievability } from './schedule.ts'

/** How a question stands with a person on a day (product 3.14.1). */
export type Standing = 'solid' | 'shaky' | 'new'

/** Right answers in a row, each on a day of its own. */
const SOLID_IN_ROW = 2
/** Days after which nine in ten still know it. */
const SOLID_STABILITY = 7
/** How likely it is to be known today. */
const SOLID_RETRIEVABILITY = 0.9

/** Solid: right twice in a row on different days, for a week, and nine in ten today. Null: never answered. */
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
