import type { ResponseOf } from '../../../platform/endpoint.ts'
import { countOf, listOf } from '../../../platform/words.ts'
import type { AnalysedQuestion, getAnalysis } from '../../contract/analysis.ts'
import { coefficient, percent } from '../../statistics/figures.ts'
import { FIGURES_FROM, tooFewWords } from '../../statistics/sample-size.ts'
import { needsALook, noticeWords } from '../../statistics/words.ts'

export type Analysis = ResponseOf<typeof getAnalysis>

const LETTERS = 'ABCD'

/** The option that is probably right where the key is probably wrong, and nobody has decided yet. */
export function suspectOf({ flags, kept, rulings }: AnalysedQuestion): string | null {
  const [flag] = flags
  if (flag?.kind !== 'key-suspicious' || kept || rulings > 0) return null
  return LETTERS[flag.option] ?? null
}

export const suspiciousOf = ({ questions }: Pick<Analysis, 'questions'>): AnalysedQuestion[] =>
  questions.filter((one) => suspectOf(one) !== null)

/** Whether somebody should look at a question. */
export const isUrgent = (one: AnalysedQuestion): boolean =>
  !isDecided(one) && one.flags.some(needsALook)

const isDecided = ({ kept, rulings }: AnalysedQuestion) => kept !== null || rulings > 0

/** The finding (product 7.18.3). */
export function headlineOf(analysis: Analysis): string {
  const { people } = analysis
  if (people === 0) return 'Nobody has finished yet'
  if (people < FIGURES_FROM) return `${countOf(people, 'candidate')}: counts only`
  const suspicious = suspiciousOf(analysis).map(({ item }) => item)
  if (suspicious.length === 1) return `Question ${suspicious[0]} probably has the wrong key`
  if (suspicious.length > 1) {
    return `Questions ${listOf(suspicious.map(String))} probably have the wrong key`
  }
  const urgent = analysis.questions.filter(isUrgent).length
  if (urgent === 0) return 'No question stands out'
  return urgent === 1 ? 'One question deserves a look' : `${urgent} questions deserve a look`
}

/** What makes a key suspicious (product 7.18.5), and no more than that. */
const BETTER_THAN_KEY =
  'Another option goes with the rest of the test better than the key does, and a third of the best chose it.'

/** What the finding rests on. */
export function sentenceOf(analysis: Analysis): string {
  const { people, openCount, questions } = analysis
  const inside =
    openCount === 0
      ? ''
      : ` ${openCount === 1 ? 'One is' : `${openCount} are`} still inside, and in none of these figures.`
  if (people === 0) return `The figures appear when the first one is out.${inside}`
  if (people < FIGURES_FROM) {
    return `${tooFewWords(people)} how good the test or a question is. That takes ${FIGURES_FROM} candidates.${inside}`
  }
  const suspicious = suspiciousOf(analysis)
  const others = questions.filter((one) => !suspicious.includes(one))
  const urgent = others.filter(isUrgent).length
  const rest =
    urgent === 0
      ? others.length === 1
        ? 'The other question works.'
        : `The other ${others.length} questions work.`
      : `Of the other ${others.length}, ${urgent === 1 ? 'one deserves' : `${urgent} deserve`} a look.`
  const [only] = suspicious
  if (only && suspicious.length === 1) {
    return `${evidenceOf(only, analysis.questionCount)?.join(' ') ?? BETTER_THAN_KEY}${only.proposals > 0 ? ' A ruling on it is proposed, and waits for an owner.' : ''} ${rest}${inside}`
  }
  if (only) {
    return `${BETTER_THAN_KEY} ${rest}${inside}`
  }
  const look =
    urgent === 0 ? 'No key looks wrong, and no option draws the best away.' : 'No key looks wrong.'
  return `${look}${inside}`
}

/** A row's notice: what was decided, or what deserves a look. */
export function noticeOf(one: AnalysedQuestion): string {
  const proposed = one.proposals > 0 ? ['a ruling is proposed'] : []
  if (one.isVoid) return ['left out', ...proposed].join('; ')
  if (one.isFullMarks) return ['everybody has the point', ...proposed].join('; ')
  if (one.rulings > 0) return [`ruled: ${one.keys.join(' or ')}`, ...proposed].join('; ')
  if (one.kept) return ['key found right', ...proposed].join('; ')
  return [...proposed, noticeWords(one.flags)].filter(Boolean).join('; ')
}

/** '29 of the best 41 chose C. Who chose C has 14.8 of the other 23 right, who chose the key 11.6.' */
export function evidenceOf(one: AnalysedQuestion, questionCount: number): [string, string] | null {
  const suspect = suspectOf(one)
  const chosen = one.rows.find(({ option }) => option === suspect)
  const key = one.rows.find(({ option }) => option === one.keys[0])
  if (!suspect || !chosen || !key || chosen.restMean === null) return null
  const means =
    key.restMean === null ? `nobody chose the key` : `who chose the key ${key.restMean.toFixed(1)}`
  return [
    `${chosen.top} of the best ${one.topCount} chose ${suspect}.`,
    `Who chose ${suspect} has ${chosen.restMean.toFixed(1)} of the other ${questionCount - 1} right, ${means}.`,
  ]
}

/** What the paces say, in one sentence; null where times are known of nobody, or of too few. */
export function paceWords({ pace, timed, people }: Analysis): string | null {
  if (!pace) return null
  const known = timed < people ? ` Times are known of ${timed}.` : ''
  if (pace.notSerious === 0) return `Nobody rushed through the test.${known}`
  const without =
    pace.without === null ? '' : ` Without them KR-20 is ${coefficient(pace.without)}.`
  return `${countOf(pace.notSerious, 'candidate')} answered too many questions faster than they can be read, or never came to them.${without}${known}`
}

/** What the end of the papers says; null where nothing deserves a word. */
export function endWords({ outOfTime }: Analysis): string | null {
  if (!outOfTime || outOfTime.missedLast < 0.05) return null
  const last = `${percent(outOfTime.missedLast)} had no time for the last question`
  return outOfTime.isTooLong
    ? `${last}, ${percent(outOfTime.missedEnd)} for the last fifth: the test is too long for its time.`
    : `${last}: give more time, too.`
}

/** '1:12' of milliseconds. */
export function timeWords(ms: number): string {
  const seconds = Math.round(ms / 1_000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
