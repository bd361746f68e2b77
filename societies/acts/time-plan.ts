import { MAX_VIOLATIONS } from '../../assessments/violations.ts'

/** What is done about candidates' time (product 7.15.1). Instants in milliseconds since 1970. */
export type TimeAct =
  /**
   * minutes for something that happened, kept apart from planned ones
   * `reopens`: whom the deadline closed too, and whom strikes closed that stand no more
   */
  | { kind: 'give'; seconds: number; reopens: boolean }
  /** the planned extra time, in all */
  | { kind: 'plan'; seconds: number }
  /** one moment for all of them */
  | { kind: 'end_at'; atMs: number; reopens: boolean }
  /** closed ones, for so long from now on, whatever closed them */
  | { kind: 'reopen'; seconds: number }
  | { kind: 'end_now' }

/** How somebody sits, as far as it decides about time. */
export interface Seated {
  plannedSeconds: number
  attempt: {
    startedMs: number
    deadlineMs: number
    submittedMs: number | null
    submitReason: 'candidate' | 'violations' | 'deadline' | null
    incidentSeconds: number
    /** that stand, of a closed one */
    strikes: number
    /** an organiser ended it: no minutes for others open it again */
    wasEnded: boolean
  } | null
}

/** What an act does to somebody, or why it does nothing. */
export type TimeOutcome =
  | 'moves'
  | 'reopens'
  /** before the start */
  | 'plans'
  | 'ends'
  | 'unchanged'
  | 'not_started'
  | 'handed_in'
  | 'closed'
  | 'strikes_stand'
  /** what is given is over already */
  | 'too_late'
  | 'would_end'
  | 'still_open'

export interface PlannedTime {
  outcome: TimeOutcome
  /** the new end; null where nothing is running afterwards */
  deadlineMs: number | null
  incidentSeconds: number
  plannedSeconds: number
  /** of the end, against before; of one that opens again, what is given beyond what was left */
  addedSeconds: number
  /** of one that opens again: for how long it stood closed */
  pausedMs: number | null
}

/** Outcomes that change something. */
export const CHANGING = ['moves', 'reopens', 'plans', 'ends'] as const
export const isChange = ({ outcome }: { outcome: TimeOutcome }) =>
  (CHANGING as readonly string[]).includes(outcome)

/**
 * What becomes of somebody's time. The one rule for the preview and the act (decision 011):
 *
 *     open                  the end moves
 *     closed by the clock   opens until the old end and what is given, if that lies ahead
 *     closed by strikes     opens for what was left and what is given, if they stand no more
 *     handed in             stays so, but for 'reopen'
 */
export function planTime({ plannedSeconds, attempt }: Seated, act: TimeAct, nowMs: number) {
  const stays = (outcome: TimeOutcome): PlannedTime => ({
    outcome,
    deadlineMs: attempt && attempt.submittedMs === null ? attempt.deadlineMs : null,
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
  const { deadlineMs, submittedMs, submitReason, incidentSeconds } = attempt
  const isOpen = submittedMs === null
  const strikesStand = attempt.strikes >= MAX_VIOLATIONS
  const leftMs = submittedMs === null ? 0 : Math.max(0, deadlineMs - submittedMs)
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
    pausedMs: Math.max(0, nowMs - (submittedMs ?? nowMs)),
  })
  switch (act.kind) {
    case 'give': {
      const to = deadlineMs + act.seconds * 1000
      if (isOpen) {
        // Nobody has closed it yet, and what is given would be over: the server was away for longer.
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
      // They would end it again at once.
      if (strikesStand) return stays('strikes_stand')
      const added = Math.max(0, Math.round(act.seconds - leftMs / 1000))
      return reopened(nowMs + act.seconds * 1000, added)
    }
    case 'end_now': {
      if (!isOpen || deadlineMs <= nowMs) return stays('closed')
      // After the start by a moment at least, as the table wants it.
      return moved(Math.max(nowMs, attempt.startedMs + 1), { outcome: 'ends' })
    }
  }
}
