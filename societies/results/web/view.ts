import type { ResponseOf } from '../../../platform/endpoint.ts'
import { rankRanges, type Standing, standingOf } from '../../kit/statistics/bands.ts'
import type { FormResults, getResults, ScoredCandidate } from '../contract.ts'

export type Results = ResponseOf<typeof getResults>

/** One candidate as the list shows it. */
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
  /** to the cut score; null where there is none, or no order is supported */
  standing: Standing | null
}

export interface FormView {
  form: 'A' | 'B' | null
  /** questions that count */
  items: number
  candidates: Shown[]
  /** 0 where no order is supported */
  groups: number
}

/**
 * A form's scores as the list shows them (product 7.17.3).
 * @param line the cut score in points; null: there is none
 */
export function viewOf(results: FormResults, line: number | null): FormView {
  const { form, items, errors, groups, error, candidates } = results
  const ranks = rankRanges(candidates.map(({ right }) => right))
  return {
    form,
    items,
    groups: groups?.length ?? 0,
    candidates: candidates.map((one, index) => ({
      ...one,
      form,
      points: one.right,
      people: candidates.length,
      error: errors?.[one.right] ?? null,
      group: groups ? groups.findIndex(({ low }) => one.right >= low) + 1 : null,
      rank: ranks[index] as Shown['rank'],
      standing:
        groups && error !== null && line !== null ? standingOf(one.right, line, error) : null,
    })),
  }
}

export type Counts = Record<Standing, number>

/** How many candidates have each standing, over all forms; null where one form supports no order. */
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
