import { useState } from 'react'
import type { OptionLetter } from '../../../../platform/options.ts'
import { RadioOptions } from '../../../../platform/web/ui/option.tsx'
import { useQuestionKeys } from '../../../../platform/web/ui/option-keys.ts'
import { QuestionHeading } from '../../../../platform/web/ui/question-heading.tsx'
import { COMMENT_CHARACTERS } from '../../../contract/key-check.ts'
import { unansweredWords } from '../../../questions/key-check.ts'
import type { Sitting } from './queries.ts'
import { useAnswers } from './use-answers.ts'

/** As in the test itself (assessments/web/test), whose screen knows clock and strikes besides. */
const SIZES = {
  short: 'text-[clamp(24px,2.1vw,29px)]!',
  medium: 'text-[clamp(22px,1.9vw,26px)]!',
  long: 'text-[clamp(20px,1.6vw,22px)]!',
}

/** The questions one after the other, as candidates see them, without their keys (product 7.9.40). */
export function SittingPages(props: {
  sitting: Sitting
  onStop: () => void
  onFinish: () => void
  isFinishing: boolean
  /** whether one's answers are compared with the keys before one's eyes */
  mayCompare: boolean
}) {
  const { questions } = props.sitting
  const { answers, keep, problem } = useAnswers(props.sitting)
  const answered = questions.filter(({ itemId }) => answers[itemId]?.choice).length
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      questions.findIndex(({ choice }) => choice === null),
    ),
  )
  const [isAsked, setIsAsked] = useState(false)
  const question = questions[at]
  const isLast = at === questions.length - 1
  const choose = (choice: OptionLetter) => question && keep(question, { choice })
  const go = (to: number) => {
    setAt(Math.min(Math.max(to, 0), questions.length - 1))
    setIsAsked(false)
  }
  const onKeyDown = useQuestionKeys({
    onChoose: choose,
    onGoOn: () => go(at + 1),
    onGoBack: () => go(at - 1),
  })
  if (!question) return null
  const headingId = `checked-${question.itemId}`
  const open = questions.length - answered
  const finish = () => {
    if (props.isFinishing) return
    if (open > 0 && !isAsked) setIsAsked(true)
    else props.onFinish()
  }
  return (
    <div className="mx-auto max-w-[760px]">
      <section
        aria-labelledby={headingId}
        tabIndex={-1}
        onKeyDown={onKeyDown}
        className="rounded-[10px] border border-line-strong p-6 text-[17px] outline-none max-md:p-4"
      >
        <div className="flex items-baseline justify-between gap-4">
          <p className="eyebrow">
            Question {at + 1} of {questions.length}
          </p>
          <p className="hint">{answered} answered</p>
        </div>
        <QuestionHeading
          key={question.itemId}
          as="h2"
          id={headingId}
          spokenNumber={`Question ${at + 1} of ${questions.length}`}
          text={question.question}
          sizes={SIZES}
        />
        <RadioOptions
          key={headingId}
          labelledBy={headingId}
          options={question.options}
          chosen={answers[question.itemId]?.choice ?? undefined}
          onChoose={choose}
          className="mt-8 gap-3"
        />
      </section>
      <div className="mt-5">
        <label htmlFor="comment" className="label">
          Comment <span className="font-normal text-ink-2">optional, for who wrote it</span>
        </label>
        <textarea
          key={question.itemId}
          id="comment"
          className="field w-full"
          rows={2}
          maxLength={COMMENT_CHARACTERS}
          defaultValue={answers[question.itemId]?.comment ?? ''}
          onBlur={(event) => keep(question, { comment: event.target.value })}
        />
      </div>
      <div role="alert" className="amber mt-2">
        {problem}
      </div>
      <div role="status" className="mt-2">
        {isAsked && open > 0 && unansweredWords(open)}
      </div>
      <div className="mt-4 flex flex-wrap gap-2">
        <button
          type="button"
          className="btn btn-ghost"
          aria-disabled={at === 0}
          onClick={() => go(at - 1)}
        >
          Back
        </button>
        {!isLast && (
          <button type="button" className="btn" onClick={() => go(at + 1)}>
            Next
          </button>
        )}
        <span className="flex-1" />
        <button type="button" className="btn btn-quiet" onClick={props.onStop}>
          Stop for now
        </button>
        <button
          type="button"
          className={isLast ? 'btn' : 'btn btn-ghost'}
          aria-disabled={props.isFinishing}
          onClick={finish}
        >
          {props.isFinishing
            ? 'Finishing…'
            : isAsked && open > 0
              ? 'Finish all the same'
              : props.mayCompare
                ? 'Finish and compare'
                : 'Finish'}
        </button>
      </div>
    </div>
  )
}
