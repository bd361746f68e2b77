import { countOf } from '../../../platform/words.ts'
import type { Obstacles } from '../../contract/results.ts'
import { coefficient } from '../../statistics/figures.ts'
import { pointsApart } from '../../statistics/reliability.ts'
import { FIGURES_FROM, tooFewWords } from '../../statistics/sample-size.ts'
import { type Counts, countsOf, type FormView, type Results, type Shown } from './view.ts'

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
const are = (count: number) => (count === 1 || count === 0 ? 'is' : 'are')

/** '16', '16.5' */
export const pointsShown = (points: number): string => String(Math.round(points * 10) / 10)

/** '36 to 42', '1' */
export const rankShown = ({ first, last }: { first: number; last: number }): string =>
  first === last ? String(first) : `${first} to ${last}`

/** What was seen of somebody, as far as it says how to read the score; '' where nothing was. */
export function notedOf(
  one: Pick<Shown, 'strikes' | 'isEndedByStrikes' | 'upheld' | 'isUnwatched'>,
): string {
  const { strikes, isEndedByStrikes, upheld, isUnwatched } = one
  return [
    ...(isEndedByStrikes ? ['ended by strikes'] : []),
    ...(strikes > 0 ? [`${countOf(strikes, 'strike')} ${strikes === 1 ? 'stands' : 'stand'}`] : []),
    ...(upheld > 0 ? [`${upheld} upheld`] : []),
    ...(isUnwatched ? ['not watched throughout'] : []),
  ].join(', ')
}

/**
 * What the page found, as its headline.
 * @param covered how many scores are not in it, since something about them is undecided
 */
export function headlineOf(views: readonly FormView[], line: number | null, covered = 0): string {
  const all = views.flatMap(({ candidates }) => candidates)
  const counts = countsOf(views)
  if (counts && line !== null) {
    const clear = counts['clearly-above']
    const near = counts['just-above'] + counts['just-below']
    return asSentence(
      `${inWords(clear)} ${are(clear)} clearly above ${pointsShown(line)}. ${asSentence(inWords(near))} ${are(near)} too close to call.`,
    )
  }
  if (line !== null) {
    const above = all.filter(({ points }) => points >= line).length
    return asSentence(
      `${inWords(above)} of ${inWords(all.length)} ${are(above)} at ${pointsShown(line)} or above.`,
    )
  }
  const points = all.map((one) => one.points)
  const range = `${pointsShown(Math.min(...points))} to ${pointsShown(Math.max(...points))} points`
  const sat = covered > 0 ? `${all.length} of ${all.length + covered} scores` : `${all.length} sat`
  const [only] = views
  if (views.length === 1 && only && only.groups > 1) {
    return `${sat}, in ${inWords(only.groups)} groups, with ${range}.`
  }
  return `${sat}, with ${range}.`
}

/** What the scores are good for, or why they are good for no order. */
export function worthOf({ forms }: Pick<Results, 'forms'>): string {
  const sentences = forms.map((one) => {
    const of = one.form ? `Form ${one.form}: ` : ''
    const { error, reliability, candidates } = one
    if (one.groups && error !== null) {
      const about = Math.max(1, Math.round(error))
      const apart = Math.floor(pointsApart(error))
      return `${of}A score is good to about ${about} ${about === 1 ? 'point' : 'points'} either way. Two candidates differ for certain only when more than ${apart} ${apart === 1 ? 'point lies' : 'points lie'} between them, so inside a group the order means nothing.`
    }
    const people = candidates.length
    if (people < FIGURES_FROM) return `${of}${tooFewWords(people)} how exact a score is.`
    const order =
      error === null
        ? 'No order is supported.'
        : `No order within ${countOf(Math.floor(pointsApart(error)), 'point')} is supported.`
    const kr20 = reliability === null ? '' : ` (KR-20 ${coefficient(reliability)})`
    return `${of}${order} The test tells candidates apart too little to put them in an order${kr20}.`
  })
  return sentences.join(' ')
}

export interface Obstacle {
  sentence: string
  /** page of the assessment */
  page: string
  link: string
  /** told, and no reason is asked for it: nothing can be settled about it */
  isTold?: true
}

/** What should be settled before the release, each with where. */
export function obstaclesOf(
  { keys, incidents, lateAnswers, lateCandidates }: Obstacles,
  line: number | null,
): Obstacle[] {
  return [
    ...keys.map(({ position, crossing }) => ({
      sentence: `Question ${position} probably has a wrong key${crossing === null || line === null ? '.' : crossing === 0 ? ': ruling on it moves nobody across the line.' : `: ruling on it moves ${crossing === 1 ? 'one person' : `${crossing} people`} across the line.`}`,
      page: `analysis/${position}`,
      link: `Rule on question ${position}`,
    })),
    ...(incidents > 0
      ? [
          {
            sentence: `${countOf(incidents, 'incident')} ${incidents === 1 ? 'is undecided, or waits' : 'are undecided, or wait'} for a talk.`,
            page: 'incidents',
            link: incidents === 1 ? 'Decide it' : `Decide the ${incidents}`,
          },
        ]
      : []),
    ...(lateAnswers > 0
      ? [
          {
            sentence: `Answers of ${countOf(lateCandidates, 'candidate')} came after the end: ${lateAnswers} could count and ${lateAnswers === 1 ? 'is' : 'are'} undecided.`,
            page: 'live',
            link: `Look at ${lateAnswers === 1 ? 'it' : 'them'}`,
          },
        ]
      : lateCandidates > 0
        ? [
            {
              sentence: `Answers of ${countOf(lateCandidates, 'candidate')} came after the end, and none of them may count.`,
              page: 'live',
              link: 'Look at them',
              isTold: true as const,
            },
          ]
        : []),
  ]
}

/** 'Two things before you release.' */
export const obstaclesTitle = (count: number): string =>
  asSentence(`${inWords(count)} ${count === 1 ? 'thing' : 'things'} before you release.`)

/** Where somebody stands to the line, for a card. */
export function placeInWords({
  group,
  standing,
}: {
  group: number | null
  standing: string | null
}) {
  if (group === null) return 'none is supported'
  const where = {
    'clearly-above': 'clearly above the line',
    'just-above': 'at the line, above',
    'just-below': 'at the line, below',
    'clearly-below': 'clearly below the line',
  }[standing ?? '']
  return where ? `${group}, ${where}` : String(group)
}

/** The lowest and highest score that are clear of the line: '20 and more', '12 and less'. */
export function clearOf(views: readonly FormView[]): { above: string; below: string } {
  const edge = (standing: keyof Counts, pick: (...points: number[]) => number) => {
    const points = views
      .flatMap(({ candidates }) => candidates)
      .filter((one) => one.standing === standing)
      .map((one) => one.points)
    return points.length > 0 ? pointsShown(pick(...points)) : null
  }
  const [above, below] = [edge('clearly-above', Math.min), edge('clearly-below', Math.max)]
  return {
    above: above === null ? 'clearly above' : `clearly above, ${above} and more`,
    below: below === null ? 'clearly below' : `clearly below, ${below} and less`,
  }
}
