import type { AnswerTable, TableItem } from '../../../incidents/server/answer-table.ts'
import { type Form, pointsOf, satOf } from '../../../incidents/server/sat.ts'
import { rankRanges } from '../../../kit/statistics/bands.ts'
import { reliabilityOf } from '../../../kit/statistics/reliability.ts'
import type { Moved } from '../../contract-analysis.ts'
import { type RulingOn, ruled } from '../../ruling.ts'

/**
 * Compares two states of the answer table: as it is, and under a ruling. Preview and ruling both use it
 * (product 7.18.8).
 * @param form whose reliability is calculated
 * @returns the candidates with their blind numbers, the best first; a place is the best that the points allow
 */
export function consequencesOf(before: AnswerTable, after: AnswerTable, form: Form | null) {
  const [was, is] = [pointsOf(before), pointsOf(after)]
  const people = before.rows.filter(({ attemptId }) => was.has(attemptId) && is.has(attemptId))
  const points = people.map(({ attemptId }) => was.get(attemptId) as number)
  const pointsAfter = people.map(({ attemptId }) => is.get(attemptId) as number)
  const [places, placesAfter] = [rankRanges(points), rankRanges(pointsAfter)]
  const moved: Moved[] = people.map(({ number }, index) => ({
    number,
    points: points[index] as number,
    pointsAfter: pointsAfter[index] as number,
    place: places[index]?.first as number,
    placeAfter: placesAfter[index]?.first as number,
  }))
  const rises = moved.map(({ place, placeAfter }) => place - placeAfter)
  const { scores } = satOf(after, form)
  const found = reliabilityOf(scores)
  return {
    /** questions that count afterwards */
    questions: scores.items.length,
    reliability: found?.kr20 ?? null,
    error: found?.error ?? null,
    up: moved.filter((one) => one.pointsAfter > one.points).length,
    down: moved.filter((one) => one.pointsAfter < one.points).length,
    largestRise: Math.max(0, ...rises),
    largestFall: Math.max(0, ...rises.map((rise) => -rise)),
    moved: moved.sort((a, b) => b.points - a.points || b.pointsAfter - a.pointsAfter),
  }
}

/** What a ruling would do, computed from the answer table only; null: what it is without one. */
export function consequencesUnder(
  table: AnswerTable,
  item: TableItem,
  ruling: RulingOn | null,
  form: Form | null,
) {
  const items = table.items.map((one) => (ruling && one.id === item.id ? ruled(one, ruling) : one))
  return consequencesOf(table, { ...table, items }, form)
}
