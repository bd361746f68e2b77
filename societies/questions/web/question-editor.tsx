import { Check, CircleAlert, TriangleAlert } from 'lucide-react'
import { useId } from 'react'
import { OPTION_LETTERS } from '../../../platform/options.ts'
import { AreaField, TextField } from '../../kit/web/fields.tsx'
import { TERM_CHARACTERS } from '../computed-answer.ts'
import type { ListedQuestion } from '../contract.ts'
import { CONTENT_LIMITS, type Draft } from '../question-content.ts'
import {
  agreeingOptions,
  inOrder,
  isError,
  type Mark,
  reordered,
  withCapitals,
} from '../question-marks.ts'
import { ExhibitField } from './exhibit-field.tsx'
import { shareOf, shownValue, wordsOfMark } from './mark-words.ts'

/** The field that a mark is about; the others are about the options. */
const FIELD_OF: { readonly [mark in Mark['mark']]?: 'stem' | 'term' } = {
  no_stem: 'stem',
  quiet_negative: 'stem',
  long_stem: 'stem',
  nearly_the_same: 'stem',
  unreadable_term: 'term',
  disagrees: 'term',
}

/** The fields of a question, each with what is wrong with it (product 7.9.4); on a phone only its words. */
export function QuestionEditor(props: {
  /** null for a new one */
  item: ListedQuestion | null
  draft: Draft
  marks: readonly Mark[]
  topics: readonly string[]
  /** undefined while nothing can be changed */
  onChange: ((draft: Draft) => void) | undefined
}) {
  const { draft, onChange } = props
  const id = useId()
  const isLocked = onChange === undefined
  const change = (part: Partial<Draft>) => onChange?.({ ...draft, ...part })
  const marksOf = (field: 'stem' | 'options' | 'term') => (
    // Always there, so that what comes into it is announced.
    <div id={`${id}-${field}-marks`} role="status" className="grid gap-2 [&:not(:empty)]:mt-2">
      {props.marks
        .filter(({ mark }) => (FIELD_OF[mark] ?? 'options') === field)
        .map((mark) => (
          <MarkNote key={mark.mark} mark={mark} draft={draft} onChange={onChange} />
        ))}
    </div>
  )
  return (
    <>
      <div className="mb-4">
        <label className="label" htmlFor={`${id}-stem`}>
          Question
        </label>
        <textarea
          id={`${id}-stem`}
          className="field field-sizing-content min-h-16.5 w-full"
          readOnly={isLocked}
          maxLength={CONTENT_LIMITS.question}
          value={draft.question}
          aria-describedby={`${id}-stem-marks`}
          onChange={(event) => change({ question: event.target.value })}
        />
        {marksOf('stem')}
      </div>
      <fieldset className="mb-4" aria-describedby={`${id}-options-marks`}>
        <legend className="label">
          Options{' '}
          <span className="hint ml-2 font-normal">
            tick the key; candidates see them in this order
          </span>
        </legend>
        <Options draft={draft} isLocked={isLocked} onChange={change} />
        {marksOf('options')}
      </fieldset>
      <div className="mb-4 max-md:hidden">
        <label className="label" htmlFor={`${id}-term`}>
          Computed answer{' '}
          <span className="hint ml-2 font-normal">optional; the key is checked against it</span>
        </label>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <input
            id={`${id}-term`}
            type="text"
            className="field min-w-40 flex-1"
            placeholder="1.25 / 1.10"
            readOnly={isLocked}
            maxLength={TERM_CHARACTERS}
            value={draft.compute ?? ''}
            aria-describedby={`${id}-value ${id}-term-marks`}
            onChange={(event) => change({ compute: event.target.value || null })}
          />
          <Agreement id={`${id}-value`} draft={draft} />
        </div>
        {marksOf('term')}
      </div>
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

function Options(props: {
  draft: Draft
  isLocked: boolean
  onChange: (part: Partial<Draft>) => void
}) {
  const { draft, isLocked, onChange } = props
  const id = useId()
  return OPTION_LETTERS.map((letter) => (
    <div
      key={letter}
      className="mb-2 grid grid-cols-[24px_22px_minmax(0,1fr)] items-center last:mb-0"
    >
      <input
        type="radio"
        name={`${id}`}
        aria-label={`${letter} is the key`}
        className="max-md:pointer-events-none"
        checked={draft.answer === letter}
        disabled={isLocked}
        onChange={() => onChange({ answer: letter })}
      />
      <b aria-hidden className="font-[550] text-ink-2">
        {letter}
      </b>
      <input
        type="text"
        aria-label={`Option ${letter}`}
        className={`field w-full ${draft.answer === letter ? 'border-ink!' : ''}`}
        readOnly={isLocked}
        maxLength={CONTENT_LIMITS.option}
        value={draft.options[letter]}
        onChange={(event) =>
          onChange({ options: { ...draft.options, [letter]: event.target.value } })
        }
      />
    </div>
  ))
}

/** '= 1.1364, agrees with A' */
function Agreement({ id, draft }: { id: string; draft: Draft }) {
  const found = agreeingOptions(draft)
  const isRight = found && draft.answer !== null && found.letters.includes(draft.answer)
  return (
    <span
      id={id}
      role="status"
      className="figures flex items-center gap-2 text-[13px] text-ink-2 empty:hidden"
    >
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

/** A mark at its field, with a button that fixes it where one press can (product 7.9.5). */
function MarkNote(props: {
  mark: Mark
  draft: Draft
  onChange: ((draft: Draft) => void) | undefined
}) {
  const { mark, draft, onChange } = props
  const { title, sentence } = wordsOfMark(mark)
  const remedy = onChange && remedyOf(mark, draft)
  const Icon = isError(mark) ? CircleAlert : TriangleAlert
  return (
    <div className="warning text-[13px]! leading-[1.45]">
      <Icon size={16} aria-hidden />
      <p>
        <b className="font-semibold">
          {isError(mark) && 'Error: '}
          {title}.
        </b>{' '}
        {sentence}
        {remedy && (
          <button
            type="button"
            className="link block min-h-6 text-left max-md:min-h-11"
            onClick={() => onChange(remedy.draft)}
          >
            {remedy.label}
          </button>
        )}
      </p>
    </div>
  )
}

function remedyOf(mark: Mark, draft: Draft): { label: string; draft: Draft } | null {
  switch (mark.mark) {
    case 'numbers_out_of_order': {
      const letters = inOrder(draft.options)
      if (!letters) return null
      return { label: 'Put them in order, the key moves along', draft: reordered(draft, letters) }
    }
    case 'quiet_negative':
      return {
        label: `Write ${mark.word.toUpperCase()}`,
        draft: { ...draft, question: withCapitals(draft.question, mark.word) },
      }
    case 'disagrees':
      if (!mark.agreeing) return null
      return { label: `Make ${mark.agreeing} the key`, draft: { ...draft, answer: mark.agreeing } }
    default:
      return null
  }
}
