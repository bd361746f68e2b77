import { countOf } from '../../../platform/words.ts'
import {
  pointsApart,
  rankRanges,
  type Standing,
  standingOf,
} from '../../kit/statistics/reliability.ts'
import { FIGURES_FROM } from '../../kit/statistics/responses.ts'
import type { FormResults, ScoredCandidate } from '../contract.ts'

/* All pages format figures this way: no leading zero for coefficients, a true minus, and no space before %. */

/** Formats a coefficient between −1 and 1 with two digits: '.75', '−.25', '1.00'. */
export const coefficient = (value: number): string => decimal(value, 2).replace(/^(−?)0/, '$1')

/** Formats a share as a whole percentage: '55%'. */
export const percent = (share: number): string => `${Math.round(share * 100)}%`

/** Formats a number with a fixed number of digits: '2.2', '−0.5'. */
export function decimal(value: number, digits = 1): string {
  const text = Math.abs(value).toFixed(digits)
  // This writes −.04 as 0.0, not −0.0.
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

/** '16', '16.5' */
export const pointsShown = (points: number): string => String(Math.round(points * 10) / 10)

/** Replaces a figure for a small group: 'n = 22, too few to say'. */
export const tooFewWords = (people: number): string => `n = ${people}, too few to say`

/** A candidate in the list (product 7.17.3). */
export interface Shown extends ScoredCandidate {
  form: FormResults['form']
  /** number of questions on the form that count */
  items: number
  /** the margin of error in whole points; null if the scores support no order */
  error: number | null
  /** group number from 1; null as above */
  group: number | null
  /** tied candidates share a rank; out of `people` */
  rank: { first: number; last: number }
  people: number
  /** relative to the cut score; null without one, or if the scores support no order */
  standing: Standing | null
}

/**
 * Lists candidates in the ranking.
 * @param line the cut score in points; null: none
 */
export const shownOf = (forms: readonly FormResults[], line: number | null): Shown[] =>
  forms.flatMap(({ form, items, margin, groups, ...all }) => {
    const candidates = all.candidates.filter(({ excluded }) => excluded === null)
    const ranks = rankRanges(candidates.map(({ right }) => right))
    return candidates.map((one, index) => ({
      ...one,
      ...{ form, items, people: candidates.length },
      error: margin,
      group: groups ? groups.findIndex(({ low }) => one.right >= low) + 1 : null,
      rank: ranks[index] as Shown['rank'],
      standing: margin !== null && line !== null ? standingOf(one.right, line, margin) : null,
    }))
  })

export const excludedOf = (forms: readonly FormResults[]) =>
  forms.flatMap(({ candidates }) =>
    candidates.flatMap(({ excluded, ...one }) => (excluded ? [{ ...one, excluded }] : [])),
  )

/** Finds the cut scores around a number of places, highest first. `best` fills at least that many if possible. */
export function cutsFor(all: readonly Shown[], places: number) {
  const scores = [...new Set(all.map(({ right }) => right))].sort((a, b) => b - a)
  const cuts = scores.map((points) => ({
    points,
    letsIn: all.filter(({ right }) => right >= points).length,
  }))
  const at = cuts.findIndex(({ letsIn }) => letsIn >= places)
  const chosen = at < 0 ? cuts.length - 1 : at
  return { cuts: cuts.slice(Math.max(0, chosen - 2), chosen + 2), best: cuts[chosen] ?? null }
}

export const isNear = ({ standing }: Pick<Shown, 'standing'>) =>
  standing === 'just-above' || standing === 'just-below'

/** Counts candidates by standing; null if a form supports no order. */
export function countsOf(all: readonly Shown[]): Record<Standing, number> | null {
  if (all.length === 0 || all.some(({ standing }) => standing === null)) return null
  const counts = { 'clearly-above': 0, 'just-above': 0, 'just-below': 0, 'clearly-below': 0 }
  for (const { standing } of all) if (standing) counts[standing] += 1
  return counts
}

/** Candidates whose scores are hidden until their incidents are decided. */
export const hiddenOf = ({ forms }: { forms: readonly FormResults[] }) =>
  forms.flatMap(({ underReview }) => underReview)

const SMALL =
  'none one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = '0 10 twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** 'fifty-seven' up to ninety-nine, then digits. */
export function inWords(count: number): string {
  if (count > 99) return String(count)
  const ten = TENS[Math.floor(count / 10)]
  return SMALL[count] ?? (count % 10 === 0 ? String(ten) : `${ten}-${SMALL[count % 10]}`)
}

/** 'Six are', 'One is' */
const countAre = (count: number, of = ''): string => {
  const words = inWords(count)
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${of} ${count < 2 ? 'is' : 'are'}`
}

/** '36 to 42', '1' */
export const rankShown = ({ first, last }: { first: number; last: number }): string =>
  first === last ? String(first) : `${first} to ${last}`

/** Lists notes about a candidate that matter for reading the score; '' if there are none. */
export const notedOf = (
  one: Pick<Shown, 'strikes' | 'isEndedByStrikes' | 'upheld' | 'isUnwatched' | 'isFast' | 'open'>,
): string =>
  [
    one.open > 0 && countOf(one.open, 'open incident'),
    one.isFast && 'answered faster than anyone can read',
    one.isEndedByStrikes && 'ended by strikes',
    one.strikes > 0 && countOf(one.strikes, 'strike counts', 'strikes count'),
    one.upheld > 0 && `${one.upheld} upheld`,
    one.isUnwatched && 'not fully monitored',
  ]
    .filter(Boolean)
    .join(', ')

export function headlineOf(
  forms: readonly FormResults[],
  all: readonly Shown[],
  line: number | null,
): string {
  const counts = countsOf(all)
  if (counts && line !== null) {
    const near = counts['just-above'] + counts['just-below']
    return `${countAre(counts['clearly-above'])} clearly above ${pointsShown(line)}. ${countAre(near)} too close to call.`
  }
  const points = all.map(({ right }) => right)
  if (points.length === 0) return 'No candidate is in the ranking'
  if (line !== null) {
    const above = points.filter((one) => one >= line).length
    return `${countAre(above, ` of ${inWords(points.length)}`)} at ${pointsShown(line)} or above.`
  }
  const hidden = hiddenOf({ forms }).length
  const sat =
    hidden > 0 ? `${points.length} of ${points.length + hidden} scores` : `${points.length} took it`
  const count = forms.length === 1 ? (forms[0]?.groups?.length ?? 0) : 0
  const groups = count > 1 ? `in ${inWords(count)} groups, ` : ''
  const [least, most] = [Math.min(...points), Math.max(...points)]
  const range = least === most ? countOf(least, 'point') : `${least} to ${most} points`
  return `${sat}, ${groups}with ${range}.`
}

/** Says how precise the scores are, or why they support no order. */
export const worthOf = (forms: readonly FormResults[]): string =>
  forms
    .map(({ form, margin, error, reliability, candidates }) => {
      const of = form ? `Form ${form}: ` : ''
      const people = candidates.length
      if (margin !== null) {
        return `${of}Scores are accurate to about ±${countOf(margin, 'point')}, so the order within a group means nothing.`
      }
      if (people < FIGURES_FROM) return `${of}${tooFewWords(people)} how precise a score is.`
      const within =
        error === null
          ? ''
          : ` within ${countOf(Math.floor(pointsApart(error)), 'point')} of each other`
      const kr20 = reliability === null ? '' : ` (KR-20 ${coefficient(reliability)})`
      return `${of}Candidates${within} can’t be ranked. The test doesn’t separate them well enough${kr20}.`
    })
    .join(' ')
