import sql from 'sql-template-tag'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import { type AnswerTable, canStart, readAnswerTable } from '../../incidents/server/answer-table.ts'
import { countAcceptableLate, countLateCandidates } from '../../incidents/server/late-answers.ts'
import { eachForm, type Sat, satOf } from '../../incidents/server/sat.ts'
import { countUndecided } from '../../incidents/server/undecided.ts'
import type { Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { analyzeItem, itemFlags } from '../../kit/statistics/items.ts'
import {
  marginOf,
  reliabilityOf,
  type ScoreGroup,
  scoreGroups,
  supportsGroups,
} from '../../kit/statistics/reliability.ts'
import { type Choice, FIGURES_FROM, type Scores, score } from '../../kit/statistics/responses.ts'
import type { FormResults, getResults, Obstacles } from '../contract.ts'
import { readLine } from './line.ts'

/** Checks whether all candidates have finished and no more can start. Scores are hidden until then. */
export async function readState(
  client: Client,
  code: string,
  { rows, openCount }: AnswerTable,
  now: Date,
): Promise<ResponseOf<typeof getResults>['state']> {
  if (openCount > 0) return 'inside'
  const { rowCount } = await client.query(
    `select from assessments s where s.code = $1 and ${canStart('s', '$2')}`,
    [code, now],
  )
  if (rowCount === 1) return 'can_start'
  return rows.length === 0 ? 'nobody' : 'over'
}

const NOT_READY = {
  nobody: 'No candidate has taken this test.',
  can_start:
    'Candidates can still start. Results appear after the start deadline. If there is none, set one.',
  inside: 'Some candidates are still taking the test. Results appear when everyone has finished.',
}

/** Reads all answers of a finished test. Errors: 409 results_not_ready. */
export async function requireOver(client: Client, code: string, now: Date): Promise<AnswerTable> {
  const table = await readAnswerTable(client, code)
  const state = await readState(client, code, table, now)
  if (state !== 'over') throw refuse(409, 'results_not_ready', NOT_READY[state])
  return table
}

/** The candidates of one form with their scores and the scores' precision (product 7.17.2). */
export type FormScores = Sat &
  Pick<FormResults, 'reliability' | 'error' | 'margin'> & {
    /** null if the scores support no order */
    groups: ScoreGroup[] | null
  }

/**
 * Splits the table by form, A before B, and skips empty forms.
 * @param hidden candidates to leave out, because figures with them would reveal their scores
 */
export async function formScores(
  table: AnswerTable,
  hidden: ReadonlyMap<string, unknown> = new Map(),
): Promise<FormScores[]> {
  const shown = withoutHidden(table, hidden)
  const forms = ([null, 'A', 'B'] as const).filter((form) =>
    table.rows.some((row) => row.form === form),
  )
  const found: FormScores[] = []
  for (const form of forms) {
    const rows = shown.rows.filter((row) => row.form === form)
    const sat = await satOf({ ...shown, rows }, form)
    found.push({ ...sat, ...describe(sat.scores) })
  }
  return found
}

const withoutHidden = (table: AnswerTable, hidden: ReadonlyMap<string, unknown>): AnswerTable => ({
  ...table,
  rows: table.rows.filter(({ candidateId }) => !hidden.has(candidateId)),
})

/** Counts each candidate's undecided incidents. They hide the score until the cut score is locked (product 7.16.13). */
export async function readHidden(
  client: Client,
  code: string,
): Promise<ReadonlyMap<string, number>> {
  const line = await readLine(client, code)
  return line?.fixedAt ? new Map() : countUndecided(client, code)
}

/** Reads all answers except those of candidates with hidden scores. */
export async function readSettledTable(client: Client, code: string) {
  const all = await readAnswerTable(client, code)
  const table = withoutHidden(all, await readHidden(client, code))
  return { ...table, underReview: all.rows.length - table.rows.length }
}

function describe(scores: Scores): Omit<FormScores, keyof Sat> {
  const { totals } = scores
  const found = totals.length < FIGURES_FROM ? null : reliabilityOf(scores)
  const ordered = found && supportsGroups(totals.length, found.kr20) ? found : null
  return {
    reliability: found?.kr20 ?? null,
    error: found?.error ?? null,
    groups: ordered && scoreGroups(totals, ordered.error),
    margin: ordered && marginOf(ordered.error),
  }
}

/**
 * Finds the option that answers suggest as the key (product 7.18.5). It is null without a suggestion or in a small
 * group.
 * @param item index in the form, from 0
 */
export function suspectedKey({ responses, scores }: Sat, item: number): Choice | null {
  const column = scores.items.indexOf(item)
  if (column < 0 || scores.totals.length === 0) return null
  const [flag] = itemFlags(analyzeItem(responses, scores, column))
  return flag?.kind === 'key-suspicious' ? (flag.option ?? null) : null
}

/** Finds questions whose key is probably wrong, without a later ruling or confirmation (product 7.18.5). */
export async function findSuspiciousKeys(
  client: Client,
  code: string,
  table: AnswerTable,
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    sql`select i.id from assessment_items i where i.assessment = ${code} and (
       exists (select from standing_rulings r where r.item_id = i.id)
       or exists (select from key_confirmations k where k.item_id = i.id and k.withdrawn_at is null))`,
  )
  const settled = new Set(rows.map(({ id }) => id))
  const suspicious = new Set<number>()
  for (const sat of await eachForm(table)) {
    await mapInSlices(sat.items.entries(), ([at, { id }]) => {
      if (suspectedKey(sat, at) !== null) suspicious.add(id)
    })
  }
  return table.items
    .filter(({ id }) => suspicious.has(id) && !settled.has(id))
    .map(({ position }) => position)
}

/**
 * Counts candidates who would cross a cut score with the suggested key, in both forms if both have the question. It
 * is null without a suggestion.
 * @param line points
 */
export function crossingBy(forms: readonly FormScores[], position: number, line: number) {
  let crossing: number | null = null
  for (const sat of forms) {
    const item = sat.items.findIndex((one) => one.position === position)
    const suspected = suspectedKey(sat, item)
    if (suspected === null) continue
    const { responses, scores } = sat
    // This scores only one column, because a test can have hundreds of suspicious keys.
    const choices = responses.choices.map((chosen) => [chosen[item] ?? null])
    const was = score({ choices, keys: [responses.keys[item] ?? []] }).totals
    const is = score({ choices, keys: [[suspected]] }).totals
    const totals = scores.totals.map((total, at) => total - (was[at] ?? 0) + (is[at] ?? 0))
    const crosses = (total: number, at: number) =>
      !sat.rows[at]?.isExcluded && total >= line !== (scores.totals[at] as number) >= line
    crossing = (crossing ?? 0) + totals.filter(crosses).length
  }
  return crossing
}

/** Reads the open tasks before a release (product 7.17.12). */
export async function readObstacles(
  client: Client,
  code: string,
  known: {
    table: AnswerTable
    forms: readonly FormScores[]
    line: { points: number } | null
    undecided: ReadonlyMap<string, number>
  },
): Promise<Obstacles> {
  const { table, forms, line, undecided } = known
  const keys = await findSuspiciousKeys(client, code, table)
  return {
    keys: await mapInSlices(keys, (position) => ({
      position,
      crossing: line && crossingBy(forms, position, line.points),
    })),
    incidents: [...undecided.values()].reduce((sum, count) => sum + count, 0),
    lateAnswers: await countAcceptableLate(client, code),
    lateCandidates: await countLateCandidates(client, code),
  }
}
