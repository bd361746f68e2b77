import type { AnswerTable } from '../../incidents/server/answer-table.ts'
import { type Sat, satOf } from '../../incidents/server/sat.ts'
import {
  type ScoreGroup,
  scoreGroups,
  supportsGroups,
  wholeError,
} from '../../kit/statistics/bands.ts'
import { mean, median, quantile } from '../../kit/statistics/moments.ts'
import { itemFlags, optionTable } from '../../kit/statistics/option-table.ts'
import { kr21, reliabilityOf } from '../../kit/statistics/reliability.ts'
import { type Scores, score } from '../../kit/statistics/responses.ts'
import { FIGURES_FROM, SHARES_FROM } from '../../kit/statistics/sample-size.ts'
import type { FormResults } from '../contract.ts'

/** The candidates of one form with their scores, and what the scores are good for (product 7.17.2). */
export type FormScores = Sat &
  Pick<FormResults, 'reliability' | 'error' | 'errors' | 'middle'> & {
    /** null where no order is supported */
    groups: ScoreGroup[] | null
  }

/** The table by form, A before B; without forms that no candidate took. */
export function formScores(table: AnswerTable): FormScores[] {
  return ([null, 'A', 'B'] as const)
    .map((form) => satOf({ ...table, rows: table.rows.filter((row) => row.form === form) }, form))
    .filter(({ rows }) => rows.length > 0)
    .map((sat) => ({ ...sat, ...describe(sat.scores) }))
}

function describe(scores: Scores): Omit<FormScores, keyof Sat> {
  const { totals, items } = scores
  const people = totals.length
  const found = people < FIGURES_FROM ? null : reliabilityOf(scores)
  const ofAll = kr21(scores)
  const ordered = found && ofAll !== null && supportsGroups(people, found.kr20) ? found : null
  return {
    reliability: found?.kr20 ?? null,
    error: found?.error ?? null,
    groups: ordered && scoreGroups(totals, ordered.error),
    errors:
      ordered &&
      Array.from({ length: items.length + 1 }, (_, total) =>
        wholeError(total, { items: items.length, alpha: ordered.kr20, kr21: ofAll as number }),
      ),
    middle:
      people >= SHARES_FROM
        ? {
            mean: mean(totals),
            median: median(totals),
            low: quantile(totals, 0.25),
            high: quantile(totals, 0.75),
          }
        : null,
  }
}

/**
 * How many candidates would cross a cut score if a question had the key that its answers suggest, of both forms if
 * both ask it; null where they suggest none.
 * @param line points
 */
export function crossingBy(forms: readonly FormScores[], position: number, line: number) {
  let crossing: number | null = null
  for (const { items, responses, scores } of forms) {
    const item = items.findIndex((one) => one.position === position)
    const column = scores.items.indexOf(item)
    if (item < 0 || column < 0) continue
    const found = itemFlags(optionTable(responses, scores, column)).find(
      ({ kind }) => kind === 'key-suspicious',
    )
    if (found?.kind !== 'key-suspicious') continue
    const keys = responses.keys.map((own, at) => (at === item ? [found.option] : own))
    const { totals } = score({ ...responses, keys })
    crossing ??= 0
    crossing += totals.filter(
      (total, index) => total >= line !== (scores.totals[index] as number) >= line,
    ).length
  }
  return crossing
}
