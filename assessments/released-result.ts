import type { ResponseOf } from '../platform/endpoint.ts'
import { countOf } from '../platform/words.ts'
import type { readReleasedResult } from './contract.ts'

type Result = NonNullable<ResponseOf<typeof readReleasedResult>['result']>
/** The facts behind a released result (product 7.17.13). */
type ReleasedFacts = Pick<Result, 'right' | 'items' | 'error' | 'line'> &
  Partial<Pick<Result, 'corrected' | 'change'>>

/** Formats points, such as '16' or '16.5'. */
const shown = (points: number) => String(Math.round(points * 10) / 10)

/** Formats '16 of 24'. */
export const scoreShown = ({ right, items }: Pick<ReleasedFacts, 'right' | 'items'>) =>
  `${right} of ${items}`

/** Describes how precise a score is. @param error margin of error in whole points, or null if unknown */
export function errorInWords({
  right,
  items,
  error,
}: Pick<ReleasedFacts, 'right' | 'items' | 'error'>) {
  if (error === null) {
    return "A test like this is not exact: a few points more or less say nothing about a person's ability."
  }
  const [low, high] = [Math.max(0, right - error), Math.min(items, right + error)]
  return `A score is accurate to about ${error} ${error === 1 ? 'point' : 'points'} either way: with other questions of the same kind it could have been ${low} to ${high}.`
}

/** The paragraphs of a candidate's own result. The society previews them before it releases. */
export function releasedParagraphs(facts: ReleasedFacts): string[] {
  const { right, line, corrected = 0, change = 0 } = facts
  const points = `${countOf(Math.abs(change), 'point')} ${change > 0 ? 'more' : 'less'}`
  return [
    errorInWords(facts),
    ...(line === null
      ? []
      : [
          right >= line
            ? `The society’s cut score was ${shown(line)} points. Your score is at or above it.`
            : `The society’s cut score was ${shown(line)} points. Your score is below it.`,
        ]),
    ...(corrected === 0
      ? []
      : [
          `After the test the society corrected ${corrected === 1 ? 'one question' : `${corrected} questions`}. ${change === 0 ? 'That didn’t change your score.' : `That gave you ${points}.`}`,
        ]),
  ]
}
