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

/** Whether all candidates have finished and none can start anymore: only then is a score shown. */
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

/** All answers of a test that is over. Errors: 409 results_not_ready. */
export async function requireOver(client: Client, code: string, now: Date): Promise<AnswerTable> {
  const table = await readAnswerTable(client, code)
  const state = await readState(client, code, table, now)
  if (state !== 'over') throw refuse(409, 'results_not_ready', NOT_READY[state])
  return table
}

/** The candidates of one form with their scores, and what the scores are good for (product 7.17.2). */
export type FormScores = Sat &
  Pick<FormResults, 'reliability' | 'error' | 'margin'> & {
    /** null where no order is supported */
    groups: ScoreGroup[] | null
  }

/**
 * The table by form, A before B; without forms that no candidate took.
 * @param hidden candidates who count in no figure, because with the others' scores it would tell theirs
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

/**
 * How many incidents of each candidate are undecided, while that hides the score: until the cut score is locked
 * (product 7.16.13).
 */
export async function readHidden(
  client: Client,
  code: string,
): Promise<ReadonlyMap<string, number>> {
  const line = await readLine(client, code)
  return line?.fixedAt ? new Map() : countUndecided(client, code)
}

/** All answers but those whose score is hidden. */
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
 * The option that answers suggest as the key of a question (product 7.18.5); null where they suggest none, or the
 * group is too small to tell.
 * @param item of the form, from 0
 */
export function suspectedKey({ responses, scores }: Sat, item: number): Choice | null {
  const column = scores.items.indexOf(item)
  if (column < 0 || scores.totals.length === 0) return null
  const [flag] = itemFlags(analyzeItem(responses, scores, column))
  return flag?.kind === 'key-suspicious' ? (flag.option ?? null) : null
}

/** Positions of questions whose key is probably wrong, without a ruling or confirmation since (product 7.18.5). */
export async function findSuspiciousKeys(
  client: Client,
  code: string,
  table: AnswerTable,
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `select i.id from assessment_items i where i.assessment = $1 and (
       exists (select from standing_rulings r where r.item_id = i.id)
       or exists (select from key_confirmations k where k.item_id = i.id and k.withdrawn_at is null))`,
    [code],
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
 * How many candidates would cross a cut score if a question had the key that its answers suggest, of both forms if
 * both ask it; null where they suggest none.
 * @param line points
 */
export function crossingBy(forms: readonly FormScores[], position: number, line: number) {
  let crossing: number | null = null
  for (const sat of forms) {
    const item = sat.items.findIndex((one) => one.position === position)
    const suspected = suspectedKey(sat, item)
    if (suspected === null) continue
    const { responses, scores } = sat
    // Only this question's column is scored: a test can have hundreds of suspicious keys.
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

/** What should be settled before candidates read their results (product 7.17.12). */
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
