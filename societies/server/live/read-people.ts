import { isAbsence } from '../../../assessments/violations.ts'
import type { CandidateOnTheDay } from '../../day/troubles.ts'
import type { Client } from '../action.ts'
import { LATE_LEFT } from '../incidents/late-answers.ts'

/** A candidate as the picture keeps it (picture.ts). */
export interface Person extends CandidateOnTheDay {
  attemptId: string | null
  windowId: string | null
  extraSeconds: number
  /** given on the day */
  incidentSeconds: number
  /** answers that came after the end and that nobody has decided on */
  lateCount: number
  /** newest of the candidate's events that is in here */
  eventId: number
}

/** Candidates read at once: a whole season in one answer would hold the event loop for 30 ms. */
const AT_ONCE = 250
/** Minutes whose saves are told (product 7.14.2). */
export const MINUTES = 30

type Row = Omit<Person, 'window' | 'strikes' | 'accounts' | 'addresses' | 'hasBeat'> & {
  windowFirstSavedMs: number | null
  windowSavedMs: number | null
  windowToldMs: number | null
  isReady: boolean | null
  strikes: (Person['strikes'][number] & { backMs: number | null })[] | null
  /** where the candidate came in, oldest first */
  came: { user: string; address: string | null; atMs: number }[] | null
  hasBeat: boolean | null
  minutes: number[] | null
}

const ms = (instant: string) => `(extract(epoch from ${instant}) * 1000)::float8`

// What a person sent, and what was seen of the newest window, in one walk over the person's events.
const PEOPLE = `
  select c.id, c.username, c.name, c.room, c.extra_seconds as "extraSeconds",
    t.id as "attemptId", t.window_id as "windowId", ${ms('t.started_at')} as "startedMs",
    ${ms('t.deadline_at')} as "deadlineMs", ${ms('t.submitted_at')} as "submittedMs",
    t.submit_reason as "submitReason", coalesce(t.incident_seconds, 0) as "incidentSeconds",
    coalesce(cardinality(t.paper), 0) as total,
    array(select s.item_id from attempt_answers s where s.attempt_id = t.id order by 1) as answered,
    heard.*, strikes.strikes
  from candidates c
  -- By the index, candidate for candidate: a join of the whole would read everybody's attempts.
  left join lateral (select * from attempts t where t.candidate_id = c.id limit 1) t on true
  cross join lateral (
    select coalesce(max(e.id), 0)::float8 as "eventId",
      ${ms(`min(e.received_at) filter (where e.kind = 'verified')`)} as "verifiedMs",
      ${ms(`max(e.received_at) filter (where e.kind = 'reopened')`)} as "reopenedMs",
      ${ms(`max(e.received_at) filter (where e.kind = 'saved')`)} as "savedMs",
      ${ms(`max(e.received_at) filter (where e.number is not null
        or e.kind in ('verified', 'started', 'taken_over', 'saved', 'late_answer'))`)} as "heardMs",
      ${ms(`min(e.received_at) filter (where e.kind = 'saved' and e.window_id = t.window_id)`)}
        as "windowFirstSavedMs",
      ${ms(`max(e.received_at) filter (where e.kind = 'saved' and e.window_id = t.window_id)`)}
        as "windowSavedMs",
      ${ms(`max(e.received_at) filter (where e.number is not null and e.window_id = t.window_id)`)}
        as "windowToldMs",
      bool_or(e.kind = 'ready' and e.window_id = t.window_id) as "isReady",
      bool_or(e.kind = 'heartbeat') as "hasBeat",
      ${LATE_LEFT} as "lateCount",
      array_agg(floor(extract(epoch from e.received_at) / 60)::int)
        filter (where e.kind = 'saved' and e.received_at >= $4) as minutes,
      -- Whose account is gone can't be told apart any more: those are one.
      json_agg(json_build_object('user', coalesce(e.user_id::text, ''), 'address', e.address,
          'atMs', ${ms('e.received_at')}) order by e.received_at, e.user_id)
        filter (where e.kind in ('verified', 'started', 'taken_over')) as came
    from attempt_events e where e.candidate_id = c.id
  ) heard
  left join lateral (
    select json_agg(json_build_object('event', e.id, 'kind', e.kind,
        'atMs', ${ms('t.started_at')} + e.at_ms,
        'isCounted', e.voided_at is null and not (e.kind = any (c.exempt_kinds)),
        'backMs', (select ${ms('t.started_at')} + min(b.at_ms) from attempt_events b
          where b.attempt_id = e.attempt_id and b.id > e.id and b.kind in ('page_visible', 'ready')))
      order by e.id) as strikes
    from attempt_events e where e.attempt_id = t.id and e.is_violation
  ) strikes on true
  where c.id = any ($1) and c.assessment = $2 and c.is_demo = $3
    and (c.revoked_at is null or t.id is not null)`

/** Which candidates of an assessment a picture shows: its list, or the simulated ones of a copy. */
export interface Whose {
  code: string
  demo: boolean
}

/** Who is on the list: those who were shut out before they started are not. */
export async function listPeople(client: Client, { code, demo }: Whose): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    'select id from candidates where assessment = $1 and is_demo = $2',
    [code, demo],
  )
  return rows.map(({ id }) => id)
}

/**
 * What is known of candidates, with the minutes (since 1970) of each of their saves of the last half hour.
 * Those who do not belong to the list are left out.
 */
export async function readPeople(
  client: Client,
  { code, demo }: Whose,
  ids: readonly string[],
  now: Date,
): Promise<{ person: Person; minutes: number[] }[]> {
  const since = new Date((Math.floor(now.getTime() / 60_000) - MINUTES) * 60_000)
  const found: { person: Person; minutes: number[] }[] = []
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    // Planned each time: a plan that was kept from an empty morning would read everything.
    const { rows } = await client.query<Row>(PEOPLE, [
      ids.slice(at, at + AT_ONCE),
      ...[code, demo, since],
    ])
    found.push(...rows.map(personOf))
  }
  return found
}

function personOf(row: Row): { person: Person; minutes: number[] } {
  const { windowFirstSavedMs, windowSavedMs, windowToldMs, isReady, minutes, came, ...rest } = row
  const firstOf = new Map<string, number>()
  for (const { user, atMs } of came ?? []) if (!firstOf.has(user)) firstOf.set(user, atMs)
  const person: Person = {
    ...rest,
    window: {
      firstSavedMs: windowFirstSavedMs,
      savedMs: windowSavedMs,
      toldMs: windowToldMs,
      isReady: isReady ?? false,
    },
    hasBeat: row.hasBeat ?? false,
    strikes: (row.strikes ?? []).map(({ backMs, ...strike }) => ({
      ...strike,
      awayMs: isAbsence(strike.kind) && backMs !== null ? Math.max(0, backMs - strike.atMs) : null,
    })),
    accounts: [...firstOf].map(([user, firstMs]) => ({ user, firstMs })),
    addresses: [...new Set((came ?? []).flatMap(({ address }) => address ?? []))].sort(),
  }
  return { person, minutes: minutes ?? [] }
}
