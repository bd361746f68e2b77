import { HELP_OF_CANDIDATE } from '../../../assessments/server/event-store.ts'
import { RARE_KINDS } from '../../../assessments/server/tables.ts'
import type { Client } from '../../kit/server/action.ts'
import { SHORT_DETAIL } from '../../kit/server/action-words.ts'
import type { CandidateOnTheDay } from '../troubles.ts'

/** The candidates to show: those on a test's list, or the simulated ones of its copy. */
export interface Whose {
  code: string
  /** the society whose quota counts */
  societyId: string
  demo: boolean
}

export interface Action {
  id: number
  atMs: number
  actor: string
  userId: string | null
  action: string
  detail: Record<string, unknown>
}

/** This many actions are read, and each viewer sees some of them. */
const ACTIONS = 40

/** Candidates per row of the query's result. Parsing all together would block the event loop. */
const AT_ONCE = 50

/**
 * Maximum rare events per candidate. Only pages send 'ready' without a limit. Those come last, so a script can't use
 * them to hide a second account.
 */
const RARE_EVENTS = 1_000

/** Fields of a candidate that come from the rare events. */
type Made = 'verifiedMs' | 'reopenedMs' | 'savedMs' | 'heardMs' | 'window' | 'hasBeat'

export interface Row extends Omit<CandidateOnTheDay, Made | 'answered' | 'accounts' | 'addresses'> {
  extraSeconds: number
  startsFromMs: number | null
  startsUntilMs: number | null
  /** extra time given during the test */
  incidentSeconds: number
  /** the member who marked an alert as seen, by the alert's mark */
  seen: Readonly<Record<string, string>>
  answers: [count: number, savedMs: number | null]
  /** from the newest window of a running test */
  told: [hasBeat: boolean, atMs: number] | null
  /** null: no test was started */
  windowId: string | null
  /** unordered */
  rare: [kind: string, atMs: number, windowId: string | null, user: string, address: string][]
}

const ms = (instant: string) => `round(date_part('epoch', ${instant}) * 1000)`

// Each part searches one index and reads a few rows, no matter how long the test has been running.
const ROOM = `
  with people as (
    select c.id, c.username, c.name, c.room, c.extra_seconds as "extraSeconds",
      ${ms('c.starts_from')} as "startsFromMs", ${ms('c.starts_until')} as "startsUntilMs",
      ${ms('t.started_at')} as "startedMs", ${ms('t.deadline_at')} as "deadlineMs",
      ${ms('t.submitted_at')} as "submittedMs", t.submit_reason as "submitReason",
      coalesce(t.incident_seconds, 0) as "incidentSeconds",
      coalesce(cardinality(t.paper), 0) as total, t.window_id as "windowId",
      (select json_build_array(count(*), ${ms('max(s.saved_at)')})
        from attempt_answers s where s.attempt_id = t.id) as answers,
      (select json_build_array(e.kind = 'heartbeat' or coalesce((
            select true from attempt_events b where b.attempt_id = t.id and b.kind = 'heartbeat' limit 1
          ), false), ${ms('e.received_at')})
        from attempt_events e
        where t.submitted_at is null and e.attempt_id = t.id and e.window_id = t.window_id
          and e.number is not null
        order by e.number desc limit 1) as told,
      coalesce((select json_agg(json_build_array(e.kind, ${ms('e.received_at')}, e.window_id,
          coalesce(e.user_id::text, ''), coalesce(e.address, '')))
        from (select * from attempt_events e where e.candidate_id = c.id and e.kind in ${RARE_KINDS}
          order by e.kind = 'ready', e.id desc limit ${RARE_EVENTS}) e), '[]') as rare,
      coalesce((select json_agg(json_build_object('kind', e.kind,
          'atMs', ${ms('t.started_at')} + e.at_ms,
          'isCounted', e.voided_at is null and not (e.kind = any (c.exempt_kinds)),
          'back', (select json_build_object('kind', b.kind, 'atMs', ${ms('t.started_at')} + b.at_ms,
              'awayMs', b.detail->'awayMs') from attempt_events b
            where b.attempt_id = t.id and b.id > e.id and b.kind in ('page_visible', 'ready', 'submitted')
            order by b.id limit 1)) order by e.id)
        from attempt_events e where e.attempt_id = t.id and e.is_violation), '[]') as strikes,
      ${HELP_OF_CANDIDATE} as help,
      coalesce((select json_object_agg(s.mark, s.seen_by)
        from seen_marks s where s.candidate_id = c.id), '{}') as seen
    from candidates c
    left join lateral (select * from attempts t where t.candidate_id = c.id limit 1) t on true
    where c.assessment = $1 and c.is_demo = $2 and (c.revoked_at is null or t.id is not null)
  ), actions as (
    select l.id, ${ms('l.at')} as "atMs", l.actor, l.user_id as "userId", l.action, ${SHORT_DETAIL} as detail
    from admin_actions l join assessments t on t.code = l.assessment and t.society_id = l.society_id
    where l.assessment = $1 order by l.id desc limit ${ACTIONS}
  )
  select json_agg(people) as people, null::json as actions
  from (select people, row_number() over () / ${AT_ONCE} as part from people) numbered group by part
  union all select null, json_agg(actions) from actions`

/**
 * Reads a snapshot of a test in one statement.
 * @returns candidates by id, without those revoked before they started; actions newest first
 */
export async function readRoom(
  client: Client,
  { code, demo }: Whose,
): Promise<{ rows: Row[]; actions: Action[] }> {
  // Otherwise PostgreSQL builds a bitmap of each candidate's answers, which takes 25% longer.
  await client.query('set local enable_bitmapscan = off')
  // The query is planned each time, because a plan from before the first start would read everything.
  type Part = { people: Row[] | null; actions: Action[] | null }
  const { rows: parts } = await client.query<Part>(ROOM, [code, demo])
  return {
    rows: parts.flatMap(({ people }) => people ?? []).sort((a, b) => (a.id < b.id ? -1 : 1)),
    actions: parts.flatMap(({ actions }) => actions ?? []).sort((a, b) => b.id - a.id),
  }
}

/** A candidate during the test, with fields that only Live needs. */
export type Person = ReturnType<typeof personOf>

/**
 * Reads the rare events in one loop, because this is most of a snapshot's CPU time. It copies the whole row, since
 * leaving out fields costs V8 as much as the loop.
 */
export function personOf(row: Row) {
  const { answers, told, rare, windowId } = row
  const [answered, savedMs] = answers
  const [hasBeat, toldMs] = told ?? [false, null]
  let verifiedMs: number | null = null
  let reopenedMs: number | null = null
  let openedMs = row.startedMs
  let isReady = false
  let lateCount = 0
  const accounts: CandidateOnTheDay['accounts'] = []
  const addresses: string[] = []
  for (const [kind, atMs, window, user, address] of rare) {
    // A sign-in after the end only serves to read the result.
    if (kind === 'verified' && row.submittedMs !== null && atMs > row.submittedMs) continue
    if (kind === 'ready') isReady ||= window === windowId
    else if (kind === 'reopened') reopenedMs = Math.max(reopenedMs ?? 0, atMs)
    else if (kind === 'late_answer') lateCount += 1
    else if (kind === 'late_accepted') lateCount -= 1
    else {
      if (kind === 'verified') verifiedMs = Math.min(verifiedMs ?? atMs, atMs)
      else if (window === windowId) openedMs = Math.max(openedMs ?? 0, atMs)
      const known = accounts.find((account) => account.user === user)
      if (known) known.firstMs = Math.min(known.firstMs, atMs)
      // A deleted account is unknown, so it doesn't count as another one.
      else if (user !== '') accounts.push({ user, firstMs: atMs })
      if (address !== '' && !addresses.includes(address)) addresses.push(address)
    }
  }
  accounts.sort((a, b) => a.firstMs - b.firstMs)
  return {
    ...row,
    verifiedMs,
    reopenedMs,
    answered,
    savedMs,
    heardMs: openedMs === null ? null : Math.max(openedMs, savedMs ?? 0, toldMs ?? 0),
    window: {
      openedMs,
      // Only the newest window can save.
      savedMs: savedMs !== null && openedMs !== null && savedMs >= openedMs ? savedMs : null,
      toldMs,
      isReady,
    },
    hasBeat,
    accounts,
    addresses,
    /** undecided late answers */
    lateCount: Math.max(0, lateCount),
  }
}
