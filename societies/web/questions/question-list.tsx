import { ArrowLeft, Check, Search } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { isError, type Mark } from '../../questions/question-marks.ts'
import { countForms, FORMS, type Form, numbersOn } from '../../questions/two-forms.ts'
import { useSlash } from '../console/search-field.tsx'
import { Segments } from '../kit/fields.tsx'
import { isFound } from '../kit/list-bar.tsx'
import { FormBar } from './form-choice.tsx'
import type { ListedQuestion } from './listed-question.ts'
import { shareOf, wordsOfMark } from './mark-words.ts'

type Filter = 'all' | 'hints' | 'shared' | Form

/** The questions with their keys, hints and how they did (product 7.9.3). */
export function QuestionList(props: {
  items: readonly ListedQuestion[]
  marks: readonly (readonly Mark[])[]
  selected: string | null
  unsaved: ReadonlySet<string>
  /** keys and hints are covered, but of what the member has answered */
  isHidden: boolean
  /** undefined where nothing can be changed */
  onAssign: ((questions: ReadonlySet<string>, form: Form | null) => void) | undefined
  onSelect: (question: string) => void
}) {
  const { items, marks, isHidden, onAssign } = props
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const forms = countForms(items)
  const COLUMNS = forms ? FORM_COLUMNS : PLAIN_COLUMNS
  const [filter, setFilter] = useState<Filter>('all')
  const [text, setText] = useState('')
  const search = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLOListElement>(null)
  useSlash(search)

  const counts = {
    all: items.length,
    hints: marks.filter((of) => of.length > 0).length,
    shared: items.filter(({ sharedWith }) => sharedWith.length > 0).length,
    A: forms?.A ?? 0,
    B: forms?.B ?? 0,
  }
  const filters: Filter[] = ['all', 'hints', 'shared', ...(forms ? FORMS : [])]
  const ofForm = filter === 'A' || filter === 'B' ? filter : null
  // Of one form's paper, its own numbers.
  const numbers = numbersOn(ofForm, items)
  const shown = useMemo(
    () =>
      items.flatMap((item, index) => {
        const isOf =
          filter === 'all' ||
          (filter === 'hints'
            ? (marks[index]?.length ?? 0) > 0
            : filter === 'shared'
              ? item.sharedWith.length > 0
              : item.form === null || item.form === filter)
        return isOf && holds(item, text) ? [{ item, index }] : []
      }),
    [items, marks, filter, text],
  )
  const lastName = namesOf(items)

  function tick(question: string): void {
    const next = new Set(ticked)
    if (!next.delete(question)) next.add(question)
    setTicked(next)
  }

  /**
   * Rows are walked with the arrows. x ticks, and a, b and o say which form asks what is ticked, or the row alone.
   */
  function onKeyDown(event: KeyboardEvent, at: number, item: ListedQuestion): void {
    if (onAssign && !event.ctrlKey && !event.metaKey && !event.altKey) {
      const form = FORM_KEYS[event.key.toLowerCase()]
      if (event.key === 'x') tick(item.questionId)
      else if (event.key === 'Escape') setTicked(new Set())
      else if (form !== undefined) {
        onAssign(ticked.size > 0 ? ticked : new Set([item.questionId]), form)
      }
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step === 0 || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    if (at + step < 0) search.current?.focus()
    else focusRow(list.current, at + step)
  }

  return (
    <section aria-label="All questions" className="min-w-0">
      <div className="flex flex-wrap items-center gap-2 border-line border-b pt-3 pb-2.5">
        <div className="relative min-w-36 flex-1">
          <Search
            size={15}
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-ink-2"
          />
          <input
            ref={search}
            type="search"
            aria-label="Find"
            placeholder="Find"
            aria-keyshortcuts="/"
            className="field w-full pl-8.5!"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'ArrowDown') {
                event.preventDefault()
                focusRow(list.current, 0)
              } else if (event.key === 'Enter' && shown[0]) {
                props.onSelect(shown[0].item.questionId)
              } else if (event.key === 'Escape') setText('')
            }}
          />
        </div>
        <Segments
          legend="Show"
          options={filters.map((one) => [one, `${FILTER_WORDS[one]} ${counts[one]}`] as const)}
          value={filter}
          onChange={setFilter}
        />
      </div>
      <div
        aria-hidden
        className={`${COLUMNS} min-h-8 border-line border-b text-[12.5px] text-ink-2`}
      >
        <span>#</span>
        <span>Question</span>
        <span className="text-center">Key</span>
        {forms && <span className="text-center max-md:hidden">Form</span>}
        <span className="text-end max-md:hidden">{isHidden ? 'You' : 'Agree'}</span>
        <span className="text-end">{lastName}</span>
      </div>
      <ol ref={list}>
        {shown.map(({ item, index }, at) => (
          <li key={item.questionId} className="border-line border-b">
            <button
              type="button"
              data-row
              aria-current={props.selected === item.questionId ? 'true' : undefined}
              className={`${COLUMNS} figures min-h-10 w-full py-1 text-left text-[13.5px] hover:bg-surface max-md:min-h-13 aria-[current]:bg-accent-soft aria-[current]:shadow-[-20px_0_0_var(--accent-soft),20px_0_0_var(--accent-soft)] max-md:aria-[current]:shadow-none`}
              onClick={() => props.onSelect(item.questionId)}
              onKeyDown={(event) => onKeyDown(event, at, item)}
            >
              <span className="text-ink-2">
                {ticked.has(item.questionId) ? (
                  <>
                    <Check size={15} aria-hidden className="inline text-ink" />
                    <span className="sr-only">ticked, {numbers[index]}</span>
                  </>
                ) : (
                  numbers[index]
                )}
              </span>
              <Words
                item={item}
                mark={marks[index]?.[0]}
                isUnsaved={props.unsaved.has(item.questionId)}
              />
              <span className="text-center font-semibold">
                <span className="sr-only">Key </span>
                {isHidden && !ownCheck(item) ? (
                  <span className="font-normal text-ink-2">
                    <span className="sr-only">hidden</span>
                    <span aria-hidden>•</span>
                  </span>
                ) : (
                  item.answer
                )}
              </span>
              {forms && (
                <span className="text-center text-[12.5px] text-ink-2 max-md:hidden">
                  <span className="sr-only">Form </span>
                  {item.form ?? 'both'}
                </span>
              )}
              <Checks item={item} isHidden={isHidden} />
              <span className="whitespace-nowrap text-end text-[12.5px] text-ink-2">
                {item.lastTime ? shareOf(item.lastTime) : 'new'}
              </span>
            </button>
          </li>
        ))}
      </ol>
      {ticked.size > 0 && onAssign && (
        <FormBar
          count={ticked.size}
          onAssign={(form) => onAssign(ticked, form)}
          onUntick={() => setTicked(new Set())}
        />
      )}
      {shown.length === 0 && items.length > 0 && (
        <p className="py-4 text-ink-2">
          {text ? `No question has ‘${text}’.` : 'No question is of this kind.'}
        </p>
      )}
    </section>
  )
}

/** On a phone, where the list is another page. */
export function AllQuestions({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="btn btn-quiet mb-3 -ml-2.5 md:hidden" onClick={onClick}>
      <ArrowLeft size={16} aria-hidden />
      All questions
    </button>
  )
}

const PLAIN_COLUMNS =
  'grid grid-cols-[22px_minmax(0,1fr)_30px_64px] md:grid-cols-[22px_minmax(0,1fr)_30px_56px_64px] items-center gap-x-2.5'
const FORM_COLUMNS =
  'grid grid-cols-[22px_minmax(0,1fr)_30px_64px] md:grid-cols-[22px_minmax(0,1fr)_30px_34px_56px_64px] items-center gap-x-2.5'

const FILTER_WORDS = { all: 'All', hints: 'Hints', shared: 'Shared', A: 'Form A', B: 'B' }
/** Keys that give a question to a form; o: both. */
const FORM_KEYS: Readonly<Record<string, Form | null>> = { a: 'A', b: 'B', o: null }

function Words(props: { item: ListedQuestion; mark: Mark | undefined; isUnsaved: boolean }) {
  const { item, mark } = props
  return (
    <span className="min-w-0">
      <span className="block truncate">{item.question || 'No text yet'}</span>
      {mark && (
        <small className="amber block text-[12.5px] leading-tight font-[550]">
          {isError(mark) && 'Error: '}
          {wordsOfMark(mark).title}
        </small>
      )}
      {props.isUnsaved && <small className="block text-[12.5px] text-ink-2">Not saved yet</small>}
    </span>
  )
}

const ownCheck = ({ checks }: ListedQuestion) => checks.find(({ isYou }) => isYou)

/** How many agree with the key, or that somebody disputes it; while keys are hidden, the member's own answer. */
function Checks({ item, isHidden }: { item: ListedQuestion; isHidden: boolean }) {
  const own = ownCheck(item)
  const checks = isHidden ? (own ? [own] : []) : item.checks
  const isDisputed = checks.some(({ choice }) => choice !== item.answer)
  const words = isDisputed ? 'disputed' : isHidden ? 'agree' : `${checks.length}`
  return (
    <span
      className={`whitespace-nowrap text-end text-[12.5px] max-md:hidden ${isDisputed ? 'amber font-medium' : 'text-ink-2'}`}
    >
      <span className="sr-only">{isHidden ? 'You ' : 'Agree '}</span>
      {checks.length === 0 ? '–' : words}
    </span>
  )
}

const holds = ({ question, options, topic }: ListedQuestion, text: string): boolean =>
  isFound([question, topic, ...Object.values(options)].join(' '), text)

/** What stands over the shares: the season that all of them come from, where it is one. */
function namesOf(items: readonly ListedQuestion[]): string {
  const names = new Set(items.flatMap(({ lastTime }) => lastTime?.name ?? []))
  const [only] = names
  return names.size === 1 && only && only.length <= 10 ? only : 'Last time'
}

function focusRow(list: HTMLOListElement | null, at: number): void {
  list?.querySelectorAll<HTMLElement>('[data-row]')[at]?.focus()
}
