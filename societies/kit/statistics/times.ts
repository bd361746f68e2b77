import { median } from './moments.ts'

/*
 * What the time on a question says. Times are the milliseconds for which the question was visible, 0 where a candidate
 * never came to it, null where nothing was measured.
 */
type Times = readonly (number | null)[]

/** A guess is faster than a tenth of what people take, but at least 3 s count as one and 10 s never do. */
const GUESS = { share: 0.1, leastMs: 3_000, mostMs: 10_000 } as const
/** Below this share of questions at solution pace a candidate was not serious, or out of time. */
export const LEAST_SOLUTION_PACE = 0.9
/** The end of a paper; and how many candidates may miss it before the test is too long. */
const END = { share: 0.2, candidates: 0.1 } as const

/** Milliseconds below which an answer is a rapid guess (Wise and Ma 2012); null where no time is known. */
export function guessThresholdMs(timesOfItem: Times): number | null {
  const known = timesOfItem.filter((time): time is number => time !== null && time > 0)
  if (known.length === 0) return null
  return Math.min(GUESS.mostMs, Math.max(GUESS.leastMs, GUESS.share * median(known)))
}

/** Whether a time is a rapid guess; a question that was never looked at is none. */
export const isRapid = (timeMs: number | null, thresholdMs: number | null): boolean =>
  timeMs !== null && timeMs > 0 && thresholdMs !== null && timeMs < thresholdMs

/**
 * Response time effort (Wise and Kong 2005): the share of questions on which a candidate spent the time that solving
 * takes. Questions never come to lower it, too. Null where nothing was measured. Below `LEAST_SOLUTION_PACE` statistics
 * are also shown without the candidate.
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
 * @returns the shares of candidates to whom the whole last fifth of the paper, and the very last question, are
 *   unanswered or guessed; too long, the organizers' fault and not the candidates', where a tenth missed the end
 */
export function outOfTime(papers: readonly ReturnType<typeof missedOf>[]) {
  if (papers.length === 0) return { missedEnd: 0, missedLast: 0, isTooLong: false }
  const missedEnd = papers.filter(({ end }) => end).length / papers.length
  const missedLast = papers.filter(({ last }) => last).length / papers.length
  return { missedEnd, missedLast, isTooLong: missedEnd > END.candidates }
}
