import type pg from 'pg'
import type { BodyOf } from '../../platform/endpoint.ts'
import type { Api, EnterTurn } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { inRounds } from '../../platform/server/rounds.ts'
import { reportEvents } from '../contract.ts'
import { HELP_LIMIT, tidyHelp } from '../help.ts'
import { clampEventTime, isAway, isQuiet, isViolation, MAX_VIOLATIONS } from '../violations.ts'
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
  EVENTS_LIMIT,
  noteFlood,
  type QuietCall,
  readPageEvents,
  storeEvents,
  storeQuietEvents,
} from './event-store.ts'
import type { createNews } from './message-store.ts'
import { isOwnedBy, readSeat, requireCandidate, type Seats } from './seat.ts'
import { ROUND_EVERY_MS } from './seat-calls.ts'

type SentEvent = BodyOf<typeof reportEvents>['events'][number]

/** Maximum stored page events per attempt and minute (product 6.8.15). */
const EVENTS_PER_MINUTE = 600
/** Maximum events of a batched call: as many as a start sends. A minute of such calls stays below the flood limit. */
const ROUND_EVENTS = 2

/** POST …/attempt/events: the browser reports events, and the server counts violations (product 6.8.4). */
export function serveEvents(
  api: Api,
  { db, log, now }: AppDependencies,
  enterTurn: EnterTurn,
  seats: Seats,
  { newsOf }: ReturnType<typeof createNews>,
): void {
  const storeInRound = inRounds(
    log,
    (calls: readonly QuietCall[]) => storeQuietEvents(db.$client, calls, now()),
    { everyMs: ROUND_EVERY_MS },
  )

  api.serveInTurn(reportEvents, enterTurn, async ({ user, params, body, context }) => {
    const seat = readSeat(params.code, user, context)
    const { events } = body
    // Help requests are counted before another is stored, so they are not batched.
    const isPlain = events.every(({ kind }) => isQuiet(kind) && kind !== 'help')
    if (events.length <= ROUND_EVENTS && isPlain) {
      const stored = await storeInRound({ ...seat, events })
      if (stored) {
        const { violations } = stored
        return { violations, status: 'in_progress' as const, ...newsOf(params.code) }
      }
    }
    const counted = await seats.transact(seat, (client) => countAlone(client, seat, events, now()))
    return { ...counted, ...newsOf(params.code) }
  })
}

/** Errors: 403 bad_candidate_token, 409 not_started, taken_over, already_submitted, attempt_closed. */
async function countAlone(
  client: Pick<pg.Pool, 'query'>,
  seat: Seat,
  sent: readonly SentEvent[],
  now: Date,
) {
  const candidate = await requireCandidate(client, seat, now)
  const attempt = await lockAttemptOf(client, candidate.id)
  const phase = await readPhase(client, attempt, now)
  if (phase === 'closed') throw closedError(attempt)
  if (phase === 'overdue') throw closedError({ submitReason: 'deadline' })
  if (!isOwnedBy(attempt, seat)) throw takenOver()

  const elapsedMs = now.getTime() - attempt.startedAt.getTime()
  const offsetMs = await readWindowOffsetMs(client, attempt, seat.windowId)
  const ids = sent.map(({ id }) => id)
  const page = await readPageEvents(client, attempt.id, seat.windowId, ids, now)
  const { recorded, numbers } = page
  const fresh = sent
    .filter((event, index, all) => all.findIndex(({ id }) => id === event.id) === index)
    .filter(({ id }) => !numbers.has(id))
    .sort((a, b) => a.id - b.id)
  const decided = fresh.map(({ id, kind, at, detail }) => {
    const atMs = clampEventTime(offsetMs + at, recorded.at(-1)?.atMs ?? 0, elapsedMs)
    const wasAway = isAway(recorded, candidate.exemptKinds)
    const event = {
      kind,
      atMs,
      isViolation: isViolation({ kind, atMs }, recorded, candidate.exemptKinds),
    }
    recorded.push(event)
    const hasReturned = wasAway && !isAway(recorded, candidate.exemptKinds)
    const tidy = detail?.text === undefined ? detail : { ...detail, text: tidyHelp(detail.text) }
    return { id, detail: tidy, ...event, isDecisive: event.isViolation || hasReturned }
  })
  // Above the limits only events that affect strikes are stored, with a note that others were dropped.
  const room = Math.min(EVENTS_LIMIT - page.recordedCount, EVENTS_PER_MINUTE - page.lastMinuteCount)
  const surplus = decided
    .filter(({ kind }) => kind === 'help')
    .slice(Math.max(0, HELP_LIMIT - page.helpCount))
  const kept = decided.filter(
    (event, index) => event.isDecisive || (index < room && !surplus.includes(event)),
  )
  const dropped = decided.length - kept.length
  if (kept.length > 0) await storeEvents(client, attempt, seat, kept, now)
  if (dropped > 0) await noteFlood(client, attempt, dropped, now)
  const violations = await countStrikes(client, attempt.id)
  if (violations < MAX_VIOLATIONS) return { violations, status: 'in_progress' as const }
  const at = phase === 'running' ? now : attempt.deadlineAt
  await closeAttempt(client, attempt.id, { at, reason: 'violations', bySubmit: false }, now)
  return { violations, status: 'submitted' as const }
}
