import { countOf } from '../../../platform/words.ts'
import { coefficient } from '../../kit/statistics/figures.ts'
import { pointsApart } from '../../kit/statistics/reliability.ts'
import { FIGURES_FROM, tooFewWords } from '../../kit/statistics/sample-size.ts'
import type { Obstacles } from '../contract.ts'
import { countsOf, type FormView, type Results, type Shown } from './view.ts'

const SMALL =
  'none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = '0 10 twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** 'fifty-seven' up to ninety-nine, digits above. */
export function inWords(count: number): string {
  if (count < 20) return SMALL[count] ?? String(count)
  if (count > 99) return String(count)
  const [ten, rest] = [TENS[Math.floor(count / 10)] as string, count % 10]
  return rest === 0 ? ten : `${ten}-${SMALL[rest]}`
}

const asSentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
const are = (count: number) => (count < 2 ? 'is' : 'are')

/** '16', '16.5' */
export const pointsShown = (points: number): string => String(Math.round(points * 10) / 10)

/** '36 to 42', '1' */
export const rankShown = ({ first, last }: { first: number; last: number }): string =>
  first === last ? String(first) : `${first} to ${last}`

/** What was seen of a candidate that matters for reading the score; '' where nothing was. */
export function notedOf(
  one: Pick<Shown, 'strikes' | 'isEndedByStrikes' | 'upheld' | 'isUnwatched'>,
): string {
  const { strikes, isEndedByStrikes, upheld, isUnwatched } = one
  return [
    isEndedByStrikes && 'ended by strikes',
    strikes > 0 && countOf(strikes, 'strike stands', 'strikes stand'),
    upheld > 0 && `${upheld} upheld`,
    isUnwatched && 'not watched throughout',
  ]
    .filter(Boolean)
    .join(', ')
}

/**
 * The finding, as the page's headline.
 * @param covered how many scores are left out because incidents are undecided
 */
export function headlineOf(views: readonly FormView[], line: number | null, covered = 0): string {
  const points = views.flatMap(({ candidates }) => candidates.map((one) => one.points))
  const counts = countsOf(views)
  if (counts && line !== null) {
    const clear = counts['clearly-above']
    const near = counts['just-above'] + counts['just-below']
    return `${asSentence(inWords(clear))} ${are(clear)} clearly above ${pointsShown(line)}. ${asSentence(inWords(near))} ${are(near)} too close to call.`
  }
  if (line !== null) {
    const above = points.filter((one) => one >= line).length
    return `${asSentence(inWords(above))} of ${inWords(points.length)} ${are(above)} at ${pointsShown(line)} or above.`
  }
  const [only, ...others] = views
  const sat =
    covered > 0 ? `${points.length} of ${points.length + covered} scores` : `${points.length} sat`
  const groups =
    only && only.groups > 1 && others.length === 0 ? `in ${inWords(only.groups)} groups, ` : ''
  return `${sat}, ${groups}with ${pointsShown(Math.min(...points))} to ${pointsShown(Math.max(...points))} points.`
}

/** How precise the scores are, or why no order is supported. */
export function worthOf({ forms }: Pick<Results, 'forms'>): string {
  const sentences = forms.map(({ form, groups, error, reliability, candidates }) => {
    const of = form ? `Form ${form}: ` : ''
    const people = candidates.length
    const apart = error === null ? 0 : Math.floor(pointsApart(error))
    if (groups && error !== null) {
      return `${of}A score is good to about ${countOf(Math.max(1, Math.round(error)), 'point')} either way. Two candidates differ for certain only when more than ${countOf(apart, 'point lies', 'points lie')} between them, so inside a group the order means nothing.`
    }
    if (people < FIGURES_FROM) return `${of}${tooFewWords(people)} how exact a score is.`
    const within = error === null ? '' : ` within ${countOf(apart, 'point')}`
    const kr20 = reliability === null ? '' : ` (KR-20 ${coefficient(reliability)})`
    return `${of}No order${within} is supported. The test doesn’t tell candidates apart well enough to put them in an order${kr20}.`
  })
  return sentences.join(' ')
}

export interface Obstacle {
  sentence: string
  /** page of the assessment */
  page: string
  link: string
  /** nothing can be settled about it, so the release needs no reason */
  isTold?: true
}

/** What should be settled before the release, with the page where that is done. */
export function obstaclesOf(open: Obstacles, line: number | null): Obstacle[] {
  const { incidents, lateAnswers, lateCandidates } = open
  const obstacles = open.keys.map(({ position, crossing }): Obstacle => {
    const moves = crossing === 0 ? 'nobody' : countOf(crossing ?? 0, 'candidate')
    const isKnown = crossing !== null && line !== null
    return {
      sentence: `Question ${position} probably has a wrong key${isKnown ? `: ruling on it moves ${moves} across the cut score` : ''}.`,
      page: `analysis/${position}`,
      link: `Rule on question ${position}`,
    }
  })
  if (incidents > 0) {
    obstacles.push({
      sentence: `${countOf(incidents, 'incident is', 'incidents are')} undecided, or ${incidents === 1 ? 'waits' : 'wait'} for a talk.`,
      page: 'incidents',
      link: incidents === 1 ? 'Decide it' : `Decide the ${incidents}`,
    })
  }
  const late = `Answers of ${countOf(lateCandidates, 'candidate')} came after the end`
  if (lateAnswers > 0) {
    obstacles.push({
      sentence: `${late}: ${lateAnswers} could count and ${lateAnswers === 1 ? 'is' : 'are'} undecided.`,
      page: 'live',
      link: `Look at ${lateAnswers === 1 ? 'it' : 'them'}`,
    })
  } else if (lateCandidates > 0) {
    obstacles.push({
      sentence: `${late}, and none of them can count.`,
      page: 'live',
      link: 'Look at them',
      isTold: true,
    })
  }
  return obstacles
}
