import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { countOf, listOf } from '../../../../platform/words.ts'
import {
  GOOD_RELIABILITY,
  itemsNeeded,
  LEAST_RELIABILITY,
  pointsApart,
} from '../../../kit/statistics/reliability.ts'
import { FIGURES_FROM } from '../../../kit/statistics/responses.ts'
import type { AnalyzedQuestion, getAnalysis } from '../../contract-analysis.ts'
import { coefficient, percent, tooFewWords } from '../results-words.ts'

export type Analysis = ResponseOf<typeof getAnalysis>
type Flag = AnalyzedQuestion['flags'][number]

export function reliabilityWords(alpha: number): readonly [word: string, meaning: string] {
  if (alpha < LEAST_RELIABILITY) return ['Do not rank', 'Do not rank individuals by this test.']
  if (alpha < 0.65)
    return ['Weak', 'It separates the best from the weakest candidates, but little in between.']
  if (alpha < GOOD_RELIABILITY)
    return ['Fair', 'It separates groups, but not candidates with similar scores.']
  return ['Good', 'It is precise enough to choose whom to invite.']
}

/** Two candidates must differ by this many whole points before one can be called better. */
export const wholePointsApart = (error: number): number => Math.floor(pointsApart(error)) + 1

/** The length needed for a reliability of .80: '32 questions', '8 more of the same kind.' */
export function lengthWords(items: number, alpha: number): readonly [value: string, words: string] {
  const needed = itemsNeeded(items, alpha)
  if (needed === null) return ['–', 'More questions of the same kind would not help.']
  if (needed <= items) return ['It does', 'The test reaches .80 with its current questions.']
  return [`${needed} questions`, `${needed - items} more of the same kind.`]
}

/** Other flags are for information only. */
const needsALook = ({ kind }: Flag): boolean =>
  ['key-suspicious', 'attracts-the-good', 'negative', 'left-blank'].includes(kind)

const letterOf = ({ option }: Flag) => (option === undefined ? '' : OPTION_LETTERS[option])

/** 'key is probably C', 'C attracts strong candidates', '13% left it blank' */
const flagWords = (flag: Flag): string =>
  ({
    'key-suspicious': `key is probably ${letterOf(flag)}`,
    'attracts-the-good': `${letterOf(flag)} attracts strong candidates`,
    negative: 'stronger candidates got it wrong: check the key first',
    'left-blank': `${percent(flag.share ?? 0)} left it blank`,
    'too-hard': 'very hard',
    'too-easy': 'very easy',
    'not-working': `${letterOf(flag)} rarely chosen`,
  })[flag.kind]

/** Flags in one line, most urgent first. Rarely chosen options are joined: 'C, D rarely chosen'. */
function flagsWords(flags: readonly Flag[]): string {
  const urgent = flags.filter(needsALook)
  // A suspicious key already explains why better candidates got it wrong.
  if (urgent[0]?.kind === 'key-suspicious') return flagWords(urgent[0])
  if (urgent.length > 0) return urgent.map(flagWords).join('; ')
  const rare = flags.filter(({ kind }) => kind === 'not-working').map(letterOf)
  const others = flags.filter(({ kind }) => kind !== 'not-working').map(flagWords)
  return [...others, ...(rare.length > 0 ? [`${rare.join(', ')} rarely chosen`] : [])].join('; ')
}

const isDecided = ({ kept, rulings }: AnalyzedQuestion) => kept !== null || rulings > 0

/** The option that is probably right, if the key is probably wrong and no owner has decided yet. */
export function suspectOf(one: AnalyzedQuestion): string | null {
  const [flag] = one.flags
  return flag?.kind === 'key-suspicious' && !isDecided(one) ? letterOf(flag) : null
}

export const isUrgent = (one: AnalyzedQuestion): boolean =>
  !isDecided(one) && one.flags.some(needsALook)

/** The finding (product 7.18.3). */
export function headlineOf({ people, questions }: Analysis): string {
  if (people === 0) return 'No one has finished yet'
  if (people < FIGURES_FROM) return `${countOf(people, 'candidate')}: counts only`
  const wrong = questions.filter(suspectOf).map(({ item }) => item)
  if (wrong.length === 1) return `Question ${wrong[0]} probably has the wrong key`
  if (wrong.length > 1) return `Questions ${listOf(wrong)} probably have the wrong key`
  const urgent = questions.filter(isUrgent).length
  if (urgent === 0) return 'No question stands out'
  return urgent === 1 ? 'One question deserves a look' : `${urgent} questions deserve a look`
}

/** Why a key is suspicious (product 7.18.5). */
const BETTER_THAN_KEY =
  'Another option fits the rest of the test better than the key, and a third of the top candidates chose it.'

export function sentenceOf(analysis: Analysis): string {
  const { people, openCount, underReview, questions, questionCount } = analysis
  const leftOut = [
    [openCount, 'still taking the test'] as const,
    [underReview, 'under review'] as const,
  ].map(
    ([count, why]) =>
      count > 0 &&
      `${countOf(count, 'candidate is', 'candidates are')} ${why} and not included in these figures.`,
  )
  const [only, second] = questions.filter(suspectOf)
  const others = questions.filter((one) => !suspectOf(one))
  const urgent = others.filter(isUrgent).length
  let found: string
  if (people === 0) found = 'The figures appear when the first candidate has finished.'
  else if (people < FIGURES_FROM) {
    found = `${tooFewWords(people)} how good the test or a question is. You need at least ${FIGURES_FROM} candidates.`
  } else if (!only) {
    found = `No key looks wrong${urgent === 0 ? ', and no wrong option attracts the top candidates' : ''}.`
  } else {
    const evidence = second ? null : evidenceOf(only, questionCount)?.join(' ')
    const proposed =
      !second && only.proposals > 0 && 'A ruling has been proposed and is waiting for an owner.'
    const rest =
      urgent > 0
        ? `Of the other ${others.length}, ${countOf(urgent, 'deserves', 'deserve')} a look.`
        : others.length === 1
          ? 'The other question works.'
          : `The other ${others.length} questions work.`
    found = [evidence ?? BETTER_THAN_KEY, proposed, rest].filter(Boolean).join(' ')
  }
  return [found, ...leftOut].filter(Boolean).join(' ')
}

export function noticeOf(one: AnalyzedQuestion): string {
  const proposed = one.proposals > 0 && 'a ruling is proposed'
  const decided =
    (one.isVoid && 'left out') ||
    (one.isFullMarks && 'everyone gets the point') ||
    (one.rulings > 0 && `ruled: ${one.keys.join(' or ')}`) ||
    (one.kept && 'key confirmed')
  const parts = decided ? [decided, proposed] : [proposed, flagsWords(one.flags)]
  return parts.filter(Boolean).join('; ')
}

/** '29 of the top 41 candidates chose C.', and how these candidates did on the other questions */
export function evidenceOf(one: AnalyzedQuestion, questionCount: number): [string, string] | null {
  const suspect = suspectOf(one)
  const chosen = one.rows.find(({ option }) => option === suspect)
  const key = one.rows.find(({ option }) => option === one.keys[0])
  if (!suspect || !chosen || !key || chosen.restMean === null) return null
  const means =
    key.restMean === null
      ? 'No candidate chose the key.'
      : `Candidates who chose the key got ${key.restMean.toFixed(1)} right.`
  return [
    `${chosen.top} of the top ${one.topCount} candidates chose ${suspect}.`,
    `Candidates who chose ${suspect} got ${chosen.restMean.toFixed(1)} of the other ${questionCount - 1} right on average. ${means}`,
  ]
}

/** Describes the pace; null if too few candidates have known times. */
export function paceWords({ pace, timed, people }: Analysis): string | null {
  if (!pace) return null
  const known = timed < people ? ` Times are known for ${countOf(timed, 'candidate')}.` : ''
  if (pace.notSerious === 0) return `No candidate rushed through the test.${known}`
  const without =
    pace.without === null ? '' : ` Without these, KR-20 is ${coefficient(pace.without)}.`
  return `${countOf(pace.notSerious, 'candidate')} answered too many questions faster than anyone can read, or never reached them.${without}${known}`
}

/** Says that the time was too short; null if it was enough. */
export function endWords({ outOfTime }: Analysis): string | null {
  if (!outOfTime || outOfTime.missedLast < 0.05) return null
  const last = `${percent(outOfTime.missedLast)} ran out of time before the last question`
  return outOfTime.isTooLong
    ? `${last}, and ${percent(outOfTime.missedEnd)} before the last fifth. The test is too long for its time limit.`
    : `${last}. Allow more time, too.`
}
