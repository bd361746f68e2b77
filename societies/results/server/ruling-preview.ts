import { setImmediate as nextTurn } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import type { AnswerTable, TableItem } from '../../incidents/server/answer-table.ts'
import {
  eachForm,
  type Form,
  letterOf,
  pointsOf,
  type Sat,
  satUnder,
  shownItem,
} from '../../incidents/server/sat.ts'
import type { Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { rankRanges, reliabilityOf } from '../../kit/statistics/reliability.ts'
import { FIGURES_FROM } from '../../kit/statistics/responses.ts'
import { readCorrections } from '../../questions/server/corrections.ts'
import type {
  getRulingPreview,
  Moved,
  PastRuling,
  Ruling,
  ShownConsequences,
  ShownLine,
} from '../contract-analysis.ts'
import { readLine } from './line.ts'
import { againstRuling, readRulingVersion, ruled } from './regrade.ts'
import { readSettledTable, suspectedKey } from './scores.ts'

/**
 * Reads a question with each possible ruling's consequences and the earlier rulings (product 7.18.8). It applies
 * rulings in memory, with the same rule as stored ones. It changes and locks nothing. Errors: 404 not_found.
 * @param seesScores whether the member can see individual candidates, by blind number
 */
export async function readRulingPreview(
  client: Client,
  code: string,
  position: number,
  seesScores: boolean,
): Promise<Sendable<Omit<ResponseOf<typeof getRulingPreview>, 'ruling'>>> {
  const table = await readSettledTable(client, code)
  const item = table.items.find((one) => one.position === position)
  if (!item) throw refuse(404, 'not_found', 'There is no such question.')
  const line = (await readLine(client, code))?.points ?? null
  const forms = await eachForm(table)
  const sat = mainSatOf(forms, item)
  const found = suspectedKey(
    sat,
    sat.items.findIndex(({ id }) => id === item.id),
  )
  const suspected = found === null ? null : letterOf(found)
  const corrections = await readCorrections(client, [code])
  const elsewhere = corrections.find((one) => one.isOpen && one.position === position)?.to ?? null
  const letters = [...OPTION_LETTERS].sort(
    (a, b) => Number(b === suspected) - Number(a === suspected),
  )
  const rulings: Ruling[] = [
    // An option that already counts can't be the new key. To make it the only one, withdraw its ruling first.
    ...letters
      .filter((letter) => !item.keys.includes(letter))
      .map((option) => ({ kind: 'replace', option }) as const),
    ...letters.map((option) => ({ kind: 'accept', option }) as const),
    { kind: 'void', option: null },
    { kind: 'full_marks', option: null },
  ]
  const shownOf = async (ruling: Ruling | null): Promise<ShownConsequences> => {
    const { moved, reliability, error, ...counts } = consequencesOf(
      forms,
      ruling ? await formsUnder(forms, item, ruling) : forms,
      sat.form,
    )
    const isSaid = sat.rows.length >= FIGURES_FROM
    return {
      ...(ruling ?? { kind: null, option: null }),
      ...counts,
      reliability: isSaid ? reliability : null,
      error: isSaid ? error : null,
      lines: line === null ? [] : linesOf(moved, ruling, line, seesScores),
    }
  }
  const shown: ShownConsequences[] = []
  for (const ruling of [null, ...rulings.filter((one) => !againstRuling(item, one))]) {
    shown.push(await shownOf(ruling))
    // Sorting all candidates takes long, so this lets other requests run in between.
    await nextTurn()
  }
  return {
    ...shownItem(item),
    people: table.rows.length,
    openCount: table.openCount,
    suspected,
    elsewhere,
    line,
    rulings: shown,
    past: await readPastRulings(client, item.id, seesScores ? table : null),
    version: await readRulingVersion(client, code),
  }
}

/** Picks the candidates who had the question; if both forms include it, those of the larger form. */
function mainSatOf(forms: readonly Sat[], { form }: TableItem): Sat {
  const asked = forms.filter((one) => form === null || one.form === form)
  return asked.reduce((most, one) => (one.rows.length > most.rows.length ? one : most))
}

/** Calculates all forms with a ruling on one of their questions. */
export async function formsUnder(
  forms: readonly Sat[],
  item: TableItem,
  ruling: Ruling,
): Promise<Sat[]> {
  const after: Sat[] = []
  for (const sat of forms) after.push(await satUnder(sat, ruled(item, ruling)))
  return after
}

/**
 * Compares all forms before and after a ruling (product 7.18.8).
 * @returns the candidates by blind number, best first; tied candidates share the best rank
 */
export function consequencesOf(before: readonly Sat[], after: readonly Sat[], form: Form | null) {
  const [was, is] = [pointsOf(before), pointsOf(after)]
  const people = before
    .flatMap(({ rows }) => rows)
    .filter(({ isExcluded }) => !isExcluded)
    .sort((a, b) => a.number - b.number)
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
  const { scores } = after.find((one) => one.form === form) as Sat
  const found = reliabilityOf(scores)
  return {
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

/** Finds candidates who cross the cut score; a score at the cut score passes. */
function linesOf(
  moved: readonly Moved[],
  ruling: Ruling | null,
  line: number,
  seesScores: boolean,
): ShownLine[] {
  const lines = ruling?.kind === 'void' && line >= 1 ? [line, line - 1] : [line]
  return lines.map((points) => {
    const comesIn = moved.filter((one) => one.points < line && one.pointsAfter >= points)
    const goesOut = moved.filter((one) => one.points >= line && one.pointsAfter < points)
    const crossing = seesScores ? [...comesIn, ...goesOut] : null
    return { points, in: comesIn.length, out: goesOut.length, crossing }
  })
}

/** Reads all rulings and proposals, newest first, with the changed results of candidates in the table. */
async function readPastRulings(
  client: Client,
  itemId: number,
  table: AnswerTable | null,
): Promise<Sendable<PastRuling>[]> {
  const { rows } = await client.query<
    Sendable<Omit<PastRuling, 'withdrawn' | 'changed'>> & {
      withdrawnAt: Date | null
      withdrawnBy: string
      withdrawReason: string | null
      results: NonNullable<PastRuling['results']>
    }
  >(
    sql`select r.id, r.kind, r.accepted_option as option, r.reason, r.made_by as by, r.created_at as at,
       r.is_proposal as "isProposal", r.withdrawn_at as "withdrawnAt", r.withdrawn_by as "withdrawnBy",
       r.withdraw_reason as "withdrawReason",
       coalesce((select jsonb_agg(jsonb_build_object('number', b.number, 'before', x.correct_before,
             'after', x.correct_after) order by x.correct_after desc, b.number)
           from ruling_results x join attempts a on a.id = x.attempt_id
           join blind_numbers b on b.candidate_id = a.candidate_id and b.assessment = a.assessment
           where x.ruling_id = r.id and not a.is_demo and x.correct_before <> x.correct_after), '[]')
         as results
     from item_rulings r where r.item_id = ${itemId} order by r.id desc`,
  )
  const numbers = new Set(table?.rows.map(({ number }) => number))
  return rows.map(({ withdrawnAt, withdrawnBy, withdrawReason, results, ...ruling }) => ({
    ...ruling,
    withdrawn: withdrawnAt && { by: withdrawnBy, at: withdrawnAt, reason: withdrawReason },
    changed: results.length,
    results: table && results.filter(({ number }) => numbers.has(number)),
  }))
}
