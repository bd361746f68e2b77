import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { whenFree } from '../../platform/database/transaction.ts'
import type { ResponseOf } from '../../platform/endpoint.ts'
import type { Api, EnterTurn } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { inRounds } from '../../platform/server/rounds.ts'
import { getAttempt, type HelpAsked } from '../contract.ts'
import { remainingMs } from '../deadline.ts'
import { referenceOf } from '../reference.ts'
import {
  type Attempt,
  COLUMNS,
  closeAtDeadline,
  getAttemptOf,
  lockAttemptOf,
  readPhase,
} from './attempt-store.ts'
import type { Candidate, Seat } from './candidate-store.ts'
import { countStrikes, HELP_OF_CANDIDATE, readStrikes } from './event-store.ts'
import { readMessagesFor } from './message-store.ts'
import { readSeat, type Seats } from './seat.ts'
import {
  CALLS,
  CALLS_COLUMNS,
  CANDIDATE_OF_CALL,
  forEachSeat,
  IS_CANDIDATE_OF_CALL,
  IS_RUNNING,
  ROUND_EVERY_MS,
} from './seat-calls.ts'
import { wasEnded } from './time-store.ts'

/** GET …/attempt: the attempt's status and, once closed, the data of the completion screen (product 6.10). */
export function serveStatus(
  api: Api,
  { db, log, now }: AppDependencies,
  enterTurn: EnterTurn,
  seats: Seats,
): void {
  const readInRound = inRounds(
    log,
    (seats: readonly Seat[]) => readRunning(db.$client, seats, now()),
    { everyMs: ROUND_EVERY_MS },
  )

  api.serveInTurn(getAttempt, enterTurn, async ({ user, params, context }) => {
    const seat = readSeat(params.code, user, context)
    const running = await readInRound(seat)
    const at = now()
    const { attempt, ...own } = running ?? (await readAlone(db, await seats.candidateOf(seat), at))
    const isOpen = attempt?.submittedAt === null
    const mail =
      isOpen && own.hasMail
        ? await readMessagesFor(db.$client, params.code, attempt.candidateId)
        : null
    const isEnded = attempt?.submitReason === 'deadline' && (await wasEnded(db.$client, attempt.id))
    return {
      status: statusOf(attempt),
      remainingMs: isOpen ? remainingMs(attempt.deadlineAt.getTime(), at.getTime()) : 0,
      violations: own.violations,
      extraSeconds: own.extraSeconds,
      ...(own.window ? { window: own.window } : {}),
      ...(attempt && attempt.incidentSeconds !== 0
        ? { givenSeconds: attempt.incidentSeconds }
        : {}),
      ...(mail && mail.newest > 0
        ? {
            news: mail.newest,
            messages: mail.messages.map(({ id, text, sentAt }) => ({
              ...{ id, text, at: sentAt.toISOString() },
            })),
          }
        : {}),
      ...(isOpen && own.help ? { help: own.help } : {}),
      ...(isEnded ? { endedBySociety: true as const } : {}),
      ...(attempt?.submittedAt && attempt.submitReason
        ? {
            reference: referenceOf(attempt),
            submittedAt: attempt.submittedAt.toISOString(),
            reason: attempt.submitReason,
          }
        : {}),
      ...(attempt?.submitReason === 'violations'
        ? { strikes: await readStrikes(db.$client, attempt) }
        : {}),
    }
  })
}

interface Standing {
  attempt: Attempt | null
  extraSeconds: number
  violations: number
  hasMail: boolean
  help: HelpAsked[] | null
  /** The candidate's own start window, before the start. */
  window?: NonNullable<ResponseOf<typeof getAttempt>['window']> | null
}

async function readAlone(db: Database, candidate: Candidate, at: Date): Promise<Standing> {
  const { id, extraSeconds, startsFrom, startsUntil } = candidate
  const attempt = await finaliseAttemptOf(db, id, at)
  const violations = attempt ? await countStrikes(db.$client, attempt.id) : 0
  const window =
    attempt === null && startsFrom && startsUntil
      ? { opensAt: startsFrom.toISOString(), closesAt: startsUntil.toISOString() }
      : null
  return { attempt, extraSeconds, violations, hasMail: true, help: null, window }
}

const RUNNING = `
  select calls.n, running.* from ${CALLS}) as calls(${CALLS_COLUMNS})
  cross join lateral (
    select ${COLUMNS}, c.extra_seconds as "extraSeconds", attempt_strikes(t.id) as violations,
      exists (select from candidate_messages m where m.assessment = c.assessment) as "hasMail",
      ${HELP_OF_CANDIDATE} as help
    ${CANDIDATE_OF_CALL} join attempts t on t.candidate_id = c.id
    where ${IS_CANDIDATE_OF_CALL} and ${IS_RUNNING} limit 1
  ) running`

/** Reads statuses in a batch, because a room's pages ask every minute. Null if a call's attempt is not running. */
export async function readRunning(
  client: Pick<pg.Pool, 'query'>,
  seats: readonly Seat[],
  now: Date,
): Promise<(Standing | null)[]> {
  type Row = Attempt & Omit<Standing, 'attempt'> & { n: number }
  const rows = await forEachSeat<Row>(client, 'status-round', RUNNING, now, seats, [])
  return rows.map(([row]) => (row ? { ...row, attempt: row } : null))
}

/** The attempt, or null before the start. Closes it if its grace period is over (product 6.7.11). Errors: 429 busy. */
export async function finaliseAttemptOf(
  db: Database,
  candidateId: string,
  now: Date,
): Promise<Attempt | null> {
  const attempt = await getAttemptOf(db.$client, candidateId)
  if (!attempt || (await readPhase(db.$client, attempt, now)) !== 'overdue') return attempt
  return whenFree(db, async (client) => {
    // Another call may have closed it or moved its deadline in the meantime.
    const locked = await lockAttemptOf(client, candidateId)
    const phase = await readPhase(client, locked, now)
    return phase === 'overdue' ? closeAtDeadline(client, locked, now) : locked
  })
}

export function statusOf(attempt: Attempt | null) {
  if (!attempt) return 'not_started' as const
  return attempt.submittedAt ? ('submitted' as const) : ('in_progress' as const)
}
