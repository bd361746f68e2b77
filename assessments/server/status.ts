import type { Database } from '../../platform/database/database.ts'
import { whenFree } from '../../platform/database/transaction.ts'
import type { Api, EnterTurn } from '../../platform/server/api.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { getAttempt } from '../contract.ts'
import { remainingMs } from '../deadline.ts'
import { referenceOf } from '../reference.ts'
import {
  type Attempt,
  closeAtDeadline,
  getAttemptOf,
  lockAttemptOf,
  readPhase,
} from './attempt-store.ts'
import { countStrikes, readStrikes } from './event-store.ts'
import { readMessagesFor } from './message-store.ts'
import { readSeat, requireCandidate } from './seat.ts'
import { wasEnded } from './time-store.ts'

/** GET …/attempt: how it stands, and once it is closed what the completion screen shows (product 6.10). */
export function serveStatus(api: Api, { db, now }: AppDependencies, enterTurn: EnterTurn): void {
  api.serveInTurn(getAttempt, enterTurn, async ({ user, params, context }) => {
    const at = now()
    const candidate = await requireCandidate(db.$client, readSeat(params.code, user, context), at)
    const attempt = await finaliseAttemptOf(db, candidate.id, at)
    const isOpen = attempt?.submittedAt === null
    const mail = isOpen ? await readMessagesFor(db.$client, params.code, candidate.id) : null
    const isEnded = attempt?.submitReason === 'deadline' && (await wasEnded(db.$client, attempt.id))
    return {
      status: statusOf(attempt),
      remainingMs: isOpen ? remainingMs(attempt.deadlineAt.getTime(), at.getTime()) : 0,
      violations: attempt ? await countStrikes(db.$client, attempt.id) : 0,
      extraSeconds: candidate.extraSeconds,
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

/** The attempt, or null before the start; closed here if its grace is over (product 6.7.11). Errors: 429 busy. */
export async function finaliseAttemptOf(
  db: Database,
  candidateId: string,
  now: Date,
): Promise<Attempt | null> {
  const attempt = await getAttemptOf(db.$client, candidateId)
  if (!attempt || (await readPhase(db.$client, attempt, now)) !== 'overdue') return attempt
  return whenFree(db, async (client) => {
    // Somebody may have closed it meanwhile, or moved its deadline.
    const locked = await lockAttemptOf(client, candidateId)
    const phase = await readPhase(client, locked, now)
    return phase === 'overdue' ? closeAtDeadline(client, locked, now) : locked
  })
}

/** product 6.9.2 */
export function statusOf(attempt: Attempt | null) {
  if (!attempt) return 'not_started' as const
  return attempt.submittedAt ? ('submitted' as const) : ('in_progress' as const)
}
