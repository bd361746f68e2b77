import type { SubmitReason } from '../../assessments/deadline.ts'
import { MAX_VIOLATIONS } from '../../assessments/violations.ts'
import type { TimeGroup, TimePreview } from './contract.ts'

/** A change of candidates' time (product 7.15.1). Times are milliseconds since 1970. */
export type TimeAct =
  /** Gives time after a problem. `reopens` includes tests closed by the clock or by strikes. */
  | { kind: 'give'; seconds: number; reopens: boolean }
  /** Sets the total planned extra time. */
  | { kind: 'plan'; seconds: number }
  /** Sets the same end for all of them. */
  | { kind: 'end_at'; atMs: number; reopens: boolean }
  /** Reopens closed tests for this long from now, whatever closed them. */
  | { kind: 'reopen'; seconds: number }
  | { kind: 'end_now' }

export interface Seated {
  plannedSeconds: number
  attempt: {
    startedAt: Date
    deadlineAt: Date
    submittedAt: Date | null
    submitReason: SubmitReason | null
    incidentSeconds: number
    /** For a closed test, the number of strikes that count. */
    strikes: number
    /** True once an organizer ended the test, even before it closes. Minutes for others don't reopen it. */
    wasEnded: boolean
  } | null
}

export type TimeOutcome = TimePreview['people'][number]['outcome']

export interface PlannedTime {
  outcome: TimeOutcome
  /** The new end; null if the test isn't running afterward. */
  deadlineMs: number | null
  incidentSeconds: number
  plannedSeconds: number
  /** How far the end moves. For a reopened test, the time given beyond what was left. */
  addedSeconds: number
  /** For a reopened test, how long it was closed. */
  pausedMs: number | null
}

export const isChange = ({ outcome }: { outcome: TimeOutcome }) =>
  ['moves', 'reopens', 'plans', 'ends'].includes(outcome)

export function timeGroupOf(of: Pick<PlannedTime, 'outcome' | 'plannedSeconds'>): TimeGroup {
  if (!isChange(of)) return 'stays'
  if (of.outcome !== 'moves') return of.outcome as TimeGroup
  return of.plannedSeconds > 0 ? 'has_extra' : 'moves'
}

/**
 * Plans a candidate's time, for the preview and the change (decision 011):
 *     open                  the end moves
 *     closed by the clock   reopens until the old end plus the given time, if that is in the future
 *     closed by strikes     reopens for the remaining plus the given time, if the strikes no longer count
 *     submitted             stays closed, except for 'reopen'
 */
export function planTime({ plannedSeconds, attempt }: Seated, act: TimeAct, nowMs: number) {
  const stays = (outcome: TimeOutcome): PlannedTime => ({
    outcome,
    deadlineMs: attempt?.submittedAt === null ? attempt.deadlineAt.getTime() : null,
    incidentSeconds: attempt?.incidentSeconds ?? 0,
    plannedSeconds,
    addedSeconds: 0,
    pausedMs: null,
  })
  if (!attempt) {
    if (act.kind !== 'plan') return stays('not_started')
    if (act.seconds === plannedSeconds) return stays('unchanged')
    return { ...stays('plans'), plannedSeconds: act.seconds }
  }
  const { submitReason, incidentSeconds } = attempt
  const deadlineMs = attempt.deadlineAt.getTime()
  const closedMs = attempt.submittedAt?.getTime() ?? null
  const isOpen = closedMs === null
  const strikesStand = attempt.strikes >= MAX_VIOLATIONS
  const leftMs = closedMs === null ? 0 : Math.max(0, deadlineMs - closedMs)
  const given = (seconds: number) => incidentSeconds + seconds
  const moved = (to: number, more: Partial<PlannedTime>): PlannedTime => ({
    ...stays('moves'),
    deadlineMs: to,
    addedSeconds: Math.round((to - deadlineMs) / 1000),
    ...more,
  })
  const reopened = (to: number, addedSeconds: number): PlannedTime => ({
    ...stays('reopens'),
    deadlineMs: to,
    addedSeconds,
    incidentSeconds: given(addedSeconds),
    pausedMs: Math.max(0, nowMs - (closedMs ?? nowMs)),
  })
  // The expiry job closes this attempt in a few seconds. Only 'reopen' can open it again.
  if (isOpen && attempt.wasEnded && act.kind !== 'reopen') return stays('closed')
  switch (act.kind) {
    case 'give': {
      const to = deadlineMs + act.seconds * 1000
      if (isOpen) {
        // The server was down for longer than the added time and hasn't closed the test yet.
        if (deadlineMs <= nowMs && to <= nowMs) return stays('too_late')
        return moved(to, { incidentSeconds: given(act.seconds) })
      }
      if (submitReason === 'candidate') return stays('handed_in')
      if (!act.reopens) return stays('closed')
      if (submitReason === 'violations') {
        if (strikesStand) return stays('strikes_stand')
        return reopened(nowMs + leftMs + act.seconds * 1000, act.seconds)
      }
      if (attempt.wasEnded) return stays('closed')
      return to <= nowMs ? stays('too_late') : reopened(to, act.seconds)
    }
    case 'plan': {
      if (!isOpen) return stays(submitReason === 'candidate' ? 'handed_in' : 'closed')
      const by = act.seconds - plannedSeconds
      const to = deadlineMs + by * 1000
      if (by === 0) return stays('unchanged')
      if (by < 0 && to <= nowMs) return stays('would_end')
      return moved(to, { plannedSeconds: act.seconds })
    }
    case 'end_at': {
      const { atMs } = act
      if (isOpen) {
        if (atMs === deadlineMs) return stays('unchanged')
        return moved(atMs, { incidentSeconds: given(Math.round((atMs - deadlineMs) / 1000)) })
      }
      if (submitReason === 'candidate') return stays('handed_in')
      if (!act.reopens || attempt.wasEnded) return stays('closed')
      if (strikesStand) return stays('strikes_stand')
      return reopened(atMs, Math.round((atMs - nowMs - leftMs) / 1000))
    }
    case 'reopen': {
      if (isOpen) return stays('still_open')
      // The strikes would end the test again immediately.
      if (strikesStand) return stays('strikes_stand')
      const added = Math.max(0, Math.round(act.seconds - leftMs / 1000))
      return reopened(nowMs + act.seconds * 1000, added)
    }
    case 'end_now': {
      if (!isOpen || deadlineMs <= nowMs) return stays('closed')
      // A database constraint requires the end to be after the start.
      return moved(Math.max(nowMs, attempt.startedAt.getTime() + 1), { outcome: 'ends' })
    }
  }
}
