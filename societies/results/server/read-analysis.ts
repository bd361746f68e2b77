import sql, { raw } from 'sql-template-tag'
import { WAS_ENDED } from '../../../assessments/server/time-store.ts'
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
import { FIGURES_FROM, SHARES_FROM } from '../../kit/statistics/responses.ts'
import {
  guessThresholdMs,
  isRapid,
  LEAST_SOLUTION_PACE,
  missedOf,
  outOfTime,
  solutionPace,
} from '../../kit/statistics/times.ts'
import type { AnalyzedQuestion, getAnalysis } from '../contract-analysis.ts'
import { readSettledTable } from './scores.ts'

type Analysis = Sendable<Omit<ResponseOf<typeof getAnalysis>, 'ruling'>>

/**
 * Calculates the item analysis on every call (product 7.18.1 to 7.18.5). Figures are null if the group is too small.
 * @param asked a form; the first one by default
 */
export async function readAnalysis(
  client: Client,
  code: string,
  asked: Form | undefined,
): Promise<Analysis> {
  const table = await readSettledTable(client, code)
  const decided = await readDecided(client, code)
  const forms = formsOf(table)
  const form = forms.find((one) => one === asked) ?? forms[0] ?? null
  const sat = await satOf(table, form)
  const looked = await readLookedTimes(client, code, sat.items)
  // Attempts without a report have no times.
  const none = sat.items.map(() => null)
  const times = sat.rows.map(({ attemptId }) => looked.get(attemptId) ?? none)
  const reliability = sat.rows.length < FIGURES_FROM ? null : reliabilityOf(sat.scores)
  return {
    people: sat.rows.length,
    openCount: table.openCount,
    underReview: table.underReview,
    forms,
    form,
    questionCount: sat.scores.items.length,
    reliability: reliability && { alpha: reliability.kr20, error: reliability.error },
    ...(await paceOf(sat, times, await readCutShort(client, code))),
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

/** Calculates one question's statistics, as far as the group size allows. A voided question only has choices. */
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
    sql`select i.id,
       (select count(*)::int from standing_rulings r where r.item_id = i.id) as rulings,
       (select count(*)::int from item_rulings r
         where r.item_id = i.id and r.is_proposal and r.withdrawn_at is null) as proposals,
       k.confirmed_by as by, k.confirmed_at as at, k.reason
     from assessment_items i
     left join key_confirmations k on k.item_id = i.id and k.withdrawn_at is null
     where i.assessment = ${code}`,
  )
  return new Map(
    rows.map(({ id, rulings, proposals, by, at, reason }) => [
      id,
      { rulings, proposals, kept: by === null ? null : { by, at, reason } },
    ]),
  )
}

/**
 * Reads each closed attempt's viewing time per question in milliseconds (product 6.6.9, 7.18.14). It adds up the
 * highest report of each window and caps the sum at the attempt's length. Attempts without a report are left out.
 * Browsers report these times, so they are fit for medians but prove nothing about a person.
 * @returns by attempt, in the order of the items; 0 for a question that was never viewed
 */
export async function readLookedTimes(
  client: Client,
  code: string,
  items: readonly { id: number }[],
): Promise<Map<string, number[]>> {
  const { rows } = await client.query<{ attemptId: string; looked: string }>(
    sql`with told as (
       select e.attempt_id, look.item, max(look.ms) as ms
       from attempts a join attempt_events e on e.attempt_id = a.id
       cross join lateral (
         select (pair->>0)::int as item, (pair->>1)::float8 as ms from jsonb_array_elements(e.dwell) pair
       ) look
       where a.assessment = ${code} and not a.is_demo and a.submitted_at is not null
         and e.dwell is not null
       -- A submission has no window id, so it counts for the newest window.
       group by e.attempt_id, look.item, coalesce(e.window_id, (
         select w.window_id from attempt_windows w
         where w.attempt_id = e.attempt_id and w.opened_at <= e.received_at
         order by w.opened_at desc limit 1))
     ), times as (
       select told.attempt_id, told.item,
         least(sum(told.ms), extract(epoch from a.submitted_at - a.started_at)::float8 * 1000) as ms
       from told join attempts a on a.id = told.attempt_id
       group by told.attempt_id, told.item, a.submitted_at, a.started_at
     )
     -- As text, one row an attempt: a row a question would be millions.
     select attempt_id as "attemptId", string_agg(item || ' ' || ms, ',') as looked
     from times group by attempt_id`,
  )
  const placeOf = new Map(items.map(({ id }, place) => [String(id), place]))
  const times = await mapInSlices(rows, ({ attemptId, looked }) => {
    const own: number[] = Array(items.length).fill(0)
    for (const one of looked.split(',')) {
      const [id = '', ms] = one.split(' ')
      const place = placeOf.get(id)
      if (place !== undefined) own[place] = Number(ms)
    }
    return [attemptId, own] as const
  })
  return new Map(times)
}

/** Reads the attempts that strikes or an organizer ended, by id: their candidates didn't run out of time. */
async function readCutShort(client: Client, code: string): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    sql`select t.id from attempts t where t.assessment = ${code} and not t.is_demo
       and (t.submit_reason = 'violations' or t.submit_reason = 'deadline' and ${raw(WAS_ENDED)})`,
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Describes the test's pace.
 * @param times by candidate and question, see statistics/times.ts
 * @param cutShort attempts that don't say whether the time was enough
 */
async function paceOf(
  { items, rows, responses, scores }: Sat,
  times: readonly (readonly (number | null)[])[],
  cutShort: ReadonlySet<string>,
) {
  const thresholds = await mapInSlices(items.keys(), (at) =>
    guessThresholdMs(times.map((row) => row[at] ?? null)),
  )
  const paces = await mapInSlices(times, (row) => solutionPace(row, thresholds))
  const timed = paces.filter((pace) => pace !== null).length
  const isSerious = (_: unknown, at: number) => (paces[at] ?? 1) >= LEAST_SOLUTION_PACE
  const serious = {
    ...scores,
    right: scores.right.filter(isSerious),
    totals: scores.totals.filter(isSerious),
  }
  const notSerious = rows.length - serious.totals.length
  const placeOf = new Map(items.map(({ id }, index) => [String(id), index]))
  const whole = [...rows.entries()].filter(([, { attemptId }]) => !cutShort.has(attemptId))
  const missed = await mapInSlices(whole, ([candidate, { paper }]) =>
    missedOf(
      paper.split(' ').flatMap((id) => {
        const at = placeOf.get(id)
        if (at === undefined) return []
        return {
          isAnswered: (responses.choices[candidate]?.[at] ?? null) !== null,
          isRapid: isRapid(times[candidate]?.[at] ?? null, thresholds[at] ?? null),
        }
      }),
    ),
  )
  return {
    timed,
    pace:
      timed < FIGURES_FROM ? null : { notSerious, without: notSerious > 0 ? kr20(serious) : null },
    outOfTime: whole.length < FIGURES_FROM ? null : outOfTime(missed),
  }
}
