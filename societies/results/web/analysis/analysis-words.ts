import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { countOf, listOf } from '../../../../platform/words.ts'
import { coefficient, percent } from '../../../kit/statistics/figures.ts'
import { FIGURES_FROM, tooFewWords } from '../../../kit/statistics/sample-size.ts'
import { needsALook, noticeWords } from '../../../kit/statistics/words.ts'
import type { AnalysedQuestion, getAnalysis } from '../../contract-analysis.ts'

export type Analysis = ResponseOf<typeof getAnalysis>

const isDecided = ({ kept, rulings }: AnalysedQuestion) => kept !== null || rulings > 0

/** The option that is probably right, where the key is probably wrong and no owner has decided yet. */
export function suspectOf(one: AnalysedQuestion): string | null {
  const [flag] = one.flags
  if (flag?.kind !== 'key-suspicious' || isDecided(one)) return null
  return OPTION_LETTERS[flag.option] ?? null
}

/** Whether a member should look at the question. */
export const isUrgent = (one: AnalysedQuestion): boolean =>
  !isDecided(one) && one.flags.some(needsALook)

/** The finding (product 7.18.3). */
export function headlineOf({ people, questions }: Analysis): string {
  if (people === 0) return 'Nobody has finished yet'
  if (people < FIGURES_FROM) return `${countOf(people, 'candidate')}: counts only`
  const [first, ...others] = questions.filter(suspectOf).map(({ item }) => String(item))
  if (first && others.length === 0) return `Question ${first} probably has the wrong key`
  if (first) return `Questions ${listOf([first, ...others])} probably have the wrong key`
  const urgent = questions.filter(isUrgent).length
  if (urgent === 0) return 'No question stands out'
  return urgent === 1 ? 'One question deserves a look' : `${urgent} questions deserve a look`
}

/** Why a key is suspicious (product 7.18.5). */
const BETTER_THAN_KEY =
  'Another option goes with the rest of the test better than the key does, and a third of the best chose it.'

/** What the finding is based on. */
export function sentenceOf(analysis: Analysis): string {
  const { people, openCount, questions, questionCount } = analysis
  const inside =
    openCount === 0
      ? ''
      : ` ${countOf(openCount, 'is', 'are')} still inside, and in none of these figures.`
  if (people === 0) return `The figures appear when the first one is out.${inside}`
  if (people < FIGURES_FROM) {
    return `${tooFewWords(people)} how good the test or a question is. That takes ${FIGURES_FROM} candidates.${inside}`
  }
  const suspicious = questions.filter(suspectOf)
  const others = questions.filter((one) => !suspectOf(one))
  const urgent = others.filter(isUrgent).length
  const [only] = suspicious
  if (!only) {
    const rest = urgent === 0 ? ', and no option draws the best away' : ''
    return `No key looks wrong${rest}.${inside}`
  }
  const rest =
    urgent > 0
      ? `Of the other ${others.length}, ${countOf(urgent, 'deserves', 'deserve')} a look.`
      : others.length === 1
        ? 'The other question works.'
        : `The other ${others.length} questions work.`
  if (suspicious.length > 1) return `${BETTER_THAN_KEY} ${rest}${inside}`
  const evidence = evidenceOf(only, questionCount)?.join(' ') ?? BETTER_THAN_KEY
  const proposed = only.proposals > 0 ? ' A ruling on it is proposed, and waits for an owner.' : ''
  return `${evidence}${proposed} ${rest}${inside}`
}

/** A row's notice: what was decided, or what deserves a look. */
export function noticeOf(one: AnalysedQuestion): string {
  const proposed = one.proposals > 0 && 'a ruling is proposed'
  const decided =
    (one.isVoid && 'left out') ||
    (one.isFullMarks && 'everybody has the point') ||
    (one.rulings > 0 && `ruled: ${one.keys.join(' or ')}`) ||
    (one.kept && 'key found right')
  const parts = decided ? [decided, proposed] : [proposed, noticeWords(one.flags)]
  return parts.filter(Boolean).join('; ')
}

/** '29 of the best 41 chose C.' and how those who chose it did on the other questions */
export function evidenceOf(one: AnalysedQuestion, questionCount: number): [string, string] | null {
  const suspect = suspectOf(one)
  const chosen = one.rows.find(({ option }) => option === suspect)
  const key = one.rows.find(({ option }) => option === one.keys[0])
  if (!suspect || !chosen || !key || chosen.restMean === null) return null
  const means =
    key.restMean === null
      ? `Nobody chose the key.`
      : `For the key it is ${key.restMean.toFixed(1)}.`
  return [
    `${chosen.top} of the best ${one.topCount} chose ${suspect}.`,
    `Candidates who chose ${suspect} have ${chosen.restMean.toFixed(1)} of the other ${questionCount - 1} right. ${means}`,
  ]
}

/** What the pace says; null where times are known for too few candidates. */
export function paceWords({ pace, timed, people }: Analysis): string | null {
  if (!pace) return null
  const known = timed < people ? ` Times are known for ${timed}.` : ''
  if (pace.notSerious === 0) return `Nobody rushed through the test.${known}`
  const without =
    pace.without === null ? '' : ` Without them KR-20 is ${coefficient(pace.without)}.`
  return `${countOf(pace.notSerious, 'candidate')} answered too many questions faster than they can be read, or never came to them.${without}${known}`
}

/** Whether the time was too short; null where it was not. */
export function endWords({ outOfTime }: Analysis): string | null {
  if (!outOfTime || outOfTime.missedLast < 0.05) return null
  const last = `${percent(outOfTime.missedLast)} had no time for the last question`
  return outOfTime.isTooLong
    ? `${last}, ${percent(outOfTime.missedEnd)} for the last fifth: the test is too long for its time.`
    : `${last}. Give more time, too.`
}
