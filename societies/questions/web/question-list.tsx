import { useMemo, useState } from 'react'
import { type Column, DataTable, type NameColumn } from '../../kit/web/data-table.tsx'
import { ChosenBar, type Filter, useListBar } from '../../kit/web/list-bar.tsx'
import type { ListedQuestion } from '../contract.ts'
import type { Mark } from '../question-marks.ts'
import { countForms, type Form, numbersOn } from '../two-forms.ts'
import { titleAndRest } from '../written-question.ts'

export const FORM_CHOICES = [
  ['both', 'Both forms'],
  ['A', 'Form A'],
  ['B', 'Form B'],
] as const
export const formOf = (choice: 'both' | Form): Form | null => (choice === 'both' ? null : choice)
/** o: both */
const FORM_KEYS: Readonly<Record<string, Form | null>> = { a: 'A', b: 'B', o: null }

/** '61%', or '9 of 12' below 15 candidates. */
export const shareOf = ({ right, of }: { right: number; of: number }): string =>
  of < 15 ? `${right} of ${of}` : `${Math.round((100 * right) / of)}%`

interface Row extends ListedQuestion {
  id: string
  /** its number on the shown form; null if the form doesn't have it */
  number: number | null
  mark: Mark | undefined
  isUnsaved: boolean
}

const FILTERS: readonly Filter<Row>[] = [
  { id: 'all', label: 'All', fits: () => true },
  { id: 'hints', label: 'Hints', fits: ({ mark }) => mark !== undefined },
  { id: 'shared', label: 'Shared', fits: ({ sharedWith }) => sharedWith.length > 0 },
  { id: 'A', label: 'Form A', fits: ({ form }) => form !== 'B' },
  { id: 'B', label: 'B', fits: ({ form }) => form !== 'A' },
]
const textOf = ({ question, topic, options }: Row) =>
  [question, topic, ...Object.values(options)].join(' ')

/** Lists the questions with keys, hints and earlier results (product 7.9.3). */
export function QuestionList(props: {
  items: readonly ListedQuestion[]
  marks: readonly (readonly Mark[])[]
  selected: string | null
  unsaved: { has: (question: string) => boolean }
  /** keys and hints are hidden, except for questions that the member has answered */
  isHidden: boolean
  /** undefined while questions are locked */
  onAssign: ((questions: ReadonlySet<string>, form: Form | null) => void) | undefined
  onSelect: (question: string) => void
}) {
  const { items, marks, unsaved, isHidden, onAssign, onSelect } = props
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set())
  const [filter, setFilter] = useState('all')
  const hasForms = countForms(items) !== null
  const rows = useMemo(() => {
    const numbers = numbersOn(filter === 'A' || filter === 'B' ? filter : null, items)
    return items.map((item, at) => ({
      ...item,
      id: item.questionId,
      number: numbers[at] ?? null,
      mark: marks[at]?.[0],
      isUnsaved: unsaved.has(item.questionId),
    }))
  }, [items, marks, unsaved, filter])
  const list = useListBar<Row>(rows, {
    by: 'Question, option or topic',
    textOf,
    filters: hasForms ? FILTERS : FILTERS.slice(0, 3),
    width: 'min-w-36 flex-1 max-md:basis-full',
    told: [filter, setFilter],
  })
  return (
    <section aria-label="All questions" className="min-w-0">
      {/* Enter in the search opens the first question. */}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const first = list.findFirst()
          if (first) onSelect(first.id)
        }}
      >
        {list.bar}
      </form>
      <DataTable
        label="Questions"
        rows={list.shown}
        view={list.view}
        name={NAME}
        columns={useColumns(items, isHidden, hasForms)}
        empty="No questions match."
        ticked={ticked}
        onTick={onAssign && setTicked}
        chosen={props.selected}
        onChoose={onSelect}
        onKey={(key, id) => {
          const form = FORM_KEYS[key.toLowerCase()]
          if (form !== undefined) onAssign?.(ticked.size > 0 ? ticked : new Set([id]), form)
        }}
      />
      {ticked.size > 0 && onAssign && (
        <ChosenBar count={ticked.size} note="asked in" onUntick={() => setTicked(new Set())}>
          {FORM_CHOICES.map(([choice, words]) => (
            <button key={choice} type="button" onClick={() => onAssign(ticked, formOf(choice))}>
              {words}
            </button>
          ))}
        </ChosenBar>
      )}
    </section>
  )
}

const NAME: NameColumn<Row> = {
  id: 'question',
  head: 'Question',
  className:
    'w-full max-w-0 py-1! [&>button]:block [&>button]:w-full [&>button]:truncate [&>button]:leading-7 max-md:[&>button]:leading-9',
  text: ({ number, question }) => `${number}. ${question || 'No text yet'}`,
  cell: ({ mark, isUnsaved }) => (
    <>
      {mark && (
        <small className="amber block text-[12.5px] leading-tight font-[550]">
          {mark.isError && 'Error: '}
          {titleAndRest(mark.text)[0]}
        </small>
      )}
      {isUnsaved && <small className="block text-[12.5px] text-ink-2">Not saved yet</small>}
    </>
  ),
}

function useColumns(
  items: readonly ListedQuestion[],
  isHidden: boolean,
  hasForms: boolean,
): Column<Row>[] {
  const names = new Set(items.flatMap(({ lastTime }) => lastTime?.name ?? []))
  const [only] = names
  const lastName = names.size === 1 && only && only.length <= 10 ? only : 'Last time'
  return useMemo(() => {
    const side = 'whitespace-nowrap text-end'
    const all: (Column<Row> & { isOff?: boolean })[] = [
      {
        id: 'key',
        head: 'Key',
        className: `${side} font-semibold`,
        cell: ({ answer, checks }) => {
          if (!isHidden || checks.some(({ isYou }) => isYou)) return answer
          return (
            <span className="font-normal text-ink-2">
              <span className="sr-only">hidden</span>
              <span aria-hidden>•</span>
            </span>
          )
        },
      },
      {
        id: 'form',
        head: 'Form',
        isOff: !hasForms,
        className: `${side} text-ink-2 max-md:hidden`,
        cell: ({ form }) => form ?? 'both',
      },
      {
        id: 'checks',
        head: isHidden ? 'You' : 'Agree',
        className: `${side} text-ink-2 max-md:hidden`,
        // While keys are hidden, this shows the member's own answer; otherwise the number of agreeing members.
        cell: (row) => {
          const checks = row.checks.filter(({ isYou }) => isYou || !isHidden)
          if (checks.length === 0) return '–'
          if (checks.every(({ choice }) => choice === row.answer)) {
            return isHidden ? 'agree' : checks.length
          }
          return <span className="amber font-medium">disputed</span>
        },
      },
      {
        id: 'last',
        head: lastName,
        className: `${side} text-ink-2`,
        cell: ({ lastTime }) => (lastTime ? shareOf(lastTime) : 'new'),
      },
    ]
    return all.filter(({ isOff }) => !isOff)
  }, [isHidden, hasForms, lastName])
}
