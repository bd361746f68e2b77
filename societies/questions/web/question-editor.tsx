import { Check, CircleAlert, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import { AreaField, TextField } from '../../kit/web/fields.tsx'
import { TERM_CHARACTERS } from '../computed-answer.ts'
import type { ListedQuestion } from '../contract.ts'
import type { Draft } from '../question-content.ts'
import { agreeingOptions, type Mark, shownValue } from '../question-marks.ts'
import { CONTENT_LIMITS, titleAndRest } from '../written-question.ts'
import { ExhibitField } from './exhibit-field.tsx'
import { shareOf } from './question-list.tsx'

/** The fields of a question with their errors and hints (product 7.9.4). On a phone, only texts can be edited. */
export function QuestionEditor(props: {
  /** null for a new question */
  item: ListedQuestion | null
  draft: Draft
  marks: readonly Mark[]
  topics: readonly string[]
  /** undefined while questions are locked */
  onChange: ((draft: Draft) => void) | undefined
}) {
  const { draft, onChange } = props
  const id = useId()
  const isLocked = onChange === undefined
  const change = (part: Partial<Draft>) => onChange?.({ ...draft, ...part })
  const marksOf = (field: 'stem' | 'term' | undefined) => (
    // Screen readers announce new content only if the element already exists.
    <div
      id={field === undefined ? `${id}-options` : undefined}
      role="status"
      className="grid gap-2 text-ink [&:not(:empty)]:mt-2"
    >
      {props.marks
        .filter((mark) => mark.field === field)
        .map((mark) => (
          <MarkNote key={mark.mark} mark={mark} draft={draft} onChange={onChange} />
        ))}
    </div>
  )
  return (
    <>
      <AreaField
        className="mb-4"
        label="Question"
        hint={marksOf('stem')}
        readOnly={isLocked}
        maxLength={CONTENT_LIMITS.question}
        value={draft.question}
        onChange={(question) => change({ question })}
      />
      <fieldset className="mb-4" aria-describedby={`${id}-options`}>
        <legend className="label">
          Options{' '}
          <span className="hint ml-2 font-normal">
            select the key; candidates see the options in this order
          </span>
        </legend>
        {OPTION_LETTERS.map((letter) => (
          <Option
            key={letter}
            letter={letter}
            name={`${id}-key`}
            text={draft.options[letter]}
            isKey={draft.answer === letter}
            isLocked={isLocked}
            isWordsOnPhone
            onKey={() => change({ answer: letter })}
            onType={(text) => change({ options: { ...draft.options, [letter]: text } })}
          />
        ))}
        {marksOf(undefined)}
      </fieldset>
      <TextField
        className="mb-4 max-md:hidden"
        label="Computed answer"
        note="optional; the key is checked against it"
        placeholder="1.25 / 1.10"
        hint={
          <>
            <Agreement draft={draft} />
            {marksOf('term')}
          </>
        }
        readOnly={isLocked}
        maxLength={TERM_CHARACTERS}
        value={draft.compute ?? ''}
        onChange={(event) => change({ compute: event.target.value || null })}
      />
      {!isLocked && (
        <ExhibitField exhibit={draft.exhibit} onChange={(exhibit) => change({ exhibit })} />
      )}
      <AreaField
        className="mb-4"
        label="Explanation"
        note="shown only after the results are released"
        readOnly={isLocked}
        maxLength={CONTENT_LIMITS.explanation}
        value={draft.explanation ?? ''}
        onChange={(explanation) => change({ explanation: explanation || null })}
      />
      <div className="mb-4.5 grid grid-cols-2 gap-3.5">
        <TextField
          className="max-md:hidden"
          label="Topic"
          choices={props.topics}
          readOnly={isLocked}
          maxLength={CONTENT_LIMITS.topic}
          value={draft.topic ?? ''}
          onChange={(event) => change({ topic: event.target.value || null })}
        />
        <div>
          <p className="label">Used before</p>
          <p className="flex min-h-8.5 items-center text-[13.5px]">{usedBefore(props.item)}</p>
        </div>
      </div>
    </>
  )
}

export function Option(props: {
  letter: string
  name: string
  text: string
  isKey: boolean
  isLocked?: boolean
  /** in a test's list, where phones edit only texts */
  isWordsOnPhone?: boolean
  hasFocus?: boolean
  onKey: () => void
  onType: (text: string) => void
  children?: ReactNode
}) {
  const { letter, isKey, isLocked = false } = props
  return (
    <div className="mb-2 grid grid-cols-[24px_22px_minmax(0,1fr)_auto] items-center last:mb-0">
      <input
        type="radio"
        name={props.name}
        aria-label={`${letter} is the key`}
        className={props.isWordsOnPhone ? 'max-md:pointer-events-none' : ''}
        checked={isKey}
        disabled={isLocked}
        onChange={props.onKey}
      />
      <b aria-hidden className="font-[550] text-ink-2">
        {letter}
      </b>
      <input
        type="text"
        aria-label={`Option ${letter}`}
        className={`field w-full ${isKey ? 'border-ink!' : ''}`}
        readOnly={isLocked}
        maxLength={CONTENT_LIMITS.option}
        value={props.text}
        // biome-ignore lint/a11y/noAutofocus: the member has just asked for it
        autoFocus={props.hasFocus}
        onChange={({ target: { value } }) => props.onType(value)}
      />
      {props.children}
    </div>
  )
}

/** '= 1.1364, agrees with A' */
function Agreement({ draft }: { draft: Draft }) {
  const found = agreeingOptions(draft)
  const isRight = found && draft.answer !== null && found.letters.includes(draft.answer)
  return (
    <span role="status" className="figures flex items-center gap-2 text-[13px] empty:hidden">
      {found && <>= {shownValue(found.value)}</>}
      {isRight && (
        <span className="grade-right flex items-center gap-1 font-[550]">
          <Check size={15} aria-hidden />
          agrees with {draft.answer}
        </span>
      )}
    </span>
  )
}

function usedBefore(item: ListedQuestion | null): string {
  if (item?.lastTime) return `${item.lastTime.name}: ${shareOf(item.lastTime)} right`
  if (item && item.sharedWith.length > 0) return `also in ${item.sharedWith.join(', ')}`
  return 'never'
}

/** Shows a mark at its field, with a button for a one-click fix (product 7.9.5). */
function MarkNote(props: {
  mark: Mark
  draft: Draft
  onChange: ((draft: Draft) => void) | undefined
}) {
  const { onChange } = props
  const { isError, text, remedy } = props.mark
  const [title, rest] = titleAndRest(text)
  const Icon = isError ? CircleAlert : TriangleAlert
  return (
    <div className="warning text-[13px]! leading-[1.45]">
      <Icon size={16} aria-hidden />
      <p>
        <b className="font-semibold">
          {isError && 'Error: '}
          {title}.
        </b>{' '}
        {rest}
        {remedy && onChange && (
          <button
            type="button"
            className="link block min-h-6 text-left max-md:min-h-11"
            onClick={() => onChange(remedy.apply(props.draft))}
          >
            {remedy.label}
          </button>
        )}
      </p>
    </div>
  )
}
