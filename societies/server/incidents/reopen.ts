import { isListed } from '../../../assessments/listing.ts'
import { lockAttempts, reopenUntil } from '../../../assessments/server/attempt-store.ts'
import { countStrikes } from '../../../assessments/server/event-store.ts'
import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { act, type Organiser, requireReason } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireOnRoster } from '../roster.ts'
import { addSeconds, requireAllowance } from './allowance.ts'

export interface Reopened {
  username: string
  deadlineAt: Date
  timeZone: string
  isRevoked: boolean
  /** whether the recruitment page still lists the assessment, so that the candidate finds it */
  isListed: boolean
}

/**
 * Opens a closed attempt again for a time from now on; its answers are as they were (product 7.4.3).
 * Errors: OrganiserRefusal, also while three strikes would close it at once.
 */
export function reopenAttempt(
  organiser: Organiser,
  code: string,
  username: string,
  { seconds, reason }: { seconds: number; reason: string },
): Promise<Reopened> {
  const { now } = organiser
  return act(organiser, 'reopen', code, async (client) => {
    const why = requireReason(reason)
    requireAllowance(seconds)
    if (seconds === 0) throw new OrganiserRefusal('nothing_from_now', {})
    const assessment = await requireAssessment(client, code)
    const candidate = await requireOnRoster(client, code, username)
    const facts = { assessment: code, username: candidate.username }
    const [attempt] = await lockAttempts(client, code, candidate.id)
    if (!attempt) throw new OrganiserRefusal('not_started', facts)
    if (!attempt.submittedAt) throw new OrganiserRefusal('still_open', facts)
    // They would end it again at once.
    if ((await countStrikes(client, attempt.id)) >= MAX_VIOLATIONS) {
      throw new OrganiserRefusal('strikes_stand', facts)
    }
    const deadlineAt = addSeconds(now, seconds)
    await reopenUntil(client, attempt, deadlineAt, now)
    const { closesAt, timeZone } = assessment
    return {
      result: {
        username: candidate.username,
        deadlineAt,
        timeZone,
        isRevoked: candidate.revokedAt !== null,
        isListed: isListed(closesAt, now),
      },
      detail: {
        username: candidate.username,
        seconds,
        deadlineAt,
        reason: why,
        submittedAt: attempt.submittedAt,
        submitReason: attempt.submitReason,
      },
    }
  })
}
