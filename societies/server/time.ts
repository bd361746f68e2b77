import { isListed } from '../../assessments/listing.ts'
import {
  type LockedAttempt,
  lockAttempts,
  moveDeadline,
  reopenUntil,
} from '../../assessments/server/attempt-store.ts'
import { countStrikes } from '../../assessments/server/event-store.ts'
import { MAX_VIOLATIONS } from '../../assessments/violations.ts'
import { AdminError } from '../../platform/server/admin-error.ts'
import {
  act,
  type Organiser,
  requireAssessment,
  requireCandidate,
  requireReason,
} from './action.ts'
import { parseLocalTime } from './local-time.ts'

/*
 * Everything that moves a deadline. Each takes the attempt's row first, so a submit or the sweep that is
 * under way is either over before (and found here), or finds the new deadline.
 *
 *   extra-time   before the start, or while the clock runs: one candidate's whole allowance
 *   extend       everybody: who is inside, and whose time ran out in an outage
 *   reopen       one attempt that is closed, for a number of minutes from now
 */

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
 * Sets how much longer than the others a candidate has, in all. Also while the clock runs.
 * Errors: AdminError; taking time away has to be said with `lower`.
 */
export function setExtraTime(
  organiser: Organiser,
  code: string,
  username: string,
  seconds: number,
  { lower = false }: { lower?: boolean } = {},
): Promise<ExtraTime> {
  return act(organiser, 'extra-time', code, async (client) => {
    const { timeZone } = await requireAssessment(client, code)
    const candidate = await requireCandidate(client, code, username)
    const [attempt] = await lockAttempts(client, code, candidate.id)
    const before = candidate.extraSeconds
    if (attempt?.submittedAt) throw tooLateForExtraTime(code, attempt)
    if (seconds < before && !lower) {
      throw new AdminError(
        `${candidate.username} has ${before / 60} extra minutes already, and this would take some away; for more, give the sum (${before / 60} + …), or say that you mean it with --lower.`,
      )
    }
    const deadlineAt = attempt ? addSeconds(attempt.deadlineAt, seconds - before) : null
    if (deadlineAt && seconds < before && deadlineAt <= organiser.now) {
      throw new AdminError(
        `The test of ${candidate.username} would end at once; nothing was changed.`,
      )
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

function tooLateForExtraTime(code: string, { username, submitReason }: LockedAttempt): AdminError {
  switch (submitReason) {
    case 'deadline':
      return new AdminError(
        `The time of ${username} has run out, and extra time no longer reaches it; give minutes from now with: assessments reopen ${code} ${username} --minutes N --reason "…" (for everybody after an outage: assessments extend ${code} N --reason "…").`,
      )
    case 'violations':
      return new AdminError(
        `The test of ${username} was ended by ${MAX_VIOLATIONS} strikes; take a wrong one back with void-event, then reopen it.`,
      )
    default:
      return new AdminError(
        `${username} has submitted the test; if it has to go on, reopen it with: assessments reopen ${code} ${username} --minutes N --reason "…".`,
      )
  }
}

export interface Extension {
  moved: { username: string; deadlineAt: Date }[]
  reopened: { username: string; deadlineAt: Date }[]
  /** whose time ran out so long ago that the extension is over too: left as they are */
  tooLate: { username: string; deadlineAt: Date }[]
  timeZone: string
}

/**
 * Gives everybody more time: moves the deadlines of all who are inside, and reopens those whose time ran
 * out, as in an outage, until the new deadline. Who has submitted, or not started, is not touched.
 * Errors: AdminError.
 * @param since reopens only those whose time ran out at this time or later (local date and time)
 */
export function extendAssessment(
  organiser: Organiser,
  code: string,
  seconds: number,
  { reason, since }: { reason: string; since?: string },
): Promise<Extension> {
  const { now } = organiser
  return act(organiser, 'extend', code, async (client) => {
    const why = requireReason(reason)
    if (seconds <= 0) throw new AdminError('Please give the minutes to add, such as 10.')
    const assessment = await requireAssessment(client, code, 'change')
    const sinceAt = since === undefined ? null : parseLocalTime(since, assessment.timeZone)
    const { timeZone } = assessment
    const done: Extension = { moved: [], reopened: [], tooLate: [], timeZone }
    for (const attempt of await lockAttempts(client, code)) {
      const deadlineAt = addSeconds(attempt.deadlineAt, seconds)
      const { username } = attempt
      if (attempt.submittedAt === null && (attempt.deadlineAt > now || deadlineAt > now)) {
        await moveDeadline(client, attempt, deadlineAt, { kind: 'extended', seconds }, now)
        done.moved.push({ username, deadlineAt })
        continue
      }
      if (attempt.submittedAt !== null && attempt.submitReason !== 'deadline') continue
      if (sinceAt && attempt.deadlineAt < sinceAt) continue
      if (deadlineAt <= now) {
        done.tooLate.push({ username, deadlineAt })
        continue
      }
      await reopenUntil(client, attempt, deadlineAt, now)
      done.reopened.push({ username, deadlineAt })
    }
    const names = (list: { username: string }[]) => list.map(({ username }) => username)
    return {
      result: done,
      detail: {
        seconds,
        reason: why,
        since: sinceAt,
        moved: names(done.moved),
        reopened: names(done.reopened),
      },
    }
  })
}

export interface Reopened {
  username: string
  deadlineAt: Date
  timeZone: string
  isRevoked: boolean
  /** whether the recruitment page still lists the assessment, so that the candidate finds it */
  isListed: boolean
}

/**
 * Opens a closed attempt again for a time from now on; its answers are as they were.
 * Errors: AdminError, also while three strikes would close it at once.
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
    if (seconds <= 0)
      throw new AdminError('Please give the minutes from now, such as --minutes 10.')
    const assessment = await requireAssessment(client, code)
    const candidate = await requireCandidate(client, code, username)
    const [attempt] = await lockAttempts(client, code, candidate.id)
    if (!attempt) throw new AdminError(`${candidate.username} has not started ${code}.`)
    if (!attempt.submittedAt) {
      throw new AdminError(
        `The test of ${candidate.username} is still open; give more time with: assessments extra-time ${code} ${candidate.username} N.`,
      )
    }
    if ((await countStrikes(client, attempt.id)) >= MAX_VIOLATIONS) {
      throw new AdminError(
        `${candidate.username} has ${MAX_VIOLATIONS} strikes, which would end the test again at once; take a wrong one back first: assessments events ${code} ${candidate.username}, then void-event.`,
      )
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

function addSeconds(at: Date, seconds: number): Date {
  return new Date(at.getTime() + seconds * 1000)
}
