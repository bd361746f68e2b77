import { rankRanges } from '../../statistics/bands.ts'
import { standardDeviation } from '../../statistics/moments.ts'
import { kr20, standardError } from '../../statistics/reliability.ts'
import type { AnswerTable } from '../results/answer-table.ts'
import { type Form, pointsOf, satOf } from './sat.ts'

/** One candidate before and after; places are the best that the points allow. */
export interface Moved {
  /** the blind number */
  number: number
  points: number
  pointsAfter: number
  place: number
  placeAfter: number
}

/** What a ruling does to everybody who is done (product 7.18.8). */
export interface Consequences {
  /** questions that count afterwards */
  questions: number
  /** KR-20 afterwards, null where it has none */
  reliability: number | null
  /** standard error of measurement afterwards, points */
  error: number | null
  /** standard deviation of the points afterwards, with n − 1 */
  deviation: number | null
  /** how many have more points, and fewer */
  up: number
  down: number
  /** how many places the one rises who rises most, and falls who falls most */
  largestRise: number
  largestFall: number
  /** everybody, the best first */
  moved: Moved[]
}

/**
 * Compares two states of the answer table: as it stands, and under a ruling. The preview of a ruling and the
 * ruling itself are told by this.
 * @param form of which reliability is told
 */
export function consequencesOf(
  before: AnswerTable,
  after: AnswerTable,
  form: Form | null,
): Consequences {
  const [was, is] = [pointsOf(before), pointsOf(after)]
  const people = before.rows.filter(({ attemptId }) => was.has(attemptId) && is.has(attemptId))
  const points = people.map(({ attemptId }) => was.get(attemptId) as number)
  const pointsAfter = people.map(({ attemptId }) => is.get(attemptId) as number)
  const [places, placesAfter] = [rankRanges(points), rankRanges(pointsAfter)]
  const moved = people.map(({ number }, index) => ({
    number,
    points: points[index] as number,
    pointsAfter: pointsAfter[index] as number,
    place: places[index]?.first as number,
    placeAfter: placesAfter[index]?.first as number,
  }))
  const rises = moved.map(({ place, placeAfter }) => place - placeAfter)
  const { scores } = satOf(after, form)
  const reliability = kr20(scores)
  const deviation = scores.totals.length > 1 ? standardDeviation(scores.totals) : null
  return {
    questions: scores.items.length,
    reliability,
    deviation,
    error:
      reliability === null || deviation === null ? null : standardError(deviation, reliability),
    up: moved.filter((one) => one.pointsAfter > one.points).length,
    down: moved.filter((one) => one.pointsAfter < one.points).length,
    largestRise: Math.max(0, ...rises),
    largestFall: Math.max(0, ...rises.map((rise) => -rise)),
    moved: moved.sort((a, b) => b.points - a.points || b.pointsAfter - a.pointsAfter),
  }
}

/** Who stands on the other side of the line afterwards: at the line one is in. */
export function crossing(moved: readonly Moved[], line: number, lineAfter = line) {
  const wasIn = ({ points }: Moved) => points >= line
  const isIn = ({ pointsAfter }: Moved) => pointsAfter >= lineAfter
  return {
    in: moved.filter((one) => !wasIn(one) && isIn(one)),
    out: moved.filter((one) => wasIn(one) && !isIn(one)),
  }
}
