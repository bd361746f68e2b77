import { mean, median } from './moments.ts'
import { mayBeSaid } from './what-may-be-said.ts'

/*
 * What the time on a question says. Times are milliseconds for which the question was visible, by candidate
 * and item; 0 where a candidate never came to it, null where nothing was measured.
 */
export type TimesMs = readonly (readonly (number | null)[])[]

/** A guess is faster than a tenth of what people take, but at least 3 s count as one and 10 s never do. */
const GUESS = { share: 0.1, leastMs: 3_000, mostMs: 10_000 } as const
/** Below this share of questions at solution pace somebody was not serious, or out of time. */
export const LEAST_SOLUTION_PACE = 0.9
/** Nobody reads more than ten words a second and understands them. */
const WORDS_PER_SECOND = 10
/** Hard questions answered right without being read: so many before it counts. */
const UNREAD = { items: 3, harderThan: 0.5 } as const
const SURPRISING = { below: -2.5, items: 4, right: 0.75 } as const
/** Of a paper, the end; and how many candidates may miss it before the test is too long. */
const END = { share: 0.2, candidates: 0.1 } as const
/** Of the alternating fit of paces and items: two rounds change nothing that a limit would see. */
const ROUNDS = 4

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

/** An item to somebody who reads it. */
export interface ReadItem {
  /** of stem and options */
  words: number
  /** share of all candidates who had it right */
  p: number
}

export interface UnreadAnswers {
  /** items that were answered right in less time than reading takes, from 0 */
  items: number[]
  /** whether enough of them are hard: three with p below .5 */
  counts: boolean
}

/** Right answers in less time than ten words a second take. */
export function unreadAnswers(
  times: readonly (number | null)[],
  marks: readonly number[],
  items: readonly ReadItem[],
): UnreadAnswers {
  const unread = items.flatMap(({ words }, item) => {
    const time = times[item] ?? null
    const floorMs = (words / WORDS_PER_SECOND) * 1_000
    return marks[item] === 1 && time !== null && time > 0 && time < floorMs ? [item] : []
  })
  const hard = unread.filter((item) => (items[item]?.p ?? 1) < UNREAD.harderThan)
  return { items: unread, counts: hard.length >= UNREAD.items }
}

export interface SurprisingSpeed {
  candidate: number
  /** of the hardest third, those far faster than this person's pace and the item's usual time */
  items: number[]
  /** how many of them are right */
  right: number
}

/**
 * Who answered at least four of the hardest third surprisingly fast, three in four of them right: worth a
 * talk, and no more (lognormal model of response times, van der Linden 2006: residual ln t − (β − τ) below
 * −2.5 of the item's standard deviations). Empty below 60 candidates. A pace is a median over the questions,
 * or the fast ones would make their own excuse.
 * @param marks by candidate and item, 0 or 1
 */
export function surprisingSpeeds(
  timesMs: TimesMs,
  marks: readonly (readonly number[])[],
): SurprisingSpeed[] {
  if (mayBeSaid('surprising-speed', timesMs.length) === 'hidden') return []
  const items = timesMs[0]?.length ?? 0
  const logs = timesMs.map((row) =>
    Array.from({ length: items }, (_, item) => {
      const time = row[item] ?? null
      return time !== null && time > 0 ? Math.log(time) : null
    }),
  )
  const { pace, intensity } = fitPaces(logs, items)
  const residual = (candidate: number, item: number) => {
    const log = logs[candidate]?.[item] ?? null
    return log === null ? null : log - (intensity[item] as number) + (pace[candidate] as number)
  }
  const deviations = intensity.map((_, item) => {
    const residuals = logs.flatMap((_, candidate) => residual(candidate, item) ?? [])
    return Math.sqrt(residuals.reduce((sum, value) => sum + value ** 2, 0) / (residuals.length - 1))
  })
  const hardest = hardestThird(marks, items)
  return logs.flatMap((_, candidate) => {
    const fast = hardest.filter((item) => {
      const value = residual(candidate, item)
      return value !== null && value < SURPRISING.below * (deviations[item] as number)
    })
    const right = fast.filter((item) => marks[candidate]?.[item] === 1).length
    const isSurprising = fast.length >= SURPRISING.items && right >= SURPRISING.right * fast.length
    return isSurprising ? [{ candidate, items: fast, right }] : []
  })
}

/** A place on a candidate's own paper. */
export interface PaperPlace {
  isAnswered: boolean
  isRapid: boolean
}

export interface OutOfTime {
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

/** τ by candidate and β by item, so that ln t is about β − τ, by turns. */
function fitPaces(logs: readonly (readonly (number | null)[])[], items: number) {
  const pace = logs.map(() => 0)
  const intensity = Array<number>(items).fill(0)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let item = 0; item < items; item += 1) {
      const known = logs.flatMap((row, candidate) => {
        const log = row[item] ?? null
        return log === null ? [] : log + (pace[candidate] as number)
      })
      intensity[item] = known.length > 0 ? mean(known) : 0
    }
    for (const [candidate, row] of logs.entries()) {
      const known = row.flatMap((log, item) =>
        log === null ? [] : (intensity[item] as number) - log,
      )
      pace[candidate] = known.length > 0 ? median(known) : 0
    }
  }
  return { pace, intensity }
}

/** The items with the fewest right answers. */
function hardestThird(marks: readonly (readonly number[])[], items: number): number[] {
  const right = Array.from({ length: items }, (_, item) => mean(marks.map((row) => row[item] ?? 0)))
  return right
    .map((_, item) => item)
    .sort((a, b) => (right[a] as number) - (right[b] as number) || a - b)
    .slice(0, Math.round(items / 3))
    .sort((a, b) => a - b)
}
