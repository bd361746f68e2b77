import {
  lockCandidatesOf,
  lockSittings,
  readSittings,
  type Sitting,
} from '../../../assessments/server/time-store.ts'
import { describeDuration } from '../../../platform/durations.ts'
import { AdminError } from '../../../platform/server/admin-error.ts'
import {
  type AssessmentRow,
  type Place,
  requireAssessment,
} from '../../access/server/assessments.ts'
import type { Client, Organiser } from '../../kit/server/action.ts'
import { parseLocalTime } from '../../kit/server/local-time.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { AskedTime } from '../contract.ts'
import { type PlannedTime, planTime, type Seated, type TimeAct } from '../time-plan.ts'
import { requireInRoom } from './own-room.ts'

/** How far a member can go (product 7.7.4). */
export interface TimeLimits {
  /** what a candidate can get in all, seconds */
  mostSeconds: number
  /** the only room; null: every room */
  room: string | null
}
export const NO_LIMITS: TimeLimits = { mostSeconds: Number.POSITIVE_INFINITY, room: null }

/** A candidate, and how their time changes. */
export interface TimeLine {
  sitting: Sitting
  plan: PlannedTime
}

/**
 * Checks a change of time and plans it for each candidate (societies/acts/time-plan.ts).
 * Errors: those of requireAssessment; 400 nothing_to_add, nothing_from_now, bad_time, end_is_past, end_is_far; 403
 * not_your_room, most_given.
 * @param lock 'change' locks the rows until the transaction ends; a preview locks none, so that no save waits for it
 */
export async function planAsked(
  client: Client,
  organiser: Organiser & Place,
  asked: AskedTime,
  limits: TimeLimits,
  lock: 'none' | 'change',
): Promise<{ row: AssessmentRow; time: TimeAct; lines: TimeLine[] }> {
  const { now } = organiser
  const row = await requireAssessment(client, organiser, lock)
  const time = timeActOf(asked, row.timeZone, now)
  await requireInRoom(client, row.code, asked.to, limits.room)
  const whose = { code: row.code, ...asked.to }
  if (lock === 'change') {
    // Candidates come first, as everywhere: nobody starts while their planned time changes.
    if (time.kind === 'plan') await lockCandidatesOf(client, whose)
    await lockSittings(client, whose)
  }
  const sittings = await readSittings(client, whose)
  for (const sitting of sittings) requireWithin(sitting, asked.seconds ?? 0, limits.mostSeconds)
  const lines = sittings.map((sitting) => ({
    sitting,
    plan: planTime(seatedOf(sitting), time, now.getTime()),
  }))
  return { row, time, lines }
}

function timeActOf(asked: AskedTime, timeZone: string, now: Date): TimeAct {
  const { kind, seconds = 0, reopens } = asked
  switch (kind) {
    case 'give':
      if (seconds === 0) throw refuse(400, 'nothing_to_add', 'Enter the minutes to add.')
      return { kind, seconds, reopens }
    case 'plan':
      return { kind, seconds }
    case 'reopen':
      if (seconds === 0) throw refuse(400, 'nothing_from_now', 'Enter the minutes from now.')
      return { kind, seconds }
    case 'end_at': {
      const atMs = endOf(asked.at ?? '', timeZone)
      if (atMs <= now.getTime()) {
        throw refuse(400, 'end_is_past', 'That time has passed. To end the test now, use End now.')
      }
      if (atMs > now.getTime() + 24 * 3_600_000) {
        throw refuse(400, 'end_is_far', 'Choose an end within the next 24 hours.')
      }
      return { kind, atMs, reopens }
    }
    case 'end_now':
      return { kind }
  }
}

function endOf(at: string, timeZone: string): number {
  try {
    return parseLocalTime(at, timeZone).getTime()
  } catch (error) {
    throw error instanceof AdminError ? refuse(400, 'bad_time', error.message) : error
  }
}

function requireWithin({ name, username, attempt }: Sitting, seconds: number, mostSeconds: number) {
  const given = attempt?.incidentSeconds ?? 0
  if (given + seconds <= mostSeconds) return
  const left = given < mostSeconds ? describeDuration(mostSeconds - given) : 'no'
  throw refuse(
    403,
    'most_given',
    `${name ?? username} already got ${describeDuration(given)}. You can give ${left} more (${describeDuration(mostSeconds)} in all). An owner can give more.`,
  )
}

const seatedOf = ({ plannedSeconds, attempt }: Sitting): Seated => ({
  plannedSeconds,
  attempt: attempt && {
    ...attempt,
    startedMs: attempt.startedAt.getTime(),
    deadlineMs: attempt.deadlineAt.getTime(),
    submittedMs: attempt.submittedAt?.getTime() ?? null,
  },
})
