import { createHash } from 'node:crypto'
import type pg from 'pg'
import { fieldLists } from '../../platform/database/database.ts'
import type { OptionLetter } from '../../platform/options.ts'
import { LATE_MS } from '../deadline.ts'
import type { Seat } from './candidate-store.ts'
import { graceEnd } from './pulse.ts'
import {
  ATTEMPTS_OF_CALLS,
  CALLS,
  CALLS_COLUMNS,
  type Dwell,
  forEachSeat,
  IS_RUNNING,
  IS_TAKEN,
  looksColumns,
  looksOfCalls,
  REPORTED,
} from './seat-calls.ts'

type Client = Pick<pg.Pool, 'query'>

/** Maximum late answers kept per attempt, so that a closed test can't fill the table (product 6.7.10). */
const LATE_ANSWERS_LIMIT = 200

export interface Choice {
  questionId: number
  choice: OptionLetter
  /** Grows with each choice on a question. */
  revision: number
  /** When it was chosen, in milliseconds since its window opened, by the page's clock. */
  at?: number | undefined
}

export interface SaveCall extends Seat {
  /** Each question once. */
  choices: readonly Choice[]
  lastEvent: number
  dwell: readonly Dwell[]
}

export type Saved = { questionId: number; revision: number }[]

// The higher revision wins, whichever arrives last (product 6.6.2).
const STORE_NEWEST = `
  insert into attempt_answers as stored (attempt_id, item_id, choice, revision, saved_at)
  select id, item_id, choice, revision, saved_at from newest
  on conflict (attempt_id, item_id) do update set
    choice = case when excluded.revision > stored.revision then excluded.choice else stored.choice end,
    saved_at = case when excluded.revision > stored.revision then excluded.saved_at else stored.saved_at end,
    revision = greatest(excluded.revision, stored.revision)
  returning attempt_id, item_id, revision, saved_at`

/** Saves choices of attempts in `open`. `first` is the number of the first of eight parameters. $1 is now. */
function saveStatement(open: string, first: number): string {
  return `
  with sent as (
    select * from unnest($${first}::int[], $${first + 1}::int[], $${first + 2}::text[], $${first + 3}::int[],
      $${first + 4}::bigint[]) as sent(n, item_id, choice, revision, at)
  ), open as (${open}
  ), newest as (
    select distinct on (open.id, item_id) open.id, item_id, choice, revision, $1::timestamptz as saved_at
    from open join sent using (n) order by open.id, item_id, revision desc
  ), saved as (${STORE_NEWEST}
  ), ${REPORTED}, ${looksOfCalls(first + 5)}, event as (
    insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, detail, dwell, user_id, received_at)
    select open.candidate_id, open.id, 'saved', open.window_id,
      extract(epoch from $1::timestamptz - open.started_at) * 1000, choices.detail, looks.dwell, open.user_id, $1
    from open join (
      -- Repeated choices are not stored as events, so a script that repeats a save can't fill the record.
      select open.n, jsonb_agg(jsonb_build_array(sent.item_id, choice, sent.revision, at)) as detail
      from open join sent using (n)
        join saved on saved.attempt_id = open.id and saved.item_id = sent.item_id and saved.saved_at = $1
      group by open.n
    ) choices using (n) left join looks using (n)
  )
  select open.n, saved.item_id as "questionId", saved.revision
  from open left join sent using (n)
    left join saved on saved.attempt_id = open.id and saved.item_id = sent.item_id`
}

// In the grace period a batch takes a call only if all its choices were made before the deadline, by the page's clock
// (product 6.7.9). Calls with late choices are handled separately.
const IS_IN_TIME = `(${IS_RUNNING} or not exists (
        select from sent join attempt_windows w on w.attempt_id = t.id and w.window_id = t.window_id
        where sent.n = calls.n and w.opened_at + sent.at * interval '1 ms' >= t.deadline_at))`

const SAVE = saveStatement(
  `
    select calls.n, calls.window_id, calls.user_id, calls.last_event, t.id, t.candidate_id,
      t.started_at, t.paper
    from ${CALLS}, $7::int[]) as calls(${CALLS_COLUMNS}, last_event)
    ${ATTEMPTS_OF_CALLS}
    where ${IS_TAKEN} and ${IS_IN_TIME}
      and not exists (select from sent where sent.n = calls.n and sent.item_id <> all (t.paper))`,
  8,
)

// For one attempt locked by the transaction. Searching by id only means that a cached plan can't be bad. Searching as a
// batch does would need a new plan each time, which took three times as long as the rest.
const SAVE_HELD = saveStatement(
  `
    select 0 as n, t.window_id, $4::uuid as user_id, $5::int as last_event, t.id, t.candidate_id,
      t.started_at, t.paper
    from attempts t where t.id = $2 and t.window_id = $3 and t.submitted_at is null`,
  6,
)

interface SavedRow {
  n: number
  questionId: number | null
  revision: number | null
}

/** Saves running attempts' choices, each save as one event (product 6.6.2, 6.6.6). Null for a skipped call. */
export async function saveChoices(
  client: Client,
  calls: readonly SaveCall[],
  now: Date,
): Promise<(Saved | null)[]> {
  const sent = calls.flatMap(({ choices }, n) => choices.map((choice) => ({ n, ...choice })))
  const rows = await forEachSeat<SavedRow>(client, 'save-round', SAVE, now, calls, [
    calls.map(({ lastEvent }) => lastEvent),
    ...columnsOf(sent),
    ...looksColumns(calls),
  ])
  return rows.map((own) => (own.length === 0 ? null : savedOf(own)))
}

/** Does the same for one open, locked attempt of that window, also in the grace period. */
export async function saveHeldChoices(
  client: Client,
  attempt: { id: string },
  { windowId, userId, lastEvent, choices, dwell }: SaveCall,
  now: Date,
): Promise<Saved> {
  const sent = choices.map((choice) => ({ n: 0, ...choice }))
  const { rows } = await client.query<SavedRow>({
    name: 'save-held',
    text: SAVE_HELD,
    values: [
      ...[now, attempt.id, windowId, userId, lastEvent],
      ...[...columnsOf(sent), ...looksColumns([{ dwell }])],
    ],
  })
  return savedOf(rows)
}

const columnsOf = (sent: readonly (SaveCall['choices'][number] & { n: number })[]) => [
  sent.map(({ n }) => n),
  sent.map(({ questionId }) => questionId),
  sent.map(({ choice }) => choice),
  sent.map(({ revision }) => revision),
  sent.map(({ at }) => (at === undefined ? null : Math.round(at))),
]

/** A save without choices returns one row without a question. */
const savedOf = (rows: readonly SavedRow[]): Saved =>
  rows.flatMap(({ questionId, revision }) =>
    questionId === null || revision === null ? [] : [{ questionId, revision }],
  )

/** Counts answers that arrived late (product 7.5.4), each item of an attempt once. The attempts are locked. */
export async function acceptLateAnswers(
  client: Client,
  late: readonly {
    attemptId: string
    itemId: number
    choice: string
    revision: number
    receivedAt: Date
  }[],
): Promise<void> {
  await client.query(
    `with newest as (
       select * from unnest($1::uuid[], $2::int[], $3::text[], $4::int[], $5::timestamptz[])
         as late (id, item_id, choice, revision, saved_at)
     )
     ${STORE_NEWEST}`,
    fieldLists(late, 'attemptId', 'itemId', 'choice', 'revision', 'receivedAt'),
  )
}

/** Stores the number of a window's last event, so that missing events show. The attempt is locked. */
export async function noteLastEvent(
  client: Client,
  attempt: { id: string },
  { windowId, lastEvent }: { windowId: string; lastEvent: number },
): Promise<void> {
  await client.query({
    name: 'note-last-event',
    text: `update attempt_windows set last_event = $3
      where attempt_id = $1 and window_id = $2 and last_event < $3`,
    values: [attempt.id, windowId, lastEvent],
  })
}

/** Stores late answers as events for organizers (product 6.7.10), until one hour after the grace period. */
export async function keepLateAnswers(
  client: Client,
  attempt: { id: string; candidateId: string },
  { windowId, userId }: Seat,
  /** `atMs`: milliseconds since the start, by the page's clock. Null if the page didn't report it. */
  late: readonly (Choice & { atMs: number | null })[],
  now: Date,
): Promise<void> {
  await client.query(
    `insert into attempt_events (candidate_id, attempt_id, kind, window_id, at_ms, detail, user_id, received_at)
     select $10::uuid, $1::uuid, 'late_answer', $2, late.at_ms,
       jsonb_build_object('questionId', late.item_id, 'choice', late.choice, 'revision', late.revision),
       $7, $8
     from unnest($3::int[], $4::text[], $5::int[], $6::bigint[])
       as late (item_id, choice, revision, at_ms)
     where exists (
         select from attempt_windows w join attempts t on t.id = w.attempt_id
         where t.id = $1 and w.window_id = $2 and w.opened_at < t.deadline_at
           and $8 < ${graceEnd('t.deadline_at')} + ${LATE_MS} * interval '1 ms')
       and not exists (
         select from attempt_events e where e.attempt_id = $1 and e.kind = 'late_answer'
           and e.detail = jsonb_build_object('questionId', late.item_id, 'choice', late.choice, 'revision', late.revision))
     limit (select greatest(0, $9 - count(*)) from attempt_events e
       where e.attempt_id = $1 and e.kind = 'late_answer')`,
    [
      attempt.id,
      windowId,
      ...fieldLists(late, 'questionId', 'choice', 'revision'),
      late.map(({ atMs }) => (atMs === null ? null : Math.round(atMs))),
      userId,
      now,
      LATE_ANSWERS_LIMIT,
      attempt.candidateId,
    ],
  )
}

/** The current choices, by item. */
export async function readAnswers(client: Client, attemptId: string): Promise<Choice[]> {
  const { rows } = await client.query<Choice>({
    name: 'answers-of-attempt',
    text: `select item_id as "questionId", choice, revision from attempt_answers
      where attempt_id = $1 order by item_id`,
    values: [attemptId],
  })
  return rows
}

export async function countAnswers(client: Client, attemptId: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>({
    name: 'count-answers',
    text: 'select count(*)::int as count from attempt_answers where attempt_id = $1',
    values: [attemptId],
  })
  return rows[0]?.count ?? 0
}

/** A short code for an attempt's answers, and when and why they became final (product 6.10.9). */
export interface Receipt {
  /** Twelve hexadecimal digits, such as '7F3A 91C2 04BE'. */
  code: string
  at: Date
  why: 'submitted' | 'late_accepted'
}

/** Saves and ends from which receipts are computed. A script can save all day, but a person makes far fewer. */
const RECEIPT_EVENTS = 2_000

/** The receipts of a closed attempt, oldest first. The last one is for the answers stored now. */
export async function readReceipts(client: Client, attemptId: string): Promise<Receipt[]> {
  const { rows: events } = await client.query<{
    kind: string
    detail: unknown
    at: Date
  }>(
    `select e.kind, e.detail, e.received_at as at
     from attempts a cross join lateral (
       select * from attempt_events e where e.attempt_id = a.id
         and e.kind in ('saved', 'submitted', 'late_accepted')
       order by e.id desc limit ${RECEIPT_EVENTS}) e
     where a.id = $1 and a.submitted_at is not null
     -- The last answers have the same time as the submit, so they sort before it.
     order by e.received_at, e.kind <> 'saved', e.id`,
    [attemptId],
  )
  const receipts: Receipt[] = []
  const known = new Map<number, { choice: string; revision: number }>()
  const add = (code: string, at: Date, why: Receipt['why']) => {
    const last = receipts.at(-1)
    if (last?.code === code) return
    // One decision can count several answers, which give one receipt.
    if (last && last.why === why && last.at.getTime() === at.getTime()) receipts.pop()
    receipts.push({ code, at, why })
  }
  for (const { kind, detail, at } of events) {
    if (kind === 'saved') {
      for (const [item, choice, revision] of (detail ?? []) as [number, string, number][]) {
        if (revision > (known.get(item)?.revision ?? 0)) known.set(item, { choice, revision })
      }
      continue
    }
    if (kind === 'late_accepted') {
      const { questionId, choice } = detail as { questionId: number; choice: string }
      known.set(questionId, { choice, revision: known.get(questionId)?.revision ?? 0 })
    }
    const pairs = [...known].map(([item, { choice }]) => [item, choice] as const)
    // An attempt has no receipt before it closes.
    if (kind === 'submitted' || receipts.length > 0) {
      add(shorten(attemptId, pairs), at, kind === 'submitted' ? 'submitted' : 'late_accepted')
    }
  }
  const last = receipts.at(-1)
  if (!last) return []
  const stored = await readAnswers(client, attemptId)
  last.code = shorten(
    attemptId,
    stored.map(({ questionId, choice }) => [questionId, choice] as const),
  )
  return receipts
}

/** Long enough that two sets of answers don't share a code, and short enough to write down. */
const RECEIPT_DIGITS = 12

function shorten(attemptId: string, pairs: readonly (readonly [number, string])[]): string {
  const text = [...pairs]
    .sort(([a], [b]) => a - b)
    .map(([item, choice]) => `${item}:${choice}`)
    .join(',')
  const digits = createHash('sha256').update(`${attemptId} ${text}`).digest('hex')
  return (digits.slice(0, RECEIPT_DIGITS).toUpperCase().match(/.{4}/g) ?? []).join(' ')
}
