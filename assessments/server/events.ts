import type pg from 'pg'
import type { Api } from '../../platform/server/api.ts'
import { reportEvents } from '../contract.ts'
import {
  clampEventTime,
  isQuiet,
  isViolation,
  MAX_VIOLATIONS,
  type RecordedEvent,
} from '../violations.ts'
import { readWindowOffsetMs } from './answers.ts'
import {
  type Attempt,
  closeAttempt,
  closedError,
  countStrikes,
  inTransaction,
  lockAttemptOf,
  readPhase,
  takenOver,
} from './attempt-store.ts'
import type { AssessmentTools } from './candidate-call.ts'

/** POST …/attempt/events: the browser sees, the server counts (product 6.8.4). */
export function serveEvents(
  api: Api,
  { dependencies, room, seatOf, candidateOf, windowOf }: AssessmentTools,
): void {
  const { db, now } = dependencies

  api.serve(reportEvents, async ({ user, params, body, context }) => {
    const [event] = body.events
    if (event && body.events.length === 1 && isQuiet(event.kind)) {
      const noted = await room.note({ ...seatOf(params.code, user, context), event })
      if (noted) return { violations: noted.violations, status: 'in_progress' as const }
    }
    const candidate = await candidateOf(params.code, user, context)
    const windowId = windowOf(context)
    return inTransaction(db, async (client) => {
      const attempt = await lockAttemptOf(client, candidate.id)
      const phase = await readPhase(client, attempt, now())
      if (phase === 'closed') throw closedError(attempt)
      if (phase === 'overdue') throw closedError({ ...attempt, submitReason: 'deadline' })
      if (attempt.windowId !== windowId) throw takenOver()

      const at = now()
      const elapsedMs = at.getTime() - attempt.startedAt.getTime()
      const offsetMs = await readWindowOffsetMs(client, attempt, windowId)
      const { recorded, numbers } = await readPageEvents(client, attempt, windowId)
      const fresh = body.events
        .filter((event, index, all) => all.findIndex(({ id }) => id === event.id) === index)
        .filter(({ id }) => !numbers.has(id))
        .sort((a, b) => a.id - b.id)
      for (const event of fresh) {
        const atMs = clampEventTime(offsetMs + event.at, recorded.at(-1)?.atMs ?? 0, elapsedMs)
        const decided = isViolation({ kind: event.kind, atMs }, recorded, candidate.exemptKinds)
        recorded.push({ kind: event.kind, atMs, isViolation: decided })
        await client.query({
          name: 'store-event',
          text: `
            insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms,
              detail, is_violation, user_id, received_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          values: [
            candidate.id,
            attempt.id,
            event.kind,
            windowId,
            event.id,
            atMs,
            event.detail ? JSON.stringify(event.detail) : null,
            decided,
            user.id,
            at,
          ],
        })
      }
      const violations = await countStrikes(client, attempt.id)
      const isOver = violations >= MAX_VIOLATIONS
      if (isOver) {
        const closedAt = phase === 'running' ? at : attempt.deadlineAt
        await closeAttempt(client, attempt.id, {
          at: closedAt,
          reason: 'violations',
          bySubmit: false,
          now: at,
        })
      }
      return { violations, status: isOver ? ('submitted' as const) : ('in_progress' as const) }
    })
  })
}

/** What pages have reported so far, in its order, and the numbers that this window has used. */
async function readPageEvents(client: Pick<pg.Pool, 'query'>, attempt: Attempt, windowId: string) {
  const { rows } = await client.query<RecordedEvent & { windowId: string; number: number }>({
    name: 'page-events',
    text: `
      select kind, at_ms::float8 as "atMs", is_violation as "isViolation", window_id as "windowId", number
      from attempt_events where attempt_id = $1 and number is not null order by id`,
    values: [attempt.id],
  })
  return {
    recorded: rows.map(({ kind, atMs, isViolation }) => ({ kind, atMs, isViolation })),
    numbers: new Set(rows.filter((row) => row.windowId === windowId).map((row) => row.number)),
  }
}
