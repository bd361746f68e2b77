/** How long each question of a test has been in view, and which one is in view now. */
interface QuizClock {
  /** by question id, milliseconds, without the view that is going on */
  tookMs: Record<string, number>
  /** null while nothing is in view: the page is hidden, or the answer was judged */
  inView: { questionId: number; sinceMs: number } | null
}

/** A day: what the server takes at most. */
const LONGEST_MS = 86_400_000

/** A clock that goes on from what was measured before. */
export function clockFrom(tookMs: Record<string, number>): QuizClock {
  return { tookMs, inView: null }
}

/**
 * Another question comes into view, or none (product 3.3.15). The view before it is counted.
 * @param nowMs of a clock that never jumps, performance.now() for one
 */
export function turnTo(clock: QuizClock, questionId: number | null, nowMs: number): QuizClock {
  return {
    tookMs: readClock(clock, nowMs),
    inView: questionId === null ? null : { questionId, sinceMs: nowMs },
  }
}

/** Whole milliseconds in view of each question by now, a day at most. */
export function readClock({ tookMs, inView }: QuizClock, nowMs: number): Record<string, number> {
  if (!inView) return tookMs
  const before = tookMs[inView.questionId] ?? 0
  const now = Math.round(before + Math.max(0, nowMs - inView.sinceMs))
  return { ...tookMs, [inView.questionId]: Math.min(LONGEST_MS, now) }
}
