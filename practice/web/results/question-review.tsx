import { type ReactNode, useState } from 'react'
import type { Reviewed } from './results-facts.ts'
import { ReviewedQuestion } from './reviewed-question.tsx'
import type { Review } from './use-review.ts'

/**
 * 'Question Review' (product 3.5.5, 3.5.13): every question; a right one folded to a line, a wrong one open.
 */
export function QuestionReview(props: {
  reviewed: readonly Reviewed[]
  review: Review
  /** by question id, when it comes back */
  comesBack: ReadonlyMap<number, string>
  /** what stands over the note of each, in their order */
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
          The review isn't available for this attempt: it was saved in an older format.
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
