import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { getSessions } from '../../contract/sessions.ts'
import { SHIFT_NEEDS } from '../../statistics/forms/comparison.ts'

// What is said of two groups: the finding on the common questions, and what follows from it (product 7.19.10).

export type Sessions = ResponseOf<typeof getSessions>
export type Comparison = Sessions['comparisons'][number]

/** '0.2', '−1.5': a minus that is one, and no more digits than it has to have. */
export const signless = (value: number, digits = 1): string => Math.abs(value).toFixed(digits)
export const signed = (value: number, digits = 1): string => {
  const text = signless(value, digits)
  return `${Number(text) === 0 ? '' : value < 0 ? '−' : '+'}${text}`
}
/** '1', '1.5' */
export const pointsShown = (points: number): string =>
  Number.isInteger(points) ? signless(points, 0) : signless(points, 1)
/** '1 point', '1.5 points' */
export const pointsOf = (points: number): string =>
  `${pointsShown(points)} ${Math.abs(points) === 1 ? 'point' : 'points'}`

export const titleOf = ({ earlier, later }: Comparison): string =>
  `${earlier.name} and ${later.name}`

/** Questions that carry the comparison. */
export const cleanCount = ({ anchors }: Comparison): number =>
  anchors.filter(({ isDropped }) => !isDropped).length

/** Whether there may be no difference at all. */
const includesNothing = ({ low, high }: { low: number; high: number }): boolean =>
  low <= 0 && high >= 0

/**
 * 'On the 8 common questions Afternoon had 0.2 more right on average (−0.2 to 0.6), which is within chance.'
 * Null where nothing may be said yet.
 */
export function findingOf(comparison: Comparison): string | null {
  const { meanShift, anchors, later } = comparison
  if (!meanShift) return null
  const count = anchors.length
  const points = meanShift.shift * count
  const { interval } = meanShift
  const more =
    signless(points) === '0.0' ? 'as many' : `${signless(points)} ${points < 0 ? 'fewer' : 'more'}`
  const between = interval
    ? ` (${signed(interval.low * count)} to ${signed(interval.high * count)})`
    : ''
  const isChance = interval !== null && includesNothing(interval)
  return `On the ${count} common questions ${later.name} had ${more} right on average${between}${isChance ? ', which is within chance' : ''}.`
}

export interface Verdict {
  text: string
  /** somebody should look */
  isAmber: boolean
}

/** What follows; adjusting is never more than an offer. */
export function verdictOf(comparison: Comparison): Verdict {
  const { outcome, kind, earlier, later, methods, offer } = comparison
  const plain = (text: string): Verdict => ({ text, isAmber: false })
  switch (outcome) {
    case 'too-few-people':
      return plain(
        `Nothing is adjusted below ${SHIFT_NEEDS.people} people on each side: there are ${earlier.people} and ${later.people}.`,
      )
    case 'too-few-anchors':
      return plain(
        `Nothing is adjusted: ${cleanCount(comparison)} common questions are clean, and it takes ${SHIFT_NEEDS.anchors}.`,
      )
    case 'no-variation':
      return plain('Nothing is adjusted: scores that are all alike cannot be linked.')
    case 'no-difference':
      return plain('On one scale they differ by less than a quarter point. Nothing is adjusted.')
    case 'leak-warning':
      return {
        text:
          kind === 'forms'
            ? `Those with ${later.name} did better on what both forms ask, by more than chance. Do not adjust.`
            : 'Either stronger candidates or known questions: do not adjust. What became easier most stands first.',
        isAmber: true,
      }
    case 'methods-disagree':
      return {
        text: `Two methods differ by more than half a point (${signed(methods?.chainedMean ?? 0, 2)} and ${signed(methods?.tuckerMean ?? 0, 2)}), so neither is to be believed. Nothing is adjusted.`,
        isAmber: true,
      }
    case 'offer-shift':
      if (!offer) {
        return plain('They had the same questions, so there is nothing to bring onto one scale.')
      }
      return plain(
        `Its other questions were about ${pointsOf(offer.points)} ${offer.points > 0 ? 'harder' : 'easier'} than those of ${earlier.name} (${signed(offer.interval.low)} to ${signed(offer.interval.high)})${includesNothing(offer.interval) ? ', which is within chance' : ''}. An owner may bring both onto one scale.`,
      )
  }
}

/** What stands over the page. */
export function headlineOf({ comparisons, closedCount }: Sessions): string {
  const of = (outcome: Comparison['outcome']) =>
    comparisons.find((one) => one.outcome === outcome && one.said !== 'hidden')
  const leaked = of('leak-warning')
  if (leaked) return `${leaked.later.name} did better on the common questions`
  // What may be no difference is offered below, and claimed by nobody.
  const offered = comparisons.find(
    ({ offer }) => offer !== null && !includesNothing(offer.interval),
  )
  if (offered?.offer) {
    const { points } = offered.offer
    return `${offered.later.name} was about ${pointsOf(points)} ${points > 0 ? 'harder' : 'easier'}`
  }
  if (of('methods-disagree')) return 'The methods disagree, so nothing is adjusted'
  if (comparisons.some(({ said }) => said !== 'hidden')) return 'No difference beyond chance'
  if (comparisons.length > 0 || closedCount === 0) return 'Too few people to compare'
  return 'There is nothing to compare with'
}
