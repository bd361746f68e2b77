import type pg from 'pg'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { BodyOf } from '../../platform/endpoint.ts'
import type { Api } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { inRounds } from '../../platform/server/rounds.ts'
import { reportEvents } from '../contract.ts'
import { clampEventTime, isQuiet, isViolation, MAX_VIOLATIONS } from '../violations.ts'
import {
  closeAttempt,
  closedError,
  lockAttemptOf,
  readPhase,
  readWindowOffsetMs,
  takenOver,
} from './attempt-store.ts'
import type { Seat } from './candidate-store.ts'
import {
  countStrikes,
  type QuietCall,
  readPageEvents,
  storeEvents,
  storeQuietEvents,
} from './event-store.ts'
import { readSeat, requireCandidate } from './seat.ts'

type SentEvent = BodyOf<typeof reportEvents>['events'][number]

/** POST …/attempt/events: the browser sees, the server counts (product 6.8.4). */
export function serveEvents(api: Api, { db, log, now }: AppDependencies): void {
  const storeInRound = inRounds(log, (calls: readonly QuietCall[]) =>
    storeQuietEvents(db.$client, calls, now()),
  )

  api.serve(reportEvents, async ({ user, params, body, context }) => {
    const seat = readSeat(params.code, user, context)
    const [event] = body.events
    if (event && body.events.length === 1 && isQuiet(event.kind)) {
      const stored = await storeInRound({ ...seat, event })
      if (stored) return { violations: stored.violations, status: 'in_progress' as const }
    }
    return inTransaction(db, (client) => countAlone(client, seat, body.events, now()))
  })
}

/** Errors: 403 bad_candidate_token, 409 not_started, taken_over, already_submitted, attempt_closed. */
async function countAlone(
  client: Pick<pg.Pool, 'query'>,
  seat: Seat,
  sent: readonly SentEvent[],
  now: Date,
) {
  const candidate = await requireCandidate(client, seat)
  const attempt = await lockAttemptOf(client, candidate.id)
  const phase = await readPhase(client, attempt, now)
  if (phase === 'closed') throw closedError(attempt)
  if (phase === 'overdue') throw closedError({ submitReason: 'deadline' })
  if (attempt.windowId !== seat.windowId) throw takenOver()

  const elapsedMs = now.getTime() - attempt.startedAt.getTime()
  const offsetMs = await readWindowOffsetMs(client, attempt, seat.windowId)
  const { recorded, numbers } = await readPageEvents(client, attempt.id, seat.windowId)
  const fresh = sent
    .filter((event, index, all) => all.findIndex(({ id }) => id === event.id) === index)
    .filter(({ id }) => !numbers.has(id))
    .sort((a, b) => a.id - b.id)
  const decided = fresh.map(({ id, kind, at, detail }) => {
    const atMs = clampEventTime(offsetMs + at, recorded.at(-1)?.atMs ?? 0, elapsedMs)
    const event = {
      kind,
      atMs,
      isViolation: isViolation({ kind, atMs }, recorded, candidate.exemptKinds),
    }
    recorded.push(event)
    return { id, detail, ...event }
  })
  if (decided.length > 0) await storeEvents(client, attempt, seat, decided, now)
  const violations = await countStrikes(client, attempt.id)
  if (violations < MAX_VIOLATIONS) return { violations, status: 'in_progress' as const }
  const at = phase === 'running' ? now : attempt.deadlineAt
  await closeAttempt(client, attempt.id, { at, reason: 'violations', bySubmit: false }, now)
  return { violations, status: 'submitted' as const }
}
