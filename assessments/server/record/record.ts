import { type Api, ApiError, type EnterTurn } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { unseenMsOf } from '../../attempt-history.ts'
import { type Incident, isIncident } from '../../attempt-log.ts'
import { readRecord } from '../../contract.ts'
import { readReceipts } from '../answer-store.ts'
import { readHistories } from '../history-store.ts'
import { commentEnd } from './comment.ts'

/** Entries of one answer: an attempt of the usual length has some fifty. */
const ENTRIES_LIMIT = 500
const INCIDENTS_LIMIT = 200

interface Entry {
  kind: string
  atMs: number
  standing: 'strike' | 'taken_back' | null
  key: string | null
  awayMs: number | null
  endedBy: 'candidate' | 'violations' | 'deadline' | null
}

/**
 * GET /api/attempts/:reference/record: what was recorded of an attempt that is over, for the account from
 * which it was sat last; the society's token is gone by then (product 6.10.5, 6.10.7). Never a choice, a key
 * or a result. What comes each half minute or with each answer is only counted.
 * Errors: 404 for an attempt that is not this user's, or not over.
 */
export function serveRecord(api: Api, { db, now }: AppDependencies, enterTurn: EnterTurn): void {
  api.serveInTurn(readRecord, enterTurn, async ({ user, params }) => {
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
          -- Of everything else the reason is what somebody wrote.
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

/** No choice, no reason that somebody wrote, no name of an event. */
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
