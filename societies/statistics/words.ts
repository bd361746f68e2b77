import { coefficient, decimal, fromTo, onceIn, percent, points } from './figures.ts'
import type { Comparison } from './forms/comparison.ts'
import type { Interval } from './moments.ts'
import type { Direction, ItemFlag } from './option-table.ts'
import { itemsNeeded, pointsApart, reliabilityWord } from './reliability.ts'
import type { Choice } from './responses.ts'
import type { PairAgreement } from './similarity/pairs.ts'

/*
 * Sentences that several pages share, the public card among them: short, calm, and true of the figures they
 * are made from. A page that needs another sentence adds it here, where the tests are.
 */

const LETTERS = ['A', 'B', 'C', 'D'] as const
const letterOf = (option: Choice) => LETTERS[option]

/** 'KR-20 .71, with 95% confidence between .60 and .80: fair' */
export function reliabilityWords(alpha: number, { low, high }: Interval): string {
  return `KR-20 ${coefficient(alpha)}, with 95% confidence between ${coefficient(low)} and ${coefficient(high)}: ${reliabilityWord(alpha)}`
}

/** The same where the group is too small for more: 'KR-20 is .63, but could be anything from .36 to .82.' */
export function uncertainReliabilityWords(alpha: number, { low, high }: Interval): string {
  return `KR-20 is ${coefficient(alpha)}, but could be anything from ${coefficient(low)} to ${coefficient(high)}.`
}

/** What a reliability is good for, as one sentence. */
export function reliabilityMeaning(alpha: number): string {
  switch (reliabilityWord(alpha)) {
    case 'do not rank':
      return 'Do not rank individuals by this test.'
    case 'weak':
      return 'It tells the best from the weakest, and little between.'
    case 'fair':
      return 'It tells groups apart, not neighbours.'
    case 'good':
      return 'It is good for its purpose: choosing whom to invite.'
  }
}

/** By how many whole points two candidates must differ before one can be called better. */
export function wholePointsApart(error: number): number {
  return Math.floor(pointsApart(error)) + 1
}

/** 'A score is good to about ± 2 points.' */
export function scoreErrorWords(error: number): string {
  const about = Math.max(1, Math.round(error))
  return `A score is good to about ± ${points(about)}.`
}

/** What takes the place of groups in a small group or a weak test: 'No order within 6 points is supported.' */
export function noOrderWords(error: number): string {
  const within = Math.max(1, Math.floor(pointsApart(error)))
  return `No order within ${points(within)} is supported.`
}

/**
 * '32 questions of the same kind would reach .80: 8 more.', 'It reaches .80 with the questions it has.'; of a
 * test that length does not mend: 'More questions of the same kind would not help.'
 */
export function lengthWords(items: number, alpha: number): string {
  const needed = itemsNeeded(items, alpha)
  if (needed === null) return 'More questions of the same kind would not help.'
  if (needed <= items) return 'It reaches .80 with the questions it has.'
  return `${needed} questions of the same kind would reach .80: ${needed - items} more.`
}

/** A flag as a row's notice: 'key suspicious: C', 'C attracts the good', '13% left it blank'. */
export function flagWords(flag: ItemFlag): string {
  switch (flag.kind) {
    case 'key-suspicious':
      return `key suspicious: ${letterOf(flag.option)}`
    case 'attracts-the-good':
      return `${letterOf(flag.option)} attracts the good`
    case 'negative':
      return 'better ones had it wrong: look at the key first'
    case 'left-blank':
      return `${percent(flag.share)} left it blank`
    case 'too-hard':
      return 'very hard'
    case 'too-easy':
      return 'very easy'
    case 'not-working':
      return `${letterOf(flag.option)} hardly chosen`
  }
}

/** Flags on which somebody should look; the others are for information. */
export function needsALook({ kind }: ItemFlag): boolean {
  return ['key-suspicious', 'attracts-the-good', 'negative', 'left-blank'].includes(kind)
}

/**
 * The notice of an item in one line: the most urgent flags that need a look, or else what is for information,
 * options that hardly anybody chose together: 'C, D hardly chosen'. Empty without flags.
 */
export function noticeWords(flags: readonly ItemFlag[]): string {
  const urgent = flags.filter(needsALook)
  // A suspicious key explains why better ones had it wrong.
  if (urgent[0]?.kind === 'key-suspicious') return flagWords(urgent[0])
  if (urgent.length > 0) return urgent.map(flagWords).join('; ')
  const rare = flags.flatMap((flag) => (flag.kind === 'not-working' ? [letterOf(flag.option)] : []))
  const others = flags.filter(({ kind }) => kind !== 'not-working').map(flagWords)
  return [...others, ...(rare.length > 0 ? [`${rare.join(', ')} hardly chosen`] : [])].join('; ')
}

/** The direction of an item, where the group is too small for coefficients. */
export function directionWords(direction: Direction): string {
  if (direction === 'key') return 'better ones chose the key'
  if (direction === 'none') return 'no clear direction'
  return `better ones chose ${letterOf(direction.option)}: look`
}

/** 'Scores 6 to 20, median 13, the middle half between 9 and 15.' */
export function scoresWords(scores: {
  low: number
  high: number
  median: number
  quartiles: Interval
}): string {
  const { low, high, median, quartiles } = scores
  return `Scores ${fromTo(low, high)}, median ${median}, the middle half between ${quartiles.low} and ${quartiles.high}.`
}

/**
 * What similarity of a pair means: 'They gave 24 identical answers, 6 of them wrong. Two independent people of
 * their strength give 15 on average; as many or more happen once in 40,000 pairs.'
 */
export function similarityWords({
  identical,
  identicalWrong,
  expected,
  p,
}: Pick<PairAgreement, 'identical' | 'identicalWrong' | 'expected' | 'p'>): string {
  const howOften = p > 0.5 ? 'in most' : onceIn(p)
  return (
    `They gave ${identical} identical answers, ${identicalWrong} of them wrong. ` +
    `Two independent people of their strength give ${Math.round(expected)} on average; ` +
    `as many or more happen ${howOften} pairs.`
  )
}

/** What a comparison of sessions came to. */
export function comparisonWords(comparison: Comparison): string {
  switch (comparison.say) {
    case 'leak-warning':
      return 'The common questions became easier: either stronger candidates or known questions. Do not adjust.'
    case 'methods-disagree':
      return 'Two methods of comparing the sessions differ by more than half a point. Nothing is adjusted.'
    case 'report-only':
      return REPORT_WORDS[comparison.because]
    case 'offer-shift': {
      const { shift, interval } = comparison
      const [verb, least, most] =
        shift > 0
          ? ['raised', interval.low, interval.high]
          : ['lowered', -interval.high, -interval.low]
      return `Scores of the later session could be ${verb} by ${points(Math.abs(shift))}, with 95% confidence between ${decimal(least)} and ${decimal(most)}.`
    }
  }
}

const REPORT_WORDS: Record<Extract<Comparison, { say: 'report-only' }>['because'], string> = {
  'too-few-people':
    'With fewer than 30 candidates in a session the difference is reported, and nothing adjusted.',
  'too-few-anchors':
    'With fewer than 8 sound common questions the difference is reported, and nothing adjusted.',
  'no-variation': 'The scores of a session do not vary: nothing can be compared.',
  'no-difference':
    'The forms differ by less than a quarter of a point. There is nothing to adjust.',
}
