import type { SubmitReason } from '../../../assessments/deadline.ts'
import { act, type Organiser } from '../action.ts'
import { applyTime, holdAndPlan } from '../acts/apply-time.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireOnRoster } from '../roster.ts'
import { requireAllowance } from './allowance.ts'

export interface ExtraTime {
  username: string
  /** seconds */
  before: number
  after: number
  /** of the attempt that is under way; null before the start */
  deadlineAt: Date | null
  timeZone: string
}

/**
 * Sets how much longer than the others a candidate has, in all; also while the clock runs (product 7.3.4).
 * Errors: OrganiserRefusal.
 * @param seconds the whole allowance: repeating it adds nothing
 * @param options.lower takes some away that was given before
 */
export function setExtraTime(
  organiser: Organiser,
  code: string,
  username: string,
  seconds: number,
  { lower = false }: { lower?: boolean } = {},
): Promise<ExtraTime> {
  return act(organiser, 'extra-time', code, async (client) => {
    requireAllowance(seconds)
    const assessment = await requireAssessment(client, code)
    const { id, username: known } = await requireOnRoster(client, code, username)
    const time = { kind: 'plan' as const, seconds }
    const whose = { code, room: null, candidates: [id], withDemo: true }
    const [line] = await holdAndPlan(client, whose, time, organiser.now)
    if (!line) throw new OrganiserRefusal('candidate_unknown', { assessment: code, username })
    const { sitting, plan } = line
    const before = sitting.plannedSeconds
    if (sitting.attempt?.submittedAt) {
      throw tooLateForExtraTime(code, known, sitting.attempt.submitReason)
    }
    if (seconds < before && !lower) {
      throw new OrganiserRefusal('would_take_time_away', { username: known, secondsBefore: before })
    }
    if (plan.outcome === 'would_end') {
      throw new OrganiserRefusal('would_end_at_once', { username: known })
    }
    await applyTime(client, organiser, assessment, time, [line])
    const deadlineAt = plan.deadlineMs === null ? null : new Date(plan.deadlineMs)
    return {
      result: {
        ...{ username: known, before, after: seconds, deadlineAt },
        timeZone: assessment.timeZone,
      },
      detail: { username: known, secondsBefore: before, secondsAfter: seconds, deadlineAt },
    }
  })
}

function tooLateForExtraTime(
  code: string,
  username: string,
  submitReason: SubmitReason | null,
): Error {
  switch (submitReason) {
    case 'deadline':
      return new OrganiserRefusal('time_has_run_out', { assessment: code, username })
    case 'violations':
      return new OrganiserRefusal('ended_by_strikes', { username })
    default:
      return new OrganiserRefusal('already_submitted', { assessment: code, username })
  }
}
