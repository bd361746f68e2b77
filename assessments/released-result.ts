import { countOf } from '../platform/words.ts'

/** What a released result is told from (product 7.17.13). */
interface ReleasedFacts {
  /** questions that were right, and how many counted */
  right: number
  items: number
  /** the margin of error, whole points; null: no one can say it of this test */
  error: number | null
  /** the least that is in, points; null: the society does not tell it */
  line: number | null
  /** questions whose key was corrected afterwards, and the points that this gave */
  corrected?: number
  change?: number
}

/** Points as people write them: '16', '16.5'. */
const shown = (points: number) => String(Math.round(points * 10) / 10)

/** '16 of 24' */
export const scoreShown = ({ right, items }: Pick<ReleasedFacts, 'right' | 'items'>) =>
  `${right} of ${items}`

/** How exact a score is, in words. @param error the margin of error, whole points; null: not known */
export function errorInWords({
  right,
  items,
  error,
}: Pick<ReleasedFacts, 'right' | 'items' | 'error'>) {
  if (error === null) {
    return "A test like this is not exact: a few points more or less say nothing about a person's ability."
  }
  const [low, high] = [Math.max(0, right - error), Math.min(items, right + error)]
  return `A score is good to about ${error} ${error === 1 ? 'point' : 'points'} either way: with other questions of the same kind it might as well have been ${low} to ${high}.`
}

/** What a candidate reads of the own result, a paragraph each; the society sees it before it releases. */
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
