import type { ResponseOf } from '../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import type { AnalysedQuestion, getAnalysis } from '../../contract/analysis.ts'
import { analyse, type ItemAnalysis } from '../../statistics/analysis.ts'
import { median } from '../../statistics/moments.ts'
import { shownFlags } from '../../statistics/option-table.ts'
import { FIGURES_FROM, SHARES_FROM } from '../../statistics/sample-size.ts'
import type { Client } from '../action.ts'
import { readAnswerTable, type TableItem } from '../results/answer-table.ts'
import { readLookedTimes, readPapers } from './looked-times.ts'
import { paceOf, timesOf } from './pace.ts'
import { type Form, formsOf, letterOf, type Sat, satOf } from './sat.ts'

type Analysis = Omit<ResponseOf<typeof getAnalysis>, 'ruling'>

/** What was decided about a question. */
interface Decided {
  rulings: number
  proposals: number
  kept: { by: string; at: Date; reason: string } | null
}

/**
 * What the test is worth and how each question did, computed anew at every call (product 7.18.1 to 7.18.5).
 * What the group is too small for is null.
 * @param asked a form; null is the first of those that there are
 */
export async function readAnalysis(
  client: Client,
  code: string,
  asked: Form | null,
): Promise<Analysis> {
  const table = await readAnswerTable(client, code)
  const looked = await readLookedTimes(client, code)
  const papers = await readPapers(client, code)
  const decided = await readDecided(client, code)
  const forms = formsOf(table)
  const form = forms.find((one) => one === asked) ?? forms[0] ?? null
  const sat = satOf(table, form)
  const people = sat.rows.length
  const analysis = analyse(sat.responses)
  const times = timesOf(sat, looked)
  const byItem = new Map(analysis?.items.map((item) => [item.item, item]))
  const reliability = people < FIGURES_FROM ? null : analysis?.reliability
  return {
    ...{ people, openCount: table.openCount, forms, form },
    questionCount: sat.scores.items.length,
    reliability: reliability ? { alpha: reliability.kr20, error: reliability.error } : null,
    ...paceOf(sat, times, papers),
    questions: sat.items.map((item, index) => ({
      ...shownQuestion(item, decided.get(item.id)),
      ...figuresOf(sat, index, byItem.get(index)),
      ...timeOf(times.map((row) => row[index] ?? null)),
    })),
  }
}

function shownQuestion(item: TableItem, decided: Decided | undefined) {
  const { position, topic, question, options, key, keys, isVoid, isFullMarks } = item
  const kept = decided?.kept ?? null
  return {
    ...{ item: position, topic, question, options, key, keys, isVoid, isFullMarks },
    ...{ rulings: decided?.rulings ?? 0, proposals: decided?.proposals ?? 0 },
    kept: kept && { ...kept, at: kept.at.toISOString() },
  }
}

type Figures = Pick<
  AnalysedQuestion,
  'right' | 'of' | 'interval' | 'discrimination' | 'rows' | 'topCount' | 'flags'
>

/** The figures of one question, as far as the group is large enough; of one that is left out the counts alone. */
function figuresOf(sat: Sat, index: number, found: ItemAnalysis | undefined): Figures {
  const people = sat.rows.length
  if (!found) {
    const count = (option: number | null) =>
      sat.responses.choices.filter((choices) => (choices[index] ?? null) === option).length
    const empty = { restMean: null, r: null, top: null }
    return {
      ...{ right: 0, of: people, interval: null, discrimination: null },
      ...{ topCount: null, flags: [] },
      rows: [
        ...OPTION_LETTERS.map((option, at) => ({
          ...{ option, count: count(at), ...empty },
          isKey: sat.items[index]?.keys.includes(option) ?? false,
        })),
        { option: null, isKey: false, count: count(null), ...empty },
      ],
    }
  }
  const { discrimination: r, discriminationInterval: between, options, difficulty } = found
  const isSaid = people >= FIGURES_FROM
  return {
    ...{ right: difficulty.right, of: difficulty.of },
    interval: people < SHARES_FROM ? null : difficulty.interval,
    discrimination: !isSaid || r === null || between === null ? null : { r, ...between },
    rows: options.rows.map(({ option, isKey, count, restMean, r: optionR, top }) => ({
      ...{ option: option === null ? null : letterOf(option), isKey, count },
      restMean: isSaid ? restMean : null,
      r: isSaid ? optionR : null,
      top: isSaid ? top : null,
    })),
    topCount: isSaid ? options.topCount : null,
    flags: shownFlags(found.flags, people),
  }
}

/** How long half of those who came to the question looked at it at most. */
function timeOf(times: readonly (number | null)[]) {
  const known = times.filter((time): time is number => time !== null && time > 0)
  return { medianMs: known.length === 0 ? null : Math.round(median(known)), timed: known.length }
}

async function readDecided(client: Client, code: string): Promise<Map<number, Decided>> {
  const { rows } = await client.query<{
    id: number
    rulings: number
    proposals: number
    by: string | null
    at: Date
    reason: string
  }>(
    `select i.id,
       (select count(*)::int from standing_rulings r where r.item_id = i.id) as rulings,
       (select count(*)::int from item_rulings r
         where r.item_id = i.id and r.is_proposal and r.withdrawn_at is null) as proposals,
       k.confirmed_by as by, k.confirmed_at as at, k.reason
     from assessment_items i
     left join key_confirmations k on k.item_id = i.id and k.withdrawn_at is null
     where i.assessment = $1`,
    [code],
  )
  return new Map(
    rows.map(({ id, rulings, proposals, by, at, reason }) => [
      id,
      { rulings, proposals, kept: by === null ? null : { by, at, reason } },
    ]),
  )
}
