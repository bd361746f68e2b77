/** A time that no one test takes says nothing: the person was away. */
const LONGEST_TOLD_MS = 2 * 3600 * 1000

/** What was measured of a test: each question's time in view, or only from the first question to Finish. */
export interface Measured {
  /** in the questions' order, milliseconds; null where nobody measured */
  times?: readonly (number | null)[] | undefined
  durationMs?: number | undefined
  totalQuestions: number
}

/**
 * How long a question took on average, and all of them.
 * @returns null where nothing was measured, or the person was away
 */
export function paceOf({ times, durationMs, totalQuestions }: Measured) {
  const measured = measuredTimes(times)
  const wholeMs = measured ? measured.reduce((sum, ms) => sum + ms, 0) : durationMs
  if (wholeMs === undefined || wholeMs <= 0 || wholeMs > LONGEST_TOLD_MS) return null
  return { wholeMs, eachMs: wholeMs / totalQuestions }
}

/** The times when every question has one, else null: a picture with gaps would say what wasn't so. */
export function measuredTimes(times: Measured['times']): number[] | null {
  if (!times || times.length === 0 || times.some((ms) => ms === null)) return null
  return times as number[]
}

/** '0:52' */
export function minutesAndSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
