import { ChevronDown } from 'lucide-react'
import { clockTime } from '../../../platform/durations.ts'
import { ReportProblem } from '../report-problem.tsx'
import { Note } from '../sitting/margin.tsx'
import { JudgedOptions } from '../sitting/options.tsx'
import type { Reviewed } from './results-facts.ts'
import { Verdict } from './verdict.tsx'

/**
 * A question of the review: a line that opens, and below it, once it is open, the whole question with what
 * went wrong in the margin. What is folded stands in the page all the same, for paper.
 */
export function ReviewedQuestion(props: {
  entry: Reviewed
  isOpen: boolean
  onToggle: () => void
  /** 'Again tomorrow'; undefined where it isn't known */
  comesBack: string | undefined
  /** over the note of a wrong answer */
  mistakeTitle: string | undefined
}) {
  const { entry, isOpen } = props
  const { question, number, selected, isCorrect, tookMs } = entry
  const mistake = !isCorrect && selected ? question.why[selected] : undefined
  const time = tookMs === null ? null : clockTime(Math.round(tookMs / 1000))
  const bodyId = `question-${number}-body`
  return (
    <li
      id={`question-${number}`}
      className={`reviewed keep-together ${isCorrect ? '' : 'is-wrong'} ${isOpen ? 'is-open' : ''}`}
    >
      <h3 className="reviewed-head">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={props.onToggle}
          className="reviewed-line"
        >
          <Verdict isCorrect={isCorrect} />
          <span className="reviewed-number">
            <span className="sr-only">Question </span>
            {number}
            <span className="sr-only">{isCorrect ? ', correct: ' : ', incorrect: '}</span>
          </span>
          <span className="reviewed-stem running">{question.question}</span>
          <span className="hint">
            {time && <span className="sr-only">, answered in </span>}
            {time}
          </span>
          <ChevronDown size={17} aria-hidden className="reviewed-chevron" />
          {!isCorrect && mistake && <span className="reviewed-mistake">{mistake}</span>}
        </button>
      </h3>
      <div id={bodyId} className="reviewed-body">
        <div className="min-w-0">
          <JudgedOptions
            options={question.options}
            correctOption={question.correctOption}
            chosen={selected}
          />
        </div>
        <div className="min-w-0">
          <Note
            tone={isCorrect ? 'plain' : 'wrong'}
            title={isCorrect ? 'Explanation' : (props.mistakeTitle ?? 'The mistake')}
            sentence={isCorrect ? undefined : (mistake ?? 'Not the right answer.')}
            explanation={question.explanation}
            source={question.source}
            isTitled={isCorrect}
          />
          <div className="reviewed-after [&_button]:mt-0 [&_button]:min-h-11">
            {/* Its place, whether it is known yet or not: nothing moves. */}
            <p>{props.comesBack}</p>
            <ReportProblem questionId={question.id} number={number} />
          </div>
        </div>
      </div>
    </li>
  )
}
