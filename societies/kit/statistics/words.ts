import { percent } from './figures.ts'
import type { ItemFlag } from './option-table.ts'
import { itemsNeeded, pointsApart, reliabilityWord } from './reliability.ts'
import type { Choice } from './responses.ts'

/*
 * Sentences that several pages share, the public card among them: short, calm, and true of the figures they
 * are made from. A page that needs another sentence adds it here, where the tests are.
 */

const letterOf = (option: Choice) => 'ABCD'[option]

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
