import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../../../platform/options.ts'
import type { Sendable } from '../../../../platform/server/api.ts'
import {
  type AnswerTable,
  readAnswerTable,
  type TableItem,
} from '../../../incidents/server/answer-table.ts'
import { eachForm, letterOf, type Sat, satOf, shownItem } from '../../../incidents/server/sat.ts'
import type { Client } from '../../../kit/server/action.ts'
import { refuse } from '../../../kit/server/refuse.ts'
import { itemFlags, optionTable, shownFlags } from '../../../kit/statistics/option-table.ts'
import { FIGURES_FROM } from '../../../kit/statistics/sample-size.ts'
import type {
  getRulingPreview,
  Moved,
  PastRuling,
  ShownConsequences,
} from '../../contract-analysis.ts'
import { againstRuling, type RulingOn, storedRuling } from '../../ruling.ts'
import { readLine } from '../line.ts'
import { readRulingVersion } from '../regrade.ts'
import { consequencesUnder } from './consequences.ts'

type Preview = Sendable<Omit<ResponseOf<typeof getRulingPreview>, 'ruling'>>

/** How many places are drawn above and below the cut score. */
const PLACES_EACH_SIDE = 20

/**
 * A question with the consequences of each possible ruling and the earlier rulings (product 7.18.8). Nothing is
 * changed or locked: a ruling is applied to the answer table that was read, by the rule that the stored one
 * follows (societies/results/ruling.ts).
 * Errors: 404 not_found.
 * @param seesScores whether candidates may be told apart at all, by blind numbers
 */
export async function readRulingPreview(
  client: Client,
  code: string,
  position: number,
  seesScores: boolean,
): Promise<Preview> {
  const table = await readAnswerTable(client, code)
  const item = table.items.find((one) => one.position === position)
  if (!item) throw refuse(404, 'not_found', 'There is no such question.')
  const line = (await readLine(client, code))?.points ?? null
  const sat = mainSatOf(table, item)
  const suspected = suspectedOption(sat, item)
  const consequencesOf = (ruling: RulingOn | null): ShownConsequences => {
    const { moved, reliability, error, ...counts } = consequencesUnder(
      table,
      item,
      ruling,
      sat.form,
    )
    const isSaid = sat.rows.length >= FIGURES_FROM
    return {
      ...(ruling ? storedRuling(ruling) : { kind: null, option: null }),
      ...counts,
      reliability: isSaid ? reliability : null,
      error: isSaid ? error : null,
      lines: line === null ? [] : linesOf(moved, ruling, line, seesScores),
      places: seesScores ? placesOf(moved, line) : null,
    }
  }
  return {
    ...shownItem(item),
    people: table.rows.length,
    openCount: table.openCount,
    suspected,
    line,
    rulings: [null, ...rulingsOn(item, suspected)].map(consequencesOf),
    past: await readPastRulings(client, item.id, seesScores),
    version: await readRulingVersion(client, code),
  }
}

/** The candidates who were asked the question; where both forms ask it, those of the larger form. */
function mainSatOf(table: AnswerTable, { form }: TableItem): Sat {
  if (form) return satOf(table, form)
  const [first, ...others] = eachForm(table)
  return others.reduce(
    (most, one) => (one.rows.length > most.rows.length ? one : most),
    first as Sat,
  )
}

/** The wrong option that better candidates chose, as far as the group is large enough to tell. */
function suspectedOption(sat: Sat, { id }: TableItem): OptionLetter | null {
  const column = sat.scores.items.findIndex((index) => sat.items[index]?.id === id)
  const people = sat.rows.length
  if (column === -1 || people === 0) return null
  const table = optionTable(sat.responses, sat.scores, column)
  for (const flag of shownFlags(itemFlags(table), people)) {
    if (flag.kind === 'key-suspicious') return letterOf(flag.option)
  }
  return null
}

/** Every ruling that can be made, those on the suspected option first. */
function rulingsOn(item: TableItem, suspected: OptionLetter | null): RulingOn[] {
  const letters = [...OPTION_LETTERS].sort(
    (a, b) => Number(b === suspected) - Number(a === suspected),
  )
  const all: RulingOn[] = [
    // An option that already counts is no new key: to make it the only one, its ruling is withdrawn first.
    ...letters.filter((letter) => !item.keys.includes(letter)).map((replace) => ({ replace })),
    ...letters.map((accept) => ({ accept })),
    { void: true },
    { fullMarks: true },
  ]
  return all.filter((ruling) => againstRuling(item, ruling) === null)
}

/**
 * Who is on the other side of the cut score afterwards; a candidate at the cut score is in. With a question that is
 * left out the cut score can go down by a point.
 */
function linesOf(
  moved: readonly Moved[],
  ruling: RulingOn | null,
  line: number,
  seesScores: boolean,
): ShownConsequences['lines'] {
  const lines = ruling && 'void' in ruling && line >= 1 ? [line, line - 1] : [line]
  return lines.map((lineAfter) => {
    const isIn = ({ pointsAfter }: Moved) => pointsAfter >= lineAfter
    const comesIn = moved.filter((one) => one.points < line && isIn(one))
    const goesOut = moved.filter((one) => one.points >= line && !isIn(one))
    return {
      points: lineAfter,
      in: comesIn.length,
      out: goesOut.length,
      crossing: seesScores ? [...comesIn, ...goesOut] : null,
    }
  })
}

/** The places around the cut score, or the first ones: who is there before or after. */
function placesOf(moved: readonly Moved[], line: number | null): ShownConsequences['places'] {
  const after = [...moved].sort(
    (a, b) => b.pointsAfter - a.pointsAfter || b.points - a.points || a.number - b.number,
  )
  const before = [...moved].sort(
    (a, b) => b.points - a.points || b.pointsAfter - a.pointsAfter || a.number - b.number,
  )
  const atAfter = new Map(after.map(({ number }, index) => [number, index + 1]))
  const inBefore = line === null ? 0 : moved.filter(({ points }) => points >= line).length
  const inAfter = line === null ? 0 : moved.filter((one) => one.pointsAfter >= line).length
  const from = Math.max(1, Math.min(inBefore, inAfter) - PLACES_EACH_SIDE + 1)
  const to = Math.min(
    moved.length,
    Math.max(Math.max(inBefore, inAfter) + PLACES_EACH_SIDE, 2 * PLACES_EACH_SIDE),
  )
  const isNear = (at: number) => at >= from && at <= to
  const candidates = before
    .map(({ number, points, pointsAfter }, index) => ({
      number,
      points,
      pointsAfter,
      at: index + 1,
      atAfter: atAfter.get(number) ?? 0,
    }))
    .filter((one) => isNear(one.at) || isNear(one.atAfter))
  return { from, to, candidates }
}

/** All rulings and proposals, the newest first, with the results that each ruling changed. */
async function readPastRulings(
  client: Client,
  itemId: number,
  seesScores: boolean,
): Promise<Sendable<PastRuling>[]> {
  const { rows } = await client.query<
    Sendable<Omit<PastRuling, 'withdrawn' | 'results' | 'changed'>> & {
      withdrawnAt: Date | null
      withdrawnBy: string
      withdrawReason: string | null
      results: NonNullable<PastRuling['results']>
    }
  >(
    `select r.id, r.kind, r.accepted_option as option, r.reason, r.made_by as by, r.created_at as at,
       r.is_proposal as "isProposal", r.withdrawn_at as "withdrawnAt", r.withdrawn_by as "withdrawnBy",
       r.withdraw_reason as "withdrawReason",
       coalesce((select jsonb_agg(jsonb_build_object('number', b.number, 'before', x.correct_before,
             'after', x.correct_after) order by x.correct_after desc, b.number)
           from ruling_results x join attempts a on a.id = x.attempt_id
           join blind_numbers b on b.candidate_id = a.candidate_id and b.assessment = a.assessment
           where x.ruling_id = r.id and not a.is_demo and x.correct_before <> x.correct_after), '[]')
         as results
     from item_rulings r where r.item_id = $1 order by r.id desc`,
    [itemId],
  )
  return rows.map(({ withdrawnAt, withdrawnBy, withdrawReason, results, ...ruling }) => ({
    ...ruling,
    withdrawn: withdrawnAt && { by: withdrawnBy, at: withdrawnAt, reason: withdrawReason },
    changed: results.length,
    results: seesScores ? results : null,
  }))
}
