import { type ScoreGroup, scoreGroups, supportsGroups, wholeError } from '../../statistics/bands.ts'
import { mean, median, quantile } from '../../statistics/moments.ts'
import { itemFlags, optionTable } from '../../statistics/option-table.ts'
import { kr21, reliabilityOf } from '../../statistics/reliability.ts'
import { type Responses, ruleOn, type Scores, score } from '../../statistics/responses.ts'
import { FIGURES_FROM, SHARES_FROM } from '../../statistics/sample-size.ts'
import { satOf } from '../analysis/sat.ts'
import type { AnswerTable, TableItem, TableRow } from './answer-table.ts'

/** The candidates of one form with their scores, and what the scores are good for (product 7.17.2). */
export interface FormScores {
  /** null: there is one */
  form: 'A' | 'B' | null
  /** of this form, those that count for nobody among them */
  asked: TableItem[]
  rows: TableRow[]
  responses: Responses
  scores: Scores
  /** KR-20; null where there are too few candidates to say it, or their scores do not differ */
  reliability: number | null
  /** standard error of measurement, points; null as above */
  error: number | null
  /** null where no order is supported */
  groups: ScoreGroup[] | null
  /** one standard error at each score from 0 on, whole points; null as above */
  errors: number[] | null
  middle: { mean: number; median: number; low: number; high: number } | null
}

/** The table by form, A before B; forms that nobody sat are left out. */
export function formScores(table: AnswerTable): FormScores[] {
  return ([null, 'A', 'B'] as const)
    .map((form) => satOf({ ...table, rows: table.rows.filter((row) => row.form === form) }, form))
    .filter(({ rows }) => rows.length > 0)
    .map(({ items, ...sat }) => ({ ...sat, asked: items, ...describe(sat.scores) }))
}

type Described = Pick<FormScores, 'reliability' | 'error' | 'groups' | 'errors' | 'middle'>

function describe(scores: Scores): Described {
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
 * How many would cross a line if a question had the key that its answers speak for; null where they speak for
 * none. Of both forms together, where both ask it.
 * @param line points
 */
export function crossingBy(forms: readonly FormScores[], position: number, line: number) {
  let crossing: number | null = null
  for (const { asked, responses, scores } of forms) {
    const item = asked.findIndex((one) => one.position === position)
    const column = scores.items.indexOf(item)
    if (item < 0 || column < 0) continue
    const found = itemFlags(optionTable(responses, scores, column)).find(
      ({ kind }) => kind === 'key-suspicious',
    )
    if (found?.kind !== 'key-suspicious') continue
    const { totals } = score(ruleOn(responses, item, { replace: found.option }))
    crossing ??= 0
    crossing += totals.filter(
      (total, index) => total >= line !== (scores.totals[index] as number) >= line,
    ).length
  }
  return crossing
}
