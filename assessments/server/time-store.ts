import type pg from 'pg'
import { fieldLists } from '../../platform/database/database.ts'
import { mapInSlices } from '../../platform/server/shares/slices.ts'
import type { SubmitReason } from '../deadline.ts'

type Client = Pick<pg.Pool, 'query'>

/** A candidate and their attempt, because changing times affects both. */
export interface Sitting {
  candidateId: string
  username: string
  name: string | null
  room: string | null
  isRevoked: boolean
  /** Total extra time planned before the test. */
  plannedSeconds: number
  attempt: SittingAttempt | null
}

interface SittingAttempt {
  id: string
  startedAt: Date
  deadlineAt: Date
  submittedAt: Date | null
  submitReason: SubmitReason | null
  /** The part of the deadline given because of an incident. */
  incidentSeconds: number
  answered: number
  /** Current strikes. 0 while the attempt is open, because the next event decides. */
  strikes: number
  /** Whether an organizer ended it and the deadline has not been moved since. */
  wasEnded: boolean
}

/** Whose times to change: all candidates of an assessment, a room's or named ones, but no demo candidates. */
export interface Whose {
  code: string
  room: string | null
  candidates: readonly string[] | null
}

// $1 is the code, $2 the room, and $3 the candidates.
const OF = `c.assessment = $1 and ($2::text is null or c.room = $2)
  and ($3::uuid[] is null or c.id = any ($3)) and not c.is_demo`
const valuesOf = ({ code, room, candidates }: Whose) => [code, room, candidates]

/** SQL for whether an organizer ended an attempt t and its deadline has not been moved since. */
export const WAS_ENDED = `coalesce((select e.kind = 'ended' from attempt_events e where e.attempt_id = t.id
  and e.kind in ('ended', 'reopened', 'extended', 'extra_time') order by e.id desc limit 1), false)`

/** Locks these attempts in a fixed order until the transaction ends. Saves of other attempts continue. */
export async function lockSittings(client: Client, whose: Whose): Promise<void> {
  await client.query(
    `select from attempts t join candidates c on c.id = t.candidate_id
     where t.assessment = $1 and ${OF} order by t.id for no key update of t`,
    valuesOf(whose),
  )
}

/** Locks the candidates as well, so that they can't start while their planned time changes. */
export async function lockCandidatesOf(client: Client, whose: Whose): Promise<void> {
  await client.query(
    `select from candidates c where ${OF} order by c.id for no key update of c`,
    valuesOf(whose),
  )
}

export async function readSittings(client: Client, whose: Whose, now: Date): Promise<Sitting[]> {
  type Row = Omit<Sitting, 'attempt'> & Omit<SittingAttempt, 'id'> & { id: string | null }
  const { rows } = await client.query<Row>(
    `select c.id as "candidateId", c.username, c.name, c.room, c.revoked_at is not null as "isRevoked",
       c.extra_seconds as "plannedSeconds", t.id, t.started_at as "startedAt",
       t.deadline_at as "deadlineAt", t.submitted_at as "submittedAt",
       t.submit_reason as "submitReason", t.incident_seconds as "incidentSeconds",
       case when t.submitted_at is not null then attempt_strikes(t.id) else 0 end as strikes,
       case when t.submit_reason = 'deadline' or t.submitted_at is null and t.deadline_at <= $4
         then ${WAS_ENDED} else false end as "wasEnded",
       (select count(*)::int from attempt_answers a where a.attempt_id = t.id) as answered
     from candidates c left join attempts t on t.candidate_id = c.id
     where ${OF} order by lower(coalesce(c.name, c.username)), c.username`,
    [...valuesOf(whose), now],
  )
  return mapInSlices(
    rows,
    ({ candidateId, username, name, room, isRevoked, plannedSeconds, ...row }) => {
      const { id, ...attempt } = row
      const person = { candidateId, username, name, room, isRevoked, plannedSeconds }
      return { ...person, attempt: id === null ? null : { id, ...attempt } }
    },
  )
}

/** Whether an organizer brought an end forward and didn't undo it. Time given later doesn't make up for that. */
export async function wasCut(client: Client, whose: Whose): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from candidates c join attempts t on t.candidate_id = c.id
       join attempt_events e on e.attempt_id = t.id and e.kind in ('extended', 'extra_time', 'reopened')
         and (e.detail ->> 'seconds')::int < 0 and e.detail -> 'undone' is null
     where ${OF} and not exists (select from attempt_events u
       where u.attempt_id = t.id and u.id > e.id and u.kind = e.kind and u.detail -> 'undone' is not null
         and (u.detail ->> 'seconds')::int = -(e.detail ->> 'seconds')::int)
     limit 1`,
    valuesOf(whose),
  )
  return rowCount !== 0
}

export interface TimeChange {
  attemptId: string
  deadlineAt: Date
  incidentSeconds: number
  /** For a reopened attempt, the milliseconds that it was closed. Null if it is open. */
  pausedMs: number | null
  /** The kind of event that records the change. */
  kind: 'extra_time' | 'extended' | 'reopened' | 'ended'
  detail: Record<string, unknown>
}

/**
 * Moves the deadlines of locked attempts, reopens some, and stores the events, in one statement. The event keeps why a
 * reopened attempt had closed. The closed time doesn't count in its result (product 6.11.5).
 */
export async function changeTimes(
  client: Client,
  changes: readonly TimeChange[],
  now: Date,
): Promise<void> {
  if (changes.length === 0) return
  await client.query(
    `with change as (
       select * from unnest($2::uuid[], $3::timestamptz[], $4::int[], $5::bigint[], $6::text[], $7::jsonb[])
         as change (id, deadline_at, incident_seconds, paused_ms, kind, detail)
     ), changed as (
       update attempts t set deadline_at = change.deadline_at,
         incident_seconds = change.incident_seconds,
         submitted_at = case when change.paused_ms is null then t.submitted_at end,
         submit_reason = case when change.paused_ms is null then t.submit_reason end,
         closed_by_submit = t.closed_by_submit and change.paused_ms is null,
         paused_ms = t.paused_ms + coalesce(change.paused_ms, 0)
       from change where t.id = change.id
       returning t.id, t.candidate_id, t.started_at, change.kind, change.detail
     )
     insert into attempt_events (candidate_id, attempt_id, kind, at_ms, detail, received_at)
     select candidate_id, id, kind, extract(epoch from $1::timestamptz - started_at) * 1000, detail, $1
     from changed order by id`,
    [
      now,
      ...fieldLists(changes, 'attemptId', 'deadlineAt', 'incidentSeconds', 'pausedMs', 'kind'),
      changes.map(({ detail }) => JSON.stringify(detail)),
    ],
  )
}

/** Sets the total planned extra time of locked candidates. @param by name of the member who made the change */
export async function setPlannedTime(
  client: Client,
  candidateIds: readonly string[],
  seconds: number,
  by: string,
): Promise<void> {
  await client.query(
    `update candidates set extra_seconds = $2, version = version + 1, changed_by = $3
     where id = any ($1::uuid[])`,
    [candidateIds, seconds, by],
  )
}

export async function wasEnded(client: Client, attemptId: string): Promise<boolean> {
  const { rows } = await client.query<{ wasEnded: boolean }>({
    name: 'was-ended',
    text: `select ${WAS_ENDED} as "wasEnded" from attempts t where t.id = $1`,
    values: [attemptId],
  })
  return rows[0]?.wasEnded ?? false
}
