/** The clock is red under this many seconds (product 6.7.4). */
export const RED_CLOCK_SECONDS = 300

/** Milliseconds left, never negative. */
export function remainingMs(deadlineMs: number, nowMs: number): number {
  return Math.max(0, deadlineMs - nowMs)
}

/** mm:ss; minutes grow past 59 where somebody has extra time (product 6.7.7). */
export function formatMinutes(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(Math.floor(seconds / 60))}:${two(seconds % 60)}`
}
