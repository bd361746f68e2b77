import { median } from './moments.ts'

/* Analyzes the time spent on questions. Times are the milliseconds for which a question was visible: 0 if the candidate
   never reached it, null if nothing was measured. */
type Times = readonly (number | null)[]

/** A rapid guess takes less than a tenth of the usual time. The threshold is at least 3 s and at most 10 s. */
const GUESS = { share: 0.1, leastMs: 3_000, mostMs: 10_000 } as const
/** A candidate with a smaller share of questions at solution pace wasn't serious, or ran out of time. */
export const LEAST_SOLUTION_PACE = 0.9
/** The share of a paper that counts as its end, and the share of candidates missing it that makes the test too long. */
const END = { share: 0.2, candidates: 0.1 } as const

/** Returns the milliseconds below which an answer is a rapid guess (Wise and Ma 2012); null if no time is known. */
export function guessThresholdMs(timesOfItem: Times): number | null {
  const known = timesOfItem.filter((time): time is number => time !== null && time > 0)
  if (known.length === 0) return null
  return Math.min(GUESS.mostMs, Math.max(GUESS.leastMs, GUESS.share * median(known)))
}

/** Whether a time is a rapid guess. A question that was never viewed isn't one. */
export const isRapid = (timeMs: number | null, thresholdMs: number | null): boolean =>
  timeMs !== null && timeMs > 0 && thresholdMs !== null && timeMs < thresholdMs

/**
 * Response time effort (Wise and Kong 2005): the share of questions on which a candidate spent a realistic solution
 * time. Questions never reached lower it. Null if nothing was measured. For candidates below `LEAST_SOLUTION_PACE`,
 * statistics are also shown without them.
 */
export function solutionPace(times: Times, thresholds: Times): number | null {
  const measured = times.flatMap((time, item) => {
    const threshold = thresholds[item] ?? null
    return time === null || threshold === null ? [] : time >= threshold
  })
  return measured.length === 0 ? null : measured.filter(Boolean).length / measured.length
}

interface PaperPlace {
  isAnswered: boolean
  isRapid: boolean
}

/** Whether the whole last fifth of a paper, and its very last question, are unanswered or guessed. */
export function missedOf(paper: readonly PaperPlace[]): { end: boolean; last: boolean } {
  const isMissed = (count: number) =>
    paper.length > 0 && paper.slice(-count).every((one) => !one.isAnswered || one.isRapid)
  return { end: isMissed(Math.max(1, Math.round(paper.length * END.share))), last: isMissed(1) }
}

/**
 * Whether the test was too long for its time.
 * @param papers what each candidate missed, see `missedOf`
 * @returns the shares of candidates whose whole last fifth, and whose very last question, are unanswered or guessed.
 * The test is too long if a tenth missed the end, which is the organizers' fault and not the candidates'
 */
export function outOfTime(papers: readonly ReturnType<typeof missedOf>[]) {
  if (papers.length === 0) return { missedEnd: 0, missedLast: 0, isTooLong: false }
  const missedEnd = papers.filter(({ end }) => end).length / papers.length
  const missedLast = papers.filter(({ last }) => last).length / papers.length
  return { missedEnd, missedLast, isTooLong: missedEnd > END.candidates }
}
