import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import type { Sendable } from '../../../../platform/server/api.ts'
import { writeCsv } from '../../../../platform/server/csv/csv.ts'
import { readAnswerTable } from '../../../incidents/server/answer-table.ts'
import {
  type Form,
  formsOf,
  letterOf,
  type Sat,
  satOf,
  shownItem,
} from '../../../incidents/server/sat.ts'
import type { Client } from '../../../kit/server/action.ts'
import { analyse, type ItemAnalysis } from '../../../kit/statistics/analysis.ts'
import { median } from '../../../kit/statistics/moments.ts'
import { shownFlags } from '../../../kit/statistics/option-table.ts'
import { FIGURES_FROM, SHARES_FROM } from '../../../kit/statistics/sample-size.ts'
import { noticeWords } from '../../../kit/statistics/words.ts'
import type { AnalysedQuestion, getAnalysis } from '../../contract-analysis.ts'
import { paceOf, readLookedTimes, readPapers, timesOf } from './times.ts'

type Analysis = Sendable<Omit<ResponseOf<typeof getAnalysis>, 'ruling'>>

/**
 * What the test is worth and how each question did, calculated at every call (product 7.18.1 to 7.18.5). Where the
 * group is too small for a figure, it is null.
 * @param asked a form; null is the first one
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
    people,
    openCount: table.openCount,
    forms,
    form,
    questionCount: sat.scores.items.length,
    reliability: reliability ? { alpha: reliability.kr20, error: reliability.error } : null,
    ...paceOf(sat, times, papers),
    questions: sat.items.map((item, index) => {
      const found = byItem.get(index)
      return {
        ...shownItem(item),
        topic: item.topic,
        ...(decided.get(item.id) as Decided),
        ...(found ? figuresOf(found, people) : countsOf(sat, index)),
        ...timeOf(times.map((row) => row[index] ?? null)),
      }
    }),
  }
}

type Figures = Pick<
  AnalysedQuestion,
  'right' | 'of' | 'interval' | 'discrimination' | 'rows' | 'topCount' | 'flags'
>

/** The figures of one question, as far as the group is large enough. */
function figuresOf(found: ItemAnalysis, people: number): Figures {
  const { discrimination: r, discriminationInterval: between, options, difficulty } = found
  const isSaid = people >= FIGURES_FROM
  return {
    right: difficulty.right,
    of: difficulty.of,
    interval: people < SHARES_FROM ? null : difficulty.interval,
    discrimination: !isSaid || r === null || between === null ? null : { r, ...between },
    rows: options.rows.map((row) => ({
      option: row.option === null ? null : letterOf(row.option),
      isKey: row.isKey,
      count: row.count,
      restMean: isSaid ? row.restMean : null,
      r: isSaid ? row.r : null,
      top: isSaid ? row.top : null,
    })),
    topCount: isSaid ? options.topCount : null,
    flags: shownFlags(found.flags, people),
  }
}

/** A question that is left out: only who chose what. */
function countsOf({ items, rows, responses }: Sat, index: number): Figures {
  return {
    right: 0,
    of: rows.length,
    interval: null,
    discrimination: null,
    rows: [...OPTION_LETTERS, null].map((option, at) => ({
      option,
      isKey: option !== null && (items[index]?.keys.includes(option) ?? false),
      count: responses.choices.filter(
        (choices) => (choices[index] ?? null) === (option === null ? null : at),
      ).length,
      restMean: null,
      r: null,
      top: null,
    })),
    topCount: null,
    flags: [],
  }
}

/** The median time of those who came to the question. */
function timeOf(times: readonly (number | null)[]) {
  const known = times.filter((time): time is number => time !== null && time > 0)
  return { medianMs: known.length === 0 ? null : Math.round(median(known)), timed: known.length }
}

/** What was decided about a question. */
type Decided = Sendable<Pick<AnalysedQuestion, 'rulings' | 'proposals' | 'kept'>>

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

const COLUMNS =
  'item question counts key right of right_low right_high discrimination discrimination_low discrimination_high a b c d none median_seconds notice'

/** The page's figures as CSV, one line per question; empty where the group is too small (product 7.18.13). */
export function writeAnalysisTable(questions: Analysis['questions']): string {
  const round = (value: number | undefined) =>
    value === undefined ? null : Math.round(value * 1e4) / 1e4
  return writeCsv(
    COLUMNS.split(' '),
    questions.map((one) => [
      one.item,
      one.question,
      !one.isVoid,
      one.isFullMarks ? 'all' : one.keys.join('/'),
      one.right,
      one.of,
      round(one.interval?.low),
      round(one.interval?.high),
      round(one.discrimination?.r),
      round(one.discrimination?.low),
      round(one.discrimination?.high),
      ...one.rows.map(({ count }) => count),
      one.medianMs === null ? null : Math.round(one.medianMs / 100) / 10,
      noticeWords(one.flags),
    ]),
  )
}
