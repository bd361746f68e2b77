import type { ResponseOf } from '../../../platform/endpoint.ts'
import { type Api, ApiError } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { unseenMsOf } from '../../attempt-history.ts'
import { type Incident, isIncident } from '../../attempt-log.ts'
import { readRecord, writeComment } from '../../contract.ts'
import { readReceipts } from '../answer-store.ts'
import { readHistories } from '../history-store.ts'

/** Maximum entries per response. A typical attempt has about fifty. */
const ENTRIES_LIMIT = 500
const INCIDENTS_LIMIT = 200

type Entry = ResponseOf<typeof readRecord>['entries'][number]

/**
 * GET /api/attempts/:reference/record: the record of a finished attempt, for its last account (product 6.10.5, 6.10.7),
 * without choices, keys or results. Errors: 404 for another account's attempt or a running one.
 */
export function serveRecord(api: Api, { db, now }: AppDependencies): void {
  api.serve(readRecord, async ({ user, params }) => {
    const { rows: attempts } = await db.$client.query<{
      id: string
      startedAt: Date
      submittedAt: Date
      comment: string | null
      saves: number
      heartbeats: number
      entryCount: number
    }>({
      name: 'record-of-attempt',
      text: `select a.id, a.started_at as "startedAt", a.submitted_at as "submittedAt",
          (select text from attempt_comments t where t.attempt_id = a.id) as comment,
          count(*) filter (where e.kind = 'saved')::int as saves,
          count(*) filter (where e.kind = 'heartbeat')::int as heartbeats,
          count(*) filter (where e.kind not in ('saved', 'heartbeat'))::int as "entryCount"
        from attempts a join assessments s on s.code = a.assessment and s.deleted_at is null
        left join attempt_events e on e.attempt_id = a.id and e.at_ms is not null
        where a.user_id = $1 and left(a.id::text, 8) = $2 and a.submitted_at is not null
        group by a.id order by a.started_at desc limit 1`,
      values: [user.id, params.reference],
    })
    const [attempt] = attempts
    if (!attempt) throw new ApiError(404, 'not_found', 'There is no such attempt.')
    const { rows: entries } = await db.$client.query<Entry>({
      name: 'record-entries',
      text: `select e.kind, e.at_ms::float8 as "atMs",
          case when not e.is_violation then null
            when e.voided_at is not null or e.kind = any (c.exempt_kinds) then 'taken_back'
            else 'strike' end as standing,
          case when jsonb_typeof(e.detail) = 'object' then e.detail->>'key' end as key,
          case when jsonb_typeof(e.detail->'awayMs') = 'number'
            then (e.detail->>'awayMs')::float8 end as "awayMs",
          -- In all other kinds the reason is a member's text.
          case when e.kind = 'submitted' then e.detail->>'reason' end as "endedBy"
        from attempt_events e join candidates c on c.id = e.candidate_id
        where e.attempt_id = $1 and e.at_ms is not null and e.kind not in ('saved', 'heartbeat')
        order by e.id limit ${ENTRIES_LIMIT}`,
      values: [attempt.id],
    })
    const { id, startedAt, submittedAt } = attempt
    const history = (await readHistories(db.$client, [id], { isWhole: true })).get(id)
    const incidents = (history?.findings ?? []).filter(isIncident)
    const { saves, heartbeats, entryCount, comment } = attempt
    const commentUntil = commentEnd(submittedAt)
    return {
      ...{ entries, entryCount, saves, heartbeats, comment },
      startedAt: startedAt.toISOString(),
      incidents: incidents.slice(0, INCIDENTS_LIMIT).map(shownIncident),
      unseenMs: unseenMsOf(incidents),
      receipts: (await readReceipts(db.$client, id)).map((one) => ({
        ...one,
        at: one.at.toISOString(),
      })),
      commentUntil: commentUntil.toISOString(),
      commentLeftMs: commentUntil.getTime() - now().getTime(),
    }
  })
}

/** Leaves out choices, members' reasons, and event names. */
function shownIncident(one: Incident) {
  const { kind, atMs, lengthMs, act, questions, takeOver, waited, missing, unheard, strike } = one
  return {
    kind,
    atMs,
    lengthMs,
    act,
    questions,
    takeOver,
    waited,
    missing,
    unheard,
    strike: strike && {
      number: strike.number,
      standing: strike.standing,
      endedTest: strike.endedTest,
    },
    changed: one.changed.map(({ question, afterMs }) => ({ question, afterMs })),
  }
}

const COMMENT_MS = 48 * 3_600_000

/** The last moment to write or change a comment (product 6.10.10). */
const commentEnd = (submittedAt: Date) => new Date(submittedAt.getTime() + COMMENT_MS)

/**
 * PUT /api/attempts/:reference/comment: the candidate's comment to the society, from the attempt's last account.
 * Errors: 404 for another account's attempt or a running one; 409 comment_closed after 48 hours.
 */
export function serveComment(api: Api, { db, now }: AppDependencies): void {
  api.serve(writeComment, async ({ user, params, body }) => {
    const { rows } = await db.$client.query<{ id: string; submittedAt: Date }>(
      `select a.id, a.submitted_at as "submittedAt"
       from attempts a join assessments s on s.code = a.assessment and s.deleted_at is null
       where a.user_id = $1 and left(a.id::text, 8) = $2 and a.submitted_at is not null
       order by a.started_at desc limit 1`,
      [user.id, params.reference],
    )
    const [attempt] = rows
    if (!attempt) throw new ApiError(404, 'not_found', 'There is no such attempt.')
    const at = now()
    if (at >= commentEnd(attempt.submittedAt)) {
      throw new ApiError(
        409,
        'comment_closed',
        'The 48 hours after the end are over, so you can no longer write a comment.',
      )
    }
    const text = body.text.trim()
    await db.$client.query(
      text === ''
        ? 'delete from attempt_comments where attempt_id = $1'
        : `insert into attempt_comments (attempt_id, text, written_at) values ($1, $2, $3)
           on conflict (attempt_id) do update set text = excluded.text, written_at = excluded.written_at`,
      text === '' ? [attempt.id] : [attempt.id, text, at],
    )
    return { comment: text === '' ? null : text }
  })
}
