import { type ScoreGroup, scoreGroups, supportsGroups, wholeError } from '../../statistics/bands.ts'
import { mean, median, quantile, standardDeviation } from '../../statistics/moments.ts'
import { itemFlags, optionTable } from '../../statistics/option-table.ts'
import { feldtInterval, kr20, kr21, standardError } from '../../statistics/reliability.ts'
import { type Responses, ruleOn, type Scores, score } from '../../statistics/responses.ts'
import { mayBeSaid } from '../../statistics/what-may-be-said.ts'
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
  /** null where there are too few candidates to say it, or their scores do not differ */
  reliability: { value: number; low: number; high: number } | null
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
  const alpha = kr20(scores)
  const ofAll = kr21(scores)
  const maySay = (what: Parameters<typeof mayBeSaid>[0]) => mayBeSaid(what, people) !== 'hidden'
  const error = alpha === null ? null : standardError(standardDeviation([...totals]), alpha)
  const isOrdered = supportsGroups(people, alpha) && error !== null && ofAll !== null
  return {
    reliability:
      alpha !== null && maySay('reliability')
        ? { value: alpha, ...feldtInterval(alpha, people, items.length) }
        : null,
    error: maySay('measurement-error') ? error : null,
    groups: isOrdered ? scoreGroups(totals, error) : null,
    errors: isOrdered
      ? Array.from({ length: items.length + 1 }, (_, total) =>
          wholeError(total, { items: items.length, alpha: alpha ?? 0, kr21: ofAll }),
        )
      : null,
    middle: maySay('quartiles')
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
