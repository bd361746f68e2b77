import type { ResponseOf } from '../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import {
  type Form,
  formsOf,
  letterOf,
  type Sat,
  satOf,
  shownItem,
} from '../../incidents/server/sat.ts'
import type { Client } from '../../kit/server/action.ts'
import {
  analyzeItem,
  correlationInterval,
  itemFlags,
  wilsonInterval,
} from '../../kit/statistics/items.ts'
import { median } from '../../kit/statistics/moments.ts'
import { kr20, reliabilityOf } from '../../kit/statistics/reliability.ts'
import { FIGURES_FROM, SHARES_FROM, score } from '../../kit/statistics/responses.ts'
import {
  guessThresholdMs,
  isRapid,
  LEAST_SOLUTION_PACE,
  outOfTime,
  solutionPace,
} from '../../kit/statistics/times.ts'
import type { AnalyzedQuestion, getAnalysis } from '../contract-analysis.ts'
import { readSettledTable } from './scores.ts'

type Analysis = Sendable<Omit<ResponseOf<typeof getAnalysis>, 'ruling'>>

/**
 * What the test is worth and how each question did, calculated at every call (product 7.18.1 to 7.18.5). Where the
 * group is too small for a figure, it is null.
 * @param asked a form; left out: the first one
 */
export async function readAnalysis(
  client: Client,
  code: string,
  asked: Form | undefined,
): Promise<Analysis> {
  const table = await readSettledTable(client, code)
  const looked = await readLookedTimes(client, code)
  const papers = await readPapers(client, code)
  const decided = await readDecided(client, code)
  const forms = formsOf(table)
  const form = forms.find((one) => one === asked) ?? forms[0] ?? null
  const sat = satOf(table, form)
  // An attempt without any report has no times at all.
  const times = sat.rows.map(({ attemptId }) => {
    const own = looked.get(attemptId)
    return sat.items.map(({ id }) => (own ? (own.get(id) ?? 0) : null))
  })
  const reliability = sat.rows.length < FIGURES_FROM ? null : reliabilityOf(sat.scores)
  return {
    people: sat.rows.length,
    openCount: table.openCount,
    underReview: table.underReview,
    forms,
    form,
    questionCount: sat.scores.items.length,
    reliability: reliability && { alpha: reliability.kr20, error: reliability.error },
    ...paceOf(sat, times, papers),
    questions: await mapInSlices(sat.items.entries(), ([index, item]) => {
      const known = times.flatMap((row) => row[index] || [])
      return {
        ...shownItem(item),
        topic: item.topic,
        ...(decided.get(item.id) as Decided),
        ...figuresOf(sat, index),
        medianMs: known.length === 0 ? null : Math.round(median(known)),
        timed: known.length,
      }
    }),
  }
}

type Figures = Pick<
  AnalyzedQuestion,
  'right' | 'of' | 'interval' | 'discrimination' | 'rows' | 'topCount' | 'flags'
>

/** The figures of one question, as far as the group is large enough; of one that is left out, who chose what. */
function figuresOf({ items, responses, scores }: Sat, index: number): Figures {
  const people = scores.totals.length
  const column = scores.items.indexOf(index)
  if (people === 0 || column === -1) {
    const rows = [...OPTION_LETTERS, null].map((option, at) => ({
      option,
      isKey: option !== null && (items[index]?.keys.includes(option) ?? false),
      count: responses.choices.filter(
        (choices) => (choices[index] ?? null) === (option === null ? null : at),
      ).length,
      ...{ restMean: null, r: null, top: null },
    }))
    const none = { interval: null, discrimination: null, topCount: null, flags: [] }
    return { right: 0, of: people, rows, ...none }
  }
  const found = analyzeItem(responses, scores, column)
  const { right, r, topCount } = found
  const isSaid = people >= FIGURES_FROM
  const between = r === null ? null : correlationInterval(r, people)
  return {
    right,
    of: people,
    interval: people < SHARES_FROM ? null : wilsonInterval(right, people),
    discrimination: isSaid && r !== null && between ? { r, ...between } : null,
    rows: found.rows.map(({ option, isKey, count, ...more }) => ({
      ...{ option: option === null ? null : letterOf(option), isKey, count },
      ...(isSaid ? more : { restMean: null, r: null, top: null }),
    })),
    topCount: isSaid ? topCount : null,
    flags: itemFlags(found),
  }
}

type Decided = Sendable<Pick<AnalyzedQuestion, 'rulings' | 'proposals' | 'kept'>>

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

/**
 * How many milliseconds each closed attempt looked at each question (product 6.6.9, 7.18.14), by attempt and item: the
 * most that a window reported, added over its windows, and never more than the attempt lasted. An attempt without any
 * report is left out. Pages report it themselves: it is good for a median, and proves nothing about a person.
 */
export async function readLookedTimes(client: Client, code: string) {
  const { rows } = await client.query<{ attemptId: string; item: number; ms: number }>(
    `with told as (
       select e.attempt_id, look.item, max(look.ms) as ms
       from attempts a join attempt_events e on e.attempt_id = a.id
       cross join lateral (
         select (pair->>0)::int as item, (pair->>1)::float8 as ms from jsonb_array_elements(e.dwell) pair
       ) look
       where a.assessment = $1 and not a.is_demo and a.submitted_at is not null
         and e.dwell is not null
       -- A submit names no window: it came from the newest one.
       group by e.attempt_id, look.item, coalesce(e.window_id, (
         select w.window_id from attempt_windows w
         where w.attempt_id = e.attempt_id and w.opened_at <= e.received_at
         order by w.opened_at desc limit 1))
     )
     select told.attempt_id as "attemptId", told.item,
       least(sum(told.ms), extract(epoch from a.submitted_at - a.started_at)::float8 * 1000) as ms
     from told join attempts a on a.id = told.attempt_id
     group by told.attempt_id, told.item, a.submitted_at, a.started_at`,
    [code],
  )
  const times = new Map<string, Map<number, number>>()
  for (const { attemptId, item, ms } of rows) {
    times.set(attemptId, (times.get(attemptId) ?? new Map<number, number>()).set(item, ms))
  }
  return times
}

/** By closed attempt: the ids of its questions, in the order of its own paper. */
async function readPapers(client: Client, code: string): Promise<Map<string, number[]>> {
  const { rows } = await client.query<{ id: string; paper: number[] }>(
    `select id, paper from attempts
     where assessment = $1 and not is_demo and submitted_at is not null`,
    [code],
  )
  return new Map(rows.map(({ id, paper }) => [id, paper]))
}

/** What the times say about the test. @param times by candidate and question, see statistics/times.ts */
function paceOf(
  { items, rows, responses }: Sat,
  times: readonly (readonly (number | null)[])[],
  papers: ReadonlyMap<string, readonly number[]>,
) {
  const thresholds = items.map((_, at) => guessThresholdMs(times.map((row) => row[at] ?? null)))
  const paces = times.map((row) => solutionPace(row, thresholds))
  const timed = paces.filter((pace) => pace !== null).length
  const serious = responses.choices.filter((_, at) => (paces[at] ?? 1) >= LEAST_SOLUTION_PACE)
  const notSerious = rows.length - serious.length
  const placeOf = new Map(items.map(({ id }, index) => [id, index]))
  const ends = outOfTime(
    rows.map(({ attemptId }, candidate) =>
      (papers.get(attemptId) ?? []).flatMap((id) => {
        const at = placeOf.get(id)
        if (at === undefined) return []
        return {
          isAnswered: (responses.choices[candidate]?.[at] ?? null) !== null,
          isRapid: isRapid(times[candidate]?.[at] ?? null, thresholds[at] ?? null),
        }
      }),
    ),
  )
  const without = notSerious > 0 ? kr20(score({ ...responses, choices: serious })) : null
  return {
    timed,
    pace: timed < FIGURES_FROM ? null : { notSerious, without },
    outOfTime: rows.length < FIGURES_FROM ? null : ends,
  }
}
