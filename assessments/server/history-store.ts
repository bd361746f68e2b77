import type pg from 'pg'
import { mapInSlices } from '../../platform/server/shares/slices.ts'
import { findingsOf } from '../attempt-history.ts'
import {
  type AttemptLog,
  choicesMade,
  type Finding,
  groupBy,
  type LoggedEvent,
  type LoggedWindow,
} from '../attempt-log.ts'

type Client = Pick<pg.Pool, 'query'>

/** Attempts read per query. A season has hundreds of thousands of events. */
const ATTEMPTS_PAGE = 200
/** How many of an attempt's newest saves are read. Only a script makes more. */
const SAVES_LIMIT = 1_000

export interface History {
  findings: Finding[]
  /** Null unless whole logs were requested. */
  log: AttemptLog | null
}

interface Attempt {
  id: string
  assessment: string
  exemptKinds: string[]
  /** ids with a space between */
  paper: string
  /** JSON */
  saved: string | null
  endMs: number | null
}

/** Reads what happened in attempts, by id. `isWhole` includes saves and heartbeats, which are most of a log. */
export async function readHistories(
  client: Client,
  attemptIds: readonly string[],
  { isWhole }: { isWhole: boolean },
): Promise<Map<string, History>> {
  const { rows: attempts } = await client.query<Attempt>(
    // Papers and saves come as text and are parsed in slices: the driver would parse millions of values in one go.
    `select a.id, a.assessment, c.exempt_kinds as "exemptKinds",
       coalesce(array_to_string(a.paper, ' '), '') as paper,
       extract(epoch from a.submitted_at - a.started_at)::float8 * 1000 as "endMs",
       (select jsonb_build_object('items', jsonb_agg(w.item_id),
            'lastMs', extract(epoch from max(w.saved_at) - a.started_at)::float8 * 1000)::text
          from attempt_answers w where w.attempt_id = a.id having count(*) > 0) as saved
     from attempts a join candidates c on c.id = a.candidate_id where a.id = any ($1)`,
    [attemptIds],
  )
  const tests = new Map<string, TestFacts>()
  for (const code of new Set(attempts.map(({ assessment }) => assessment))) {
    tests.set(code, await readTest(client, code))
  }
  const histories = new Map<string, History>()
  for (let at = 0; at < attempts.length; at += ATTEMPTS_PAGE) {
    const page = attempts.slice(at, at + ATTEMPTS_PAGE)
    const ids = page.map(({ id }) => id)
    const events = await readEvents(client, ids, isWhole)
    const windows = await readWindows(client, ids)
    await mapInSlices(page, ({ id, assessment, exemptKinds, paper, saved, endMs }) => {
      const kept = { events: events.get(id) ?? [], windows: windows.get(id) ?? [] }
      const log: AttemptLog = {
        ...(tests.get(assessment) as TestFacts),
        ...kept,
        choices: choicesMade(kept),
        exemptKinds,
        numbers: new Map(paper.split(' ').map((item, index) => [Number(item), index + 1])),
        saved: saved === null ? null : JSON.parse(saved),
        endMs,
      }
      histories.set(id, { findings: findingsOf(log), log: isWhole ? log : null })
    })
  }
  return histories
}

type TestFacts = Pick<AttemptLog, 'hasHeartbeats' | 'wordsOf'>

async function readTest(client: Client, code: string): Promise<TestFacts> {
  const { rows } = await client.query<{ hasHeartbeats: boolean; words: [number, number][] }>(
    `select exists (
       select from attempts a join attempt_events e on e.attempt_id = a.id
       where a.assessment = $1 and e.kind = 'heartbeat'
     ) as "hasHeartbeats",
     (select coalesce(json_agg(json_build_array(id,
          (select count(*) from regexp_matches(question, '\\S+', 'g')))), '[]')
      from assessment_items where assessment = $1) as words`,
    [code],
  )
  const { hasHeartbeats = false, words = [] } = rows[0] ?? {}
  return { hasHeartbeats, wordsOf: new Map(words) }
}

/** Events stored for attempts, including credential entries before the start. */
async function readEvents(client: Client, attemptIds: readonly string[], isWhole: boolean) {
  const { rows } = await client.query<LoggedEvent & { attemptId: string }>(
    // The oldest save is looked up once for each attempt, not again for each of its events.
    `with own as materialized (
       select a.id, a.candidate_id, a.started_at, (
         select s.id from attempt_events s where $2 and s.attempt_id = a.id and s.kind = 'saved'
         order by s.id desc offset ${SAVES_LIMIT - 1} limit 1) as oldest
       from attempts a where a.id = any ($1)
     )
     select a.id as "attemptId", e.id::float8 as id, e.kind, e.window_id as "windowId", e.number, e.detail,
       coalesce(e.at_ms, 0)::float8 as "atMs", e.is_violation as "isViolation",
       extract(epoch from e.received_at - a.started_at)::float8 * 1000 as "heardMs",
       e.voided_at is not null as "isVoided", e.void_reason as "voidReason", e.user_id as account,
       e.address, e.agent
     from own a join attempt_events e on e.candidate_id = a.candidate_id
     where (e.attempt_id = a.id or e.kind = 'verified')
       and e.kind <> 'late_answer' and ($2 or e.kind not in ('saved', 'heartbeat'))
       and (e.kind <> 'saved' or a.oldest is null or e.id >= a.oldest)
     order by e.id`,
    [attemptIds, isWhole],
  )
  return groupBy(rows, ({ attemptId }) => attemptId)
}

async function readWindows(client: Client, attemptIds: readonly string[]) {
  const { rows } = await client.query<LoggedWindow & { attemptId: string }>(
    `select w.attempt_id as "attemptId", w.window_id as id, w.last_event as "lastEvent", own.*
     from attempt_windows w join attempts a on a.id = w.attempt_id
     cross join lateral (
       select extract(epoch from w.opened_at - a.started_at)::float8 * 1000 as "openedMs",
         coalesce(bool_or(kind = 'ready'), false) as "isReady",
         coalesce(json_agg(json_build_array(number, at_ms, heard_ms) order by number)
           filter (where number is not null), '[]') as told,
         coalesce(json_agg(heard_ms order by heard_ms) filter (where kind = 'saved'), '[]') as "savedMs"
       from (
         select e.kind, e.number, e.at_ms,
           round(extract(epoch from e.received_at - a.started_at) * 1000) as heard_ms
         from attempt_events e
         where e.attempt_id = w.attempt_id and e.window_id = w.window_id
           and (e.number is not null or e.kind = 'saved')
       ) e
     ) own
     where w.attempt_id = any ($1) order by w.opened_at, w.window_id`,
    [attemptIds],
  )
  return groupBy(rows, ({ attemptId }) => attemptId)
}
