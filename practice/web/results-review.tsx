import { CircleCheck, CircleX } from 'lucide-react'
import { useState } from 'react'
import { OPTION_LETTERS, type OptionLetter } from '../../platform/options.ts'
import { ReviewOption } from '../../platform/web/ui/option.tsx'
import type { Answer, Question } from '../question.ts'
import { ReportProblem } from './report-problem.tsx'

interface Reviewed {
  question: Question
  number: number
  selected: OptionLetter | undefined
  isCorrect: boolean
}

/** 'Question Review': every question with its options, what was right and what was picked. */
export function ResultsReview(props: { questions: Question[]; userAnswers: Answer[] }) {
  const [onlyMistakes, setOnlyMistakes] = useState(false)
  const selectedById = new Map(
    props.userAnswers.map((answer) => [answer.questionId, answer.selectedAnswer]),
  )
  const all: Reviewed[] = props.questions.map((question, index) => {
    const selected = selectedById.get(question.id)
    return { question, number: index + 1, selected, isCorrect: selected === question.correctOption }
  })
  const mistakes = all.filter((entry) => !entry.isCorrect)
  const shown = onlyMistakes ? mistakes : all
  return (
    <section aria-labelledby="review" className="mt-12 sm:mt-14 print:mt-8">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 border-ink border-b pb-3">
        <h2 id="review">Question Review</h2>
        {all.length > 0 && (
          <fieldset className="-mx-2.5 -mb-2 flex text-[14px] print:hidden">
            <legend className="sr-only">Which questions to show</legend>
            <FilterButton isOn={!onlyMistakes} onClick={() => setOnlyMistakes(false)}>
              {`All (${all.length})`}
            </FilterButton>
            <FilterButton isOn={onlyMistakes} onClick={() => setOnlyMistakes(true)}>
              {`Only mistakes (${mistakes.length})`}
            </FilterButton>
          </fieldset>
        )}
      </div>
      {all.length === 0 && (
        <p className="py-8 text-ink-2">
          The review isn't available for this attempt: it was saved in an older format.
        </p>
      )}
      {all.length > 0 && shown.length === 0 && (
        <p role="status" className="py-8 text-ink-2">
          No mistakes in this test.
        </p>
      )}
      <ol>
        {shown.map((entry) => (
          <ReviewedQuestion key={entry.question.id} {...entry} />
        ))}
      </ol>
    </section>
  )
}

function FilterButton(props: { isOn: boolean; onClick: () => void; children: string }) {
  return (
    <button
      type="button"
      aria-pressed={props.isOn}
      onClick={props.onClick}
      className={`min-h-9 px-2.5 ${props.isOn ? 'font-medium text-ink' : 'link'}`}
    >
      {props.children}
    </button>
  )
}

function ReviewedQuestion({ question, number, selected, isCorrect }: Reviewed) {
  const Icon = isCorrect ? CircleCheck : CircleX
  return (
    <li className="keep-together grid grid-cols-[32px_1fr] border-line border-b py-7 sm:grid-cols-[48px_1fr] print:py-3.5">
      <Icon
        size={20}
        aria-hidden
        className={isCorrect ? 'grade-right' : 'grade-wrong'}
        strokeWidth={1.75}
      />
      <div className="min-w-0">
        <p className="eyebrow leading-5">
          Question {number}
          <span className="sr-only">{isCorrect ? ': correct' : ': incorrect'}</span>
        </p>
        <h3 className="mt-2 max-w-[34em] whitespace-pre-line leading-[1.3] print:mt-1 print:max-w-none">
          {question.question}
        </h3>
        <ul className="mt-4 grid gap-2.5 print:mt-2 print:grid-cols-2 print:gap-1.5">
          {OPTION_LETTERS.map((letter) => {
            const isPick = letter === selected
            const isRight = letter === question.correctOption
            return (
              <ReviewOption
                key={letter}
                letter={letter}
                text={question.options[letter]}
                mark={isRight ? 'correct' : isPick ? 'wrong' : null}
                note={isPick && !isRight ? question.why[letter] : undefined}
              />
            )
          })}
        </ul>
        {question.explanation && (
          <div className="keep-together mt-5 border-ink border-l-2 pl-4 print:mt-2.5">
            <h4 className="eyebrow">Explanation</h4>
            <p className="running mt-1.5 max-w-[62ch] whitespace-pre-line print:max-w-none">
              {question.explanation}
            </p>
          </div>
        )}
        <div className="print:hidden">
          <ReportProblem questionId={question.id} number={number} />
        </div>
      </div>
    </li>
  )
}
