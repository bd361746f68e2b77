import type { FormResults, ScoredCandidate } from '../../contract/results.ts'
import { rankRanges, type Standing, standingOf } from '../../statistics/bands.ts'

/** One candidate as picture and list show it. */
export interface Shown extends ScoredCandidate {
  form: 'A' | 'B' | null
  /** one for each right answer */
  points: number
  /** one standard error, whole points; null where no order is supported */
  error: number | null
  /** from 1; null as above */
  group: number | null
  /** those with the same score share it; of `people` */
  rank: { first: number; last: number }
  people: number
  /** to the line; null where there is none, or no order is supported */
  standing: Standing | null
}

/** All with one score. */
export interface Row {
  points: number
  error: number | null
  rank: { first: number; last: number } | null
  isNear: boolean
  candidates: Shown[]
}

export interface Group {
  /** from 1; null where no order is supported */
  number: number | null
  count: number
  /** points */
  high: number
  low: number
  rows: Row[]
}

export interface FormView {
  form: 'A' | 'B' | null
  /** questions that count */
  items: number
  candidates: Shown[]
  groups: Group[]
}

/** More scores between best and last than this, and only those that somebody has get a row. */
const ROWS_IN_A_ROW = 60

/**
 * A form's scores as the picture draws them: best first, groups where the test supports them, within a row by
 * number, which tells nothing (product 7.17.3).
 * @param line the least that is in, points; null: none is drawn
 */
export function viewOf(results: FormResults, line: number | null): FormView {
  const { form, items, errors, groups, error, candidates } = results
  const totals = candidates.map(({ right }) => right)
  const ranks = rankRanges(totals)
  const standingAt = (points: number) =>
    groups !== null && error !== null && line !== null ? standingOf(points, line, error) : null
  const shown = candidates.map(
    (one, index): Shown => ({
      ...one,
      ...{ form, points: one.right, people: candidates.length },
      error: errors?.[one.right] ?? null,
      group: groups ? groups.findIndex(({ low }) => one.right >= low) + 1 : null,
      rank: ranks[index] as Shown['rank'],
      standing: standingAt(one.right),
    }),
  )
  const rows = scoresOf(totals).map((points): Row => {
    const of = shown.filter((one) => one.points === points)
    return {
      ...{ points, candidates: of },
      error: of.length > 0 ? (errors?.[points] ?? null) : null,
      rank: of[0]?.rank ?? null,
      isNear: isNear({ standing: standingAt(points) }),
    }
  })
  return { form, items, candidates: shown, groups: groupsOf(rows, groups) }
}

/** Best first. */
function scoresOf(totals: readonly number[]): number[] {
  if (totals.length === 0) return []
  const [low, high] = [Math.min(...totals), Math.max(...totals)]
  if (high - low > ROWS_IN_A_ROW) return [...new Set(totals)].sort((a, b) => b - a)
  return Array.from({ length: high - low + 1 }, (_, step) => high - step)
}

function groupsOf(rows: Row[], groups: FormResults['groups']): Group[] {
  const count = rows.reduce((sum, { candidates }) => sum + candidates.length, 0)
  const [high, low] = [rows[0]?.points ?? 0, rows.at(-1)?.points ?? 0]
  if (!groups) return rows.length > 0 ? [{ number: null, count, high, low, rows }] : []
  return groups.map((group, index) => ({
    number: index + 1,
    count: group.count,
    high: group.high,
    low: group.low,
    // A score that nobody has stands with those above it.
    rows: rows.filter(
      ({ points }) => points <= group.high && points > (groups[index + 1]?.high ?? -1),
    ),
  }))
}

export type Counts = Record<Standing, number>

/** How many stand where, over all forms; null where one of them supports no order. */
export function countsOf(views: readonly FormView[]): Counts | null {
  const all = views.flatMap(({ candidates }) => candidates)
  if (all.length === 0 || all.some(({ standing }) => standing === null)) return null
  const counts: Counts = {
    'clearly-above': 0,
    'just-above': 0,
    'just-below': 0,
    'clearly-below': 0,
  }
  for (const { standing } of all) if (standing) counts[standing] += 1
  return counts
}

export const isNear = ({ standing }: Pick<Shown, 'standing'>) =>
  standing === 'just-above' || standing === 'just-below'
