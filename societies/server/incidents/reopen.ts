import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import {
  type AttemptRow,
  act,
  type Client,
  lockAttempts,
  type Organiser,
  readStrikes,
  recordIntervention,
  requireReason,
} from '../action.ts'
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
    if ((await readStrikes(client, attempt.id)) >= MAX_VIOLATIONS) {
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
        // As long as assessments/server/routes.ts lists a closed assessment.
        isListed: closesAt === null || now.getTime() < closesAt.getTime() + 24 * 3600 * 1000,
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

/**
 * Opens a closed or overdue attempt. What closed it is kept beside its events; the time it stood closed
 * is not part of its result's time.
 */
export async function reopenUntil(
  client: Client,
  attempt: AttemptRow,
  deadlineAt: Date,
  now: Date,
): Promise<void> {
  const pausedMs = attempt.submittedAt
    ? Math.max(0, now.getTime() - attempt.submittedAt.getTime())
    : 0
  await client.query(
    `update attempts set submitted_at = null, submit_reason = null, closed_by_submit = false,
       deadline_at = $2, paused_ms = paused_ms + $3 where id = $1`,
    [attempt.id, deadlineAt, pausedMs],
  )
  const { submittedAt, submitReason } = attempt
  await recordIntervention(
    client,
    attempt,
    'reopened',
    { deadlineAt, submittedAt, submitReason },
    now,
  )
}
