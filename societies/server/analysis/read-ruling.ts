import type { ResponseOf } from '../../../platform/endpoint.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../../platform/options.ts'
import type { getRulingPreview, PastRuling, ShownConsequences } from '../../contract/analysis.ts'
import { againstRuling, type RulingOn, ruled, storedRuling } from '../../ruling.ts'
import { itemFlags, optionTable, shownFlags } from '../../statistics/option-table.ts'
import { FIGURES_FROM } from '../../statistics/sample-size.ts'
import type { Client } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type AnswerTable, readAnswerTable, type TableItem } from '../results/answer-table.ts'
import { readLine } from '../results/line.ts'
import { readRulingVersion } from '../results/regrade.ts'
import { type Consequences, consequencesOf, crossing, type Moved } from './consequences.ts'
import { eachForm, type Form, letterOf, type Sat, satOf } from './sat.ts'

type Preview = Omit<ResponseOf<typeof getRulingPreview>, 'ruling'>

/** So many places are drawn above and below the line. */
const PLACES_EACH_SIDE = 20

/**
 * A question with what each ruling on it would do and what was ruled before (product 7.18.8). Nothing is
 * changed or locked: a ruling is applied to the answer table that was read, by the rule that the stored one
 * follows (societies/ruling.ts).
 * Errors: OrganiserRefusal.
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
  if (!item) throw new OrganiserRefusal('no_such_item', { assessment: code, item: position })
  const line = (await readLine(client, code))?.points ?? null
  const sat = mainSatOf(table, item)
  const suspected = suspectedOption(sat, item)
  const shown = (ruling: RulingOn | null) => {
    const found = consequencesUnder(table, item, ruling, sat.form)
    return shownConsequences(found, { ruling, line, people: sat.rows.length, seesScores })
  }
  const { question, options, key, keys, isVoid, isFullMarks } = item
  return {
    ...{ item: position, question, options, key, keys, isVoid, isFullMarks },
    ...{ people: table.rows.length, openCount: table.openCount, suspected, line },
    rulings: [null, ...rulingsOn(item, suspected)].map(shown),
    past: await readPastRulings(client, item.id, seesScores),
    version: await readRulingVersion(client, code),
  }
}

/** What a ruling would do, computed from the answer table alone; null: what it is without one. */
export function consequencesUnder(
  table: AnswerTable,
  item: TableItem,
  ruling: RulingOn | null,
  form: Form | null,
): Consequences {
  const items = ruling
    ? table.items.map((one) => (one.id === item.id ? ruled(one, ruling) : one))
    : table.items
  return consequencesOf(table, { ...table, items }, form)
}

/** Those who were asked the question; where two forms ask it, the larger one. */
function mainSatOf(table: AnswerTable, { form }: TableItem): Sat {
  if (form) return satOf(table, form)
  const [first, ...others] = eachForm(table)
  return others.reduce(
    (most, one) => (one.rows.length > most.rows.length ? one : most),
    first as Sat,
  )
}

/** The wrong option that better candidates chose, as far as the group is large enough to say so. */
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

/** Every ruling that can be made, those on the option that is suspected first. */
function rulingsOn(item: TableItem, suspected: OptionLetter | null): RulingOn[] {
  const letters = [...OPTION_LETTERS].sort(
    (a, b) => Number(b === suspected) - Number(a === suspected),
  )
  const all: RulingOn[] = [
    // What counts already is no other key: whoever wants it alone takes the ruling on it back first.
    ...letters.filter((letter) => !item.keys.includes(letter)).map((replace) => ({ replace })),
    ...letters.map((accept) => ({ accept })),
    { void: true },
    { fullMarks: true },
  ]
  return all.filter((ruling) => againstRuling(item, ruling) === null)
}

function shownConsequences(
  found: Consequences,
  as: { ruling: RulingOn | null; line: number | null; people: number; seesScores: boolean },
): ShownConsequences {
  const { ruling, line, people, seesScores } = as
  const { kind, option } = ruling ? storedRuling(ruling) : { kind: null, option: null }
  const isSaid = people >= FIGURES_FROM
  const { questions, reliability, error, up, down, largestRise, largestFall, moved } = found
  const lines = line === null ? [] : kind === 'void' && line >= 1 ? [line, line - 1] : [line]
  return {
    ...{ kind, option, questions, up, down, largestRise, largestFall },
    reliability: isSaid ? reliability : null,
    error: isSaid ? error : null,
    lines: lines.map((points) => {
      const across = crossing(moved, line as number, points)
      return {
        ...{ points, in: across.in.length, out: across.out.length },
        crossing: seesScores ? [...across.in, ...across.out] : null,
      }
    }),
    places: seesScores ? placesOf(moved, line) : null,
  }
}

/** The places about the line, or the first ones: who stands there before or after. */
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
  const candidates = before.flatMap(({ number, points, pointsAfter }, index) => {
    const placed = { number, points, pointsAfter, at: index + 1, atAfter: atAfter.get(number) ?? 0 }
    return isNear(placed.at) || isNear(placed.atAfter) ? [placed] : []
  })
  return { from, to, candidates }
}

/** All that was ruled and proposed, the newest first, with the results that each ruling moved. */
async function readPastRulings(
  client: Client,
  itemId: number,
  seesScores: boolean,
): Promise<PastRuling[]> {
  const { rows } = await client.query<
    Omit<PastRuling, 'at' | 'withdrawn' | 'results' | 'changed'> & {
      at: Date
      withdrawnAt: Date | null
      withdrawnBy: string
      withdrawReason: string | null
      results: { number: number; before: number; after: number }[]
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
  return rows.map(({ withdrawnAt, withdrawnBy, withdrawReason, results, at, ...ruling }) => ({
    ...ruling,
    at: at.toISOString(),
    withdrawn: withdrawnAt && {
      ...{ by: withdrawnBy, at: withdrawnAt.toISOString(), reason: withdrawReason },
    },
    changed: results.length,
    results: seesScores ? results : null,
  }))
}
