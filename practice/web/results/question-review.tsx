import { ChevronDown } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { clockTime } from '../../../platform/durations.ts'
import { Verdict } from '../kit.tsx'
import { ReportProblem } from '../report-problem.tsx'
import { JudgedOptions, Note } from '../sitting/answer.tsx'
import type { Reviewed } from './results-facts.tsx'

/** Lists every question (product 3.5.5, 3.5.13). Right ones are folded and wrong ones are open. */
export function QuestionReview(props: {
  reviewed: readonly Reviewed[]
  review: Review
  comesBack: ReadonlyMap<number, string>
  mistakeTitles: readonly string[]
}) {
  const { reviewed, review } = props
  const [onlyMistakes, setOnlyMistakes] = useState(false)
  const mistakes = reviewed.filter(({ isCorrect }) => !isCorrect)
  const shown = onlyMistakes ? mistakes : reviewed
  return (
    <section aria-labelledby="review" className="mt-10 nav:mt-[52px] print:mt-8">
      <div className="flex flex-wrap items-end justify-between gap-x-6 border-ink border-b">
        <h2 id="review" className="pb-3">
          Question Review
        </h2>
        {reviewed.length > 0 && (
          <fieldset className="flex gap-5 text-[15px] print:hidden max-sm:w-full">
            <legend className="sr-only">Which questions to show</legend>
            <FilterButton isOn={!onlyMistakes} onClick={() => setOnlyMistakes(false)}>
              All ({reviewed.length})
            </FilterButton>
            <FilterButton isOn={onlyMistakes} onClick={() => setOnlyMistakes(true)}>
              Only mistakes ({mistakes.length})
            </FilterButton>
          </fieldset>
        )}
      </div>
      {reviewed.length === 0 && (
        <p className="py-8 text-ink-2">
          The review isn't available, because this attempt was saved in an older format.
        </p>
      )}
      {reviewed.length > 0 && shown.length === 0 && (
        <p role="status" className="py-8 text-ink-2">
          No mistakes in this test.
        </p>
      )}
      <ol>
        {shown.map((entry) => (
          <ReviewedQuestion
            key={entry.question.id}
            entry={entry}
            isOpen={review.isOpen(entry.number)}
            onToggle={() => review.toggle(entry.number)}
            comesBack={props.comesBack.get(entry.question.id)}
            mistakeTitle={props.mistakeTitles[entry.number - 1]}
          />
        ))}
      </ol>
    </section>
  )
}

function FilterButton(props: { isOn: boolean; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-pressed={props.isOn}
      onClick={props.onClick}
      className={`min-h-11 ${props.isOn ? 'font-medium text-ink shadow-[inset_0_-2px_0_var(--ink)]' : 'text-ink-2 hover:text-ink'}`}
    >
      {props.children}
    </button>
  )
}

/** A line that opens the question with its note. Folded ones are also in the page, for printing. */
function ReviewedQuestion(props: {
  entry: Reviewed
  isOpen: boolean
  onToggle: () => void
  comesBack: string | undefined
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
            of={question}
            isTitled={isCorrect}
          />
          <div className="reviewed-after [&_button]:mt-0 [&_button]:min-h-11">
            {/* This reserves the space while loading, so nothing moves. */}
            <p>
              {[
                props.comesBack,
                question.rightPercent !== undefined &&
                  `${question.rightPercent}% were right the first time`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </p>
            <ReportProblem questionId={question.id} number={number} />
          </div>
        </div>
      </div>
    </li>
  )
}

export function useReview(reviewed: readonly Reviewed[]) {
  const [open, setOpen] = useState<ReadonlySet<number>>(
    () => new Set(reviewed.filter(({ isCorrect }) => !isCorrect).map(({ number }) => number)),
  )

  function toggle(number: number): void {
    setOpen((current) => {
      const next = new Set(current)
      if (!next.delete(number)) next.add(number)
      return next
    })
  }

  return {
    isOpen: (number: number) => open.has(number),
    toggle,
    show(number: number): void {
      setOpen((current) => new Set(current).add(number))
      goTo(number)
    },
  }
}
export type Review = ReturnType<typeof useReview>

const lineOf = (number: number) =>
  document.querySelector<HTMLElement>(`#question-${number} .reviewed-line`)

function goTo(number: number): void {
  const line = lineOf(number)
  line?.focus({ preventScroll: true })
  line?.scrollIntoView({ block: 'start' })
}

function currentNumber(): number {
  const item = document.activeElement?.closest('[id^="question-"]')
  return item ? Number(item.id.split('-')[1]) : 0
}

export function goBy(step: 1 | -1): void {
  const shown = [...document.querySelectorAll('.reviewed')].map(({ id }) =>
    Number(id.split('-')[1]),
  )
  const current = currentNumber()
  const next =
    step === 1 ? shown.find((number) => number > current) : shown.findLast((n) => n < current)
  if (next !== undefined) goTo(next)
}

export function toggleCurrent(review: Review): void {
  const current = currentNumber()
  if (current > 0) review.toggle(current)
}
