import { isListed } from '../../../assessments/listing.ts'
import { act, type Organiser, requireReason } from '../action.ts'
import { applyTime, holdAndPlan } from '../acts/apply-time.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireOnRoster } from '../roster.ts'
import { requireAllowance } from './allowance.ts'

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
    const time = { kind: 'reopen' as const, seconds }
    const whose = { code, room: null, candidates: [candidate.id], withDemo: true }
    const [line] = await holdAndPlan(client, whose, time, now)
    const attempt = line?.sitting.attempt
    if (!line || !attempt) throw new OrganiserRefusal('not_started', facts)
    if (line.plan.outcome === 'still_open') throw new OrganiserRefusal('still_open', facts)
    if (line.plan.outcome === 'strikes_stand') throw new OrganiserRefusal('strikes_stand', facts)
    await applyTime(client, organiser, assessment, time, [line])
    const deadlineAt = new Date(line.plan.deadlineMs ?? 0)
    return {
      result: {
        username: candidate.username,
        deadlineAt,
        timeZone: assessment.timeZone,
        isRevoked: candidate.revokedAt !== null,
        isListed: isListed(assessment.closesAt, now),
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
