import { median } from './moments.ts'

/*
 * What the time on a question says. Times are milliseconds for which the question was visible, by candidate
 * and item; 0 where a candidate never came to it, null where nothing was measured.
 */
export type TimesMs = readonly (readonly (number | null)[])[]

/** A guess is faster than a tenth of what people take, but at least 3 s count as one and 10 s never do. */
const GUESS = { share: 0.1, leastMs: 3_000, mostMs: 10_000 } as const
/** Below this share of questions at solution pace somebody was not serious, or out of time. */
export const LEAST_SOLUTION_PACE = 0.9
/** Of a paper, the end; and how many candidates may miss it before the test is too long. */
const END = { share: 0.2, candidates: 0.1 } as const

/**
 * Below how many milliseconds an answer to an item is a rapid guess (normative threshold at 10%, Wise and Ma
 * 2012, within 3 and 10 s). Null where nobody's time is known.
 */
export function guessThresholdMs(timesOfItem: readonly (number | null)[]): number | null {
  const known = timesOfItem.filter((time) => time !== null && time > 0) as number[]
  if (known.length === 0) return null
  return Math.min(GUESS.mostMs, Math.max(GUESS.leastMs, GUESS.share * median(known)))
}

/** Thresholds of all items. */
export function guessThresholds(timesMs: TimesMs): (number | null)[] {
  const items = timesMs[0]?.length ?? 0
  return Array.from({ length: items }, (_, item) =>
    guessThresholdMs(timesMs.map((row) => row[item] ?? null)),
  )
}

/** Whether a time is a rapid guess; a question that was never looked at is none. */
export function isRapid(timeMs: number | null, thresholdMs: number | null): boolean {
  return timeMs !== null && timeMs > 0 && thresholdMs !== null && timeMs < thresholdMs
}

/**
 * Response time effort (Wise and Kong 2005): the share of questions on which a candidate spent the time that
 * solving takes. Questions never come to lower it, too. Null where nothing was measured. Below
 * `LEAST_SOLUTION_PACE` statistics are also shown without the candidate.
 */
export function solutionPace(
  times: readonly (number | null)[],
  thresholds: readonly (number | null)[],
): number | null {
  let [measured, solved] = [0, 0]
  for (const [item, time] of times.entries()) {
    const threshold = thresholds[item] ?? null
    if (time === null || threshold === null) continue
    measured += 1
    if (time >= threshold) solved += 1
  }
  return measured === 0 ? null : solved / measured
}

/** A place on a candidate's own paper. */
interface PaperPlace {
  isAnswered: boolean
  isRapid: boolean
}

interface OutOfTime {
  /** share of candidates to whom the whole last fifth of the paper is unanswered or guessed */
  missedEnd: number
  /** share to whom the very last question is */
  missedLast: number
  /** more than a tenth missed the end: the organisers' fault, not the candidates' */
  isTooLong: boolean
}

/**
 * Whether the test was too long for its time.
 * @param papers by candidate, in the order of the candidate's own paper
 */
export function outOfTime(papers: readonly (readonly PaperPlace[])[]): OutOfTime {
  if (papers.length === 0) return { missedEnd: 0, missedLast: 0, isTooLong: false }
  const isMissed = ({ isAnswered, isRapid: isGuess }: PaperPlace) => !isAnswered || isGuess
  const share = (last: (paper: readonly PaperPlace[]) => number) =>
    papers.filter((paper) => paper.length > 0 && paper.slice(-last(paper)).every(isMissed)).length /
    papers.length
  const missedEnd = share((paper) => Math.max(1, Math.round(paper.length * END.share)))
  return { missedEnd, missedLast: share(() => 1), isTooLong: missedEnd > END.candidates }
}
