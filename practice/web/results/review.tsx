import { Check, ChevronDown, X } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import type { OptionLetter } from '../../../platform/options.ts'
import { useKeysEnabled } from '../../../platform/web/preferences.ts'
import type { Question } from '../../question.ts'
import { ReportProblem } from '../report-problem.tsx'
import { Note } from '../sitting/margin.tsx'
import { JudgedOptions } from '../sitting/options.tsx'
import { minutesAndSeconds } from './pace.ts'

/** One question of a finished test, as its review shows it. */
export interface Reviewed {
  question: Question
  number: number
  selected: OptionLetter | undefined
  isCorrect: boolean
  /** milliseconds in view, null where nobody measured */
  tookMs: number | null
}

/** Below this width only the first mistake is open from the start: the others stand in two lines. */
const MARGIN_FROM_PX = 900

/**
 * 'Question Review' (product 3.5.5, 3.5.14): a right answer is one line, a wrong one is open with its mistake in the
 * margin. J and K go from question to question, O opens and closes.
 */
export function ResultsReview({ reviewed }: { reviewed: readonly Reviewed[] }) {
  const mistakes = reviewed.filter((entry) => !entry.isCorrect)
  const [onlyMistakes, setOnlyMistakes] = useState(false)
  const [open, setOpen] = useState<ReadonlySet<number>>(() => {
    const isNarrow = innerWidth < MARGIN_FROM_PX
    return new Set((isNarrow ? mistakes.slice(0, 1) : mistakes).map(({ number }) => number))
  })
  const [areKeysEnabled] = useKeysEnabled()
  const list = useRef<HTMLOListElement>(null)
  const shown = onlyMistakes ? mistakes : reviewed

  function toggle(number: number): void {
    const next = new Set(open)
    if (!next.delete(number)) next.add(number)
    setOpen(next)
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (!areKeysEnabled || event.ctrlKey || event.metaKey || event.altKey) return
    const key = event.key.toLowerCase()
    if (key !== 'j' && key !== 'k') return
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[data-toggle]') ?? [])]
    const at = items.findIndex((item) => item.closest('li')?.contains(document.activeElement))
    items[Math.max(0, Math.min(items.length - 1, at + (key === 'j' ? 1 : -1)))]?.focus()
    event.preventDefault()
  }

  return (
    <section aria-labelledby="review" onKeyDown={onKeyDown} className="mt-12 sm:mt-14 print:mt-8">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 border-ink border-b pb-3">
        <h2 id="review">Question Review</h2>
        {reviewed.length > 0 && (
          <fieldset className="-mx-2.5 -mb-2 flex text-[14px] print:hidden">
            <legend className="sr-only">Which questions to show</legend>
            <FilterButton isOn={!onlyMistakes} onClick={() => setOnlyMistakes(false)}>
              {`All (${reviewed.length})`}
            </FilterButton>
            <FilterButton isOn={onlyMistakes} onClick={() => setOnlyMistakes(true)}>
              {`Only mistakes (${mistakes.length})`}
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
      <ol ref={list}>
        {shown.map((entry) => (
          <ReviewedQuestion
            key={entry.number}
            {...entry}
            isOpen={open.has(entry.number)}
            onToggle={() => toggle(entry.number)}
          />
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
      className={`min-h-11 px-2.5 ${props.isOn ? 'font-medium text-ink' : 'link'}`}
    >
      {props.children}
    </button>
  )
}

function ReviewedQuestion(entry: Reviewed & { isOpen: boolean; onToggle: () => void }) {
  const { question, number, selected, isCorrect, tookMs, isOpen } = entry
  const mistake = selected === undefined ? undefined : question.why[selected]
  const bodyId = `q${number}-body`
  return (
    <li id={`q${number}`} className="reviewed keep-together">
      <button
        type="button"
        data-toggle
        aria-expanded={isOpen}
        aria-controls={bodyId}
        onClick={entry.onToggle}
        onKeyDown={(event) => event.key.toLowerCase() === 'o' && entry.onToggle()}
        className="reviewed-line"
      >
        <span aria-hidden className={isCorrect ? 'verdict-right' : 'verdict-wrong'}>
          {isCorrect ? <Check size={14} /> : <X size={14} />}
        </span>
        <span className="reviewed-number">
          <span className="sr-only">Question </span>
          {number}
          <span className="sr-only">{isCorrect ? ', correct' : ', incorrect'}</span>
        </span>
        {/* Open, the whole question stands below. */}
        <span aria-hidden={isOpen} className={isOpen ? 'invisible' : 'reviewed-stem running'}>
          {question.question}
          {!isCorrect && !isOpen && mistake && (
            <span className="reviewed-mistake nav:hidden">{mistake}</span>
          )}
        </span>
        <span className="hint">{tookMs !== null && minutesAndSeconds(tookMs)}</span>
        <ChevronDown
          size={18}
          aria-hidden
          className={`text-ink-2 print:hidden ${isOpen ? 'rotate-180' : ''}`}
        />
      </button>
      <div id={bodyId} className={isOpen ? 'reviewed-body' : 'reviewed-body not-print:hidden'}>
        <div className="min-w-0">
          <h3 className="max-w-[34em] whitespace-pre-line text-[22px] leading-[1.28] print:max-w-none">
            {question.question}
          </h3>
          {selected === undefined ? null : (
            <JudgedOptions
              options={question.options}
              correctOption={question.correctOption}
              chosen={selected}
            />
          )}
        </div>
        <Note
          tone={isCorrect ? 'right' : 'wrong'}
          title={isCorrect ? 'Right' : 'The mistake'}
          sentence={isCorrect ? undefined : mistake}
          explanation={question.explanation}
        >
          <div className="print:hidden">
            <ReportProblem questionId={question.id} number={number} />
          </div>
        </Note>
      </div>
    </li>
  )
}
