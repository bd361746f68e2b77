// When an attempt may still be changed, and when and why it is closed (product 6.7.8, 6.7.12, 6.9.2).

/** How long after the deadline answers still in a page's queue are taken (product 6.7.8, 6.7.9). */
export const GRACE_MS = 10_000
/** How long nobody is finalised after the service itself was away across a deadline (product 6.7.12). */
export const AWAY_GRACE_MS = 60_000
/** How long after the grace a candidate token still works, and late answers are kept (product 6.7.10, 6.7.13). */
export const LATE_MS = 3_600_000

/** What closed an attempt (product 6.9.2). */
export type SubmitReason = 'candidate' | 'violations' | 'deadline'

interface Clocked {
  /** milliseconds since 1970 */
  deadlineMs: number
  submittedMs: number | null
}

export type AttemptPhase = 'running' | 'grace' | 'overdue' | 'closed'

/** Running before its deadline, in the grace in which only the queue is taken, overdue, or closed. */
export function phaseOf(attempt: Clocked, nowMs: number, graceEndMs: number): AttemptPhase {
  if (attempt.submittedMs !== null) return 'closed'
  if (nowMs < attempt.deadlineMs) return 'running'
  return nowMs < graceEndMs ? 'grace' : 'overdue'
}

/** The clock is red under this many seconds (product 6.7.4). */
export const RED_CLOCK_SECONDS = 300

export function remainingMs(deadlineMs: number, nowMs: number): number {
  return Math.max(0, deadlineMs - nowMs)
}

/** How long a candidate has, with what was promised before the day apart from what was given on it. Seconds. */
interface OwnTime {
  durationSeconds: number
  /** planned, in all */
  extraSeconds: number
  /** because something happened; less than nothing where the end was brought forward */
  givenSeconds: number
}

/** '30 min', '30 min + 10', and with both '30 min + 8 + 10': planned first, given after it (product 6.14.4). */
export function describeOwnTime({ durationSeconds, extraSeconds, givenSeconds }: OwnTime): string {
  const more = [extraSeconds, givenSeconds]
    .filter((seconds) => seconds !== 0)
    .map((seconds) => (seconds < 0 ? ` − ${minutesOf(-seconds)}` : ` + ${minutesOf(seconds)}`))
  return `${minutesOf(durationSeconds)} min${more.join('')}`
}

/** '30', '7.5' */
const minutesOf = (seconds: number) => String(Math.round(seconds / 6) / 10)
