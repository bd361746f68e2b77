import { clockTime } from '../../../platform/durations.ts'
import { paceOf, type Reviewed } from './results-facts.ts'
import { Verdict } from './verdict.tsx'

/** Height of the longest time's verdict above the axis, and the least, pixels. */
const TALLEST = 106
const SHORTEST = 30

/**
 * The answers as a picture (product 3.5.12): a stem as long as each took, its verdict on top, a link to its
 * question. Nothing where nobody measured.
 */
export function AnswerPicture(props: {
  reviewed: readonly Reviewed[]
  onShow: (number: number) => void
}) {
  const pace = paceOf(props.reviewed.map(({ tookMs }) => tookMs))
  if (!pace) return null
  const longestMs = Math.max(1, ...props.reviewed.map(({ tookMs }) => tookMs ?? 0))
  const heightOf = (ms: number) => Math.max(SHORTEST, (ms / longestMs) * TALLEST)
  return (
    <figure className="mt-7 print:hidden">
      <figcaption className="hint flex justify-between gap-6">
        <span>Time per question</span>
        <span>dotted line = your average, {clockTime(inSeconds(pace.meanMs))}</span>
      </figcaption>
      <div className="answer-picture">
        <span aria-hidden className="answer-mean" style={{ bottom: heightOf(pace.meanMs) }} />
        <ol>
          {props.reviewed.map(({ question, number, isCorrect, tookMs }) => (
            <li key={question.id}>
              <a
                href={`#question-${number}`}
                aria-label={`Question ${number}, ${isCorrect ? 'correct' : 'incorrect'}, ${tookMs === null ? 'not timed' : clockTime(inSeconds(tookMs))}`}
                onClick={(event) => {
                  event.preventDefault()
                  props.onShow(number)
                }}
              >
                <span
                  aria-hidden
                  className={`answer-stem ${isCorrect ? 'text-right-ink' : 'text-wrong-ink'}`}
                  style={{ height: heightOf(tookMs ?? 0) - 10 }}
                >
                  <Verdict isCorrect={isCorrect} />
                </span>
                <span className="answer-number">
                  <span className="sr-only">Question </span>
                  {number}
                  <span className="sr-only">{isCorrect ? ', correct, ' : ', incorrect, '}</span>
                </span>
                <span className="answer-time">
                  {tookMs === null ? '–' : clockTime(inSeconds(tookMs))}
                </span>
              </a>
            </li>
          ))}
        </ol>
      </div>
    </figure>
  )
}

const inSeconds = (ms: number) => Math.round(ms / 1000)
