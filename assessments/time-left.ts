/** The clock is red under this many seconds (product 6.7.4). */
export const RED_CLOCK_SECONDS = 300

/** Milliseconds left, never negative. */
export function remainingMs(deadlineMs: number, nowMs: number): number {
  return Math.max(0, deadlineMs - nowMs)
}
