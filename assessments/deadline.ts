// When an attempt can still change, and when and why it closes (product 6.7.8, 6.7.12, 6.9.2).

/** How long after the deadline the server accepts answers from a page's queue (product 6.7.8, 6.7.9). */
export const GRACE_MS = 10_000
/** How long the server waits before closing attempts after an outage across a deadline (product 6.7.12). */
export const AWAY_GRACE_MS = 60_000
/** How long after the grace period a candidate token works and late answers are kept (product 6.7.10, 6.7.13). */
export const LATE_MS = 3_600_000

/** What closed an attempt (product 6.9.2). */
export type SubmitReason = 'candidate' | 'violations' | 'deadline'

interface Clocked {
  /** Milliseconds since 1970. */
  deadlineMs: number
  submittedMs: number | null
}

export type AttemptPhase = 'running' | 'grace' | 'overdue' | 'closed'

/** Running before the deadline, then grace (only queued answers are accepted), then overdue or closed. */
export function phaseOf(attempt: Clocked, nowMs: number, graceEndMs: number): AttemptPhase {
  if (attempt.submittedMs !== null) return 'closed'
  if (nowMs < attempt.deadlineMs) return 'running'
  return nowMs < graceEndMs ? 'grace' : 'overdue'
}

/** The clock turns red below this many seconds (product 6.7.4). */
export const RED_CLOCK_SECONDS = 300

export function remainingMs(deadlineMs: number, nowMs: number): number {
  return Math.max(0, deadlineMs - nowMs)
}

/** A candidate's time in seconds. Planned extra time is separate from time given during the test. */
interface OwnTime {
  durationSeconds: number
  extraSeconds: number
  /** Given because of an incident. Negative if the end was moved earlier. */
  givenSeconds: number
}

/** Formats '30 min', '30 min + 10' or '30 min + 8 + 10', with planned time before given time (product 6.14.4). */
export function describeOwnTime({ durationSeconds, extraSeconds, givenSeconds }: OwnTime): string {
  const more = [extraSeconds, givenSeconds]
    .filter((seconds) => seconds !== 0)
    .map((seconds) => (seconds < 0 ? ` − ${minutesOf(-seconds)}` : ` + ${minutesOf(seconds)}`))
  return `${minutesOf(durationSeconds)} min${more.join('')}`
}

/** Formats '30' or '7.5'. */
const minutesOf = (seconds: number) => String(Math.round(seconds / 6) / 10)
