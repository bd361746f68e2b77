import {
  type LockedAttempt,
  lockAttempts,
  moveDeadline,
} from '../../../assessments/server/attempt-store.ts'
import { act, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireOnRoster } from '../roster.ts'
import { addSeconds, requireAllowance } from './allowance.ts'

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
    const { timeZone } = await requireAssessment(client, code)
    const candidate = await requireOnRoster(client, code, username)
    const [attempt] = await lockAttempts(client, code, candidate.id)
    const before = candidate.extraSeconds
    if (attempt?.submittedAt) throw tooLateForExtraTime(code, attempt)
    if (seconds < before && !lower) {
      throw new OrganiserRefusal('would_take_time_away', {
        username: candidate.username,
        secondsBefore: before,
      })
    }
    const deadlineAt = attempt ? addSeconds(attempt.deadlineAt, seconds - before) : null
    if (deadlineAt && seconds < before && deadlineAt <= organiser.now) {
      throw new OrganiserRefusal('would_end_at_once', { username: candidate.username })
    }
    await client.query('update candidates set extra_seconds = $2 where id = $1', [
      candidate.id,
      seconds,
    ])
    if (attempt && deadlineAt && seconds !== before) {
      const move = { kind: 'extra_time', seconds: seconds - before } as const
      await moveDeadline(client, attempt, deadlineAt, move, organiser.now)
    }
    return {
      result: { username: candidate.username, before, after: seconds, deadlineAt, timeZone },
      detail: {
        username: candidate.username,
        secondsBefore: before,
        secondsAfter: seconds,
        deadlineAt,
      },
    }
  })
}

function tooLateForExtraTime(code: string, { username, submitReason }: LockedAttempt): Error {
  switch (submitReason) {
    case 'deadline':
      return new OrganiserRefusal('time_has_run_out', { assessment: code, username })
    case 'violations':
      return new OrganiserRefusal('ended_by_strikes', { username })
    default:
      return new OrganiserRefusal('already_submitted', { assessment: code, username })
  }
}
