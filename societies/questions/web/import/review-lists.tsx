import { useId, useState } from 'react'
import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { OPTION_LETTERS, type OptionLetter } from '../../../../platform/options.ts'
import { AreaField } from '../../../kit/web/fields.tsx'
import { Section } from '../../../kit/web/section.tsx'
import type { reviewQuestionFile } from '../../contract-exchange.ts'
import { fixOf, LEFT_OUT, type LeftOutReason, NOTICES } from '../../question-files.ts'
import { flawOfTexts, titleAndRest } from '../../written-question.ts'
import { Option } from '../question-editor.tsx'

export type Draft = ResponseOf<typeof reviewQuestionFile>['questions'][number] & {
  /** its index in the review, from 0 */
  id: number
  isTicked: boolean
  /** changed in the review */
  isFixed: boolean
}

export const keyOf = ({ options }: Draft): OptionLetter =>
  OPTION_LETTERS[options.findIndex(({ isKey }) => isKey)] ?? 'A'

interface ListProps {
  drafts: readonly Draft[]
  onChange: (draft: Draft) => void
}

const ROW =
  'grid items-center gap-x-3 grid-cols-[32px_minmax(0,1fr)] md:grid-cols-[32px_minmax(0,1fr)_160px_118px]'

export function ImportableList(props: ListProps & { onTickAll: (isTicked: boolean) => void }) {
  const { drafts, onChange } = props
  const { openId, open, formOf } = useFixing(onChange)
  const ticked = drafts.filter(({ isTicked }) => isTicked).length
  return (
    <Section
      title={<Title count={drafts.length}>What can be imported</Title>}
      hint="four options, one key"
    >
      {drafts.length === 0 && (
        <p className="py-4 text-ink-2">Nothing yet. Fix a question in the other list.</p>
      )}
      <ol>
        {drafts.length > 0 && (
          <li className={`${ROW} min-h-8 text-[12.5px] text-ink-2`}>
            <Box
              label="All of them"
              isOn={ticked === drafts.length}
              isPartly={ticked > 0 && ticked < drafts.length}
              onChange={() => props.onTickAll(ticked < drafts.length)}
            />
            <span>Question, editable</span>
            <span className="max-md:hidden">Right answer</span>
            <span className="max-md:hidden">Notice</span>
          </li>
        )}
        {drafts.map((draft) => {
          const [notice] = draft.notices.map((one) => titleAndRest(NOTICES[one])[0])
          const look = draft.isFixed ? 'text-ink-2' : 'amber font-[550]'
          return (
            <li key={draft.id} className="border-line border-b">
              <div className={`${ROW} min-h-10.5`}>
                <Box
                  label={`Import: ${draft.question}`}
                  isOn={draft.isTicked}
                  onChange={() => onChange({ ...draft, isTicked: !draft.isTicked })}
                />
                <button
                  type="button"
                  className="min-w-0 py-1.5 text-left max-md:min-h-11"
                  aria-expanded={openId === draft.id}
                  onClick={() => open(openId === draft.id ? null : draft.id)}
                >
                  <span className="line-clamp-2 break-words">{draft.question}</span>
                  <small className="block text-[12.5px] text-ink-2">
                    {draft.notices.map((one) => titleAndRest(NOTICES[one])[1]).join(' ')}
                  </small>
                </button>
                <span className="my-1 line-clamp-2 break-words max-md:col-start-2 max-md:mt-0 max-md:mb-2">
                  <b className="font-semibold">{keyOf(draft)}</b>{' '}
                  {draft.options.find(({ isKey }) => isKey)?.text}
                </span>
                <span className={`text-[12.5px] empty:max-md:hidden max-md:col-start-2 ${look}`}>
                  {draft.isFixed ? 'fixed here' : notice}
                </span>
              </div>
              {formOf(draft)}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

const Title = ({ count, children }: { count: number; children: string }) => (
  <span className="flex items-baseline gap-2.5">
    <span className="count text-[44px]!">{count}</span> {children}
  </span>
)

function Box(props: { label: string; isOn: boolean; isPartly?: boolean; onChange: () => void }) {
  return (
    <label className="grid min-h-8 min-w-8 place-items-center justify-self-start max-md:min-h-11">
      <input
        type="checkbox"
        aria-label={props.label}
        checked={props.isOn}
        ref={(box) => {
          if (box) box.indeterminate = props.isPartly ?? false
        }}
        onChange={props.onChange}
      />
    </label>
  )
}

export function LeftOutList({ drafts, onChange }: ListProps) {
  const { openId, open, formOf } = useFixing(onChange)
  const groups = (Object.keys(LEFT_OUT) as LeftOutReason[])
    .map((reason) => ({ reason, those: drafts.filter((one) => one.reason === reason) }))
    .filter(({ those }) => those.length > 0)
  return (
    <Section
      title={<Title count={drafts.length}>Can’t be imported</Title>}
      hint="by reason, with ways to fix them"
    >
      {drafts.length === 0 && (
        <p className="py-4 text-ink-2">Everything in the file can be imported.</p>
      )}
      <ol>
        {groups.map(({ reason, those }) => {
          const [title, rest] = titleAndRest(LEFT_OUT[reason])
          return (
            <li key={reason} className="border-line border-b py-3.5">
              <h3 className="flex items-baseline justify-between gap-3">
                {title}
                <span className="font-sans text-[13px] text-ink-2">{those.length}</span>
              </h3>
              <p className="mt-0.5 text-[13.5px] text-ink-2">{rest}</p>
              <ul className="mt-1.5">
                {those.map((draft) => {
                  const fix = fixOf(reason, draft.options)
                  return (
                    <li key={draft.id} className="py-1">
                      <div className="grid grid-cols-[minmax(58px,max-content)_minmax(0,1fr)_auto] items-baseline gap-x-3">
                        <span className="max-w-28 truncate text-ink-2" title={draft.place}>
                          {draft.place}
                        </span>
                        <span className="line-clamp-2 break-words font-medium">
                          {draft.question || 'No text'}
                        </span>
                        {fix && openId !== draft.id && (
                          <button
                            type="button"
                            className="link min-h-8 whitespace-nowrap text-accent max-md:min-h-11"
                            aria-label={`${fix}: ${draft.question}`}
                            onClick={() => open(draft.id)}
                          >
                            {fix}
                          </button>
                        )}
                      </div>
                      {formOf(draft)}
                    </li>
                  )
                })}
              </ul>
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

function useFixing(onChange: (draft: Draft) => void) {
  const [openId, open] = useState<number | null>(null)
  const formOf = (draft: Draft) =>
    openId === draft.id && (
      <FixQuestion
        draft={draft}
        onCancel={() => open(null)}
        onDone={(fixed) => {
          open(null)
          onChange({ ...draft, ...fixed, reason: null, isFixed: true, isTicked: true })
        }}
      />
    )
  return { openId, open, formOf }
}

function flawOf(question: string, options: Draft['options']): string | null {
  const extra = options.length - OPTION_LETTERS.length
  if (extra > 0) return `Every question has four options. Remove ${extra}.`
  if (options.filter(({ isKey }) => isKey).length !== 1) return 'Choose the right option.'
  const texts = options.map(({ text }) => text)
  const reason = flawOfTexts(question, texts)
  return reason && LEFT_OUT[reason]
}

type Fixed = Pick<Draft, 'question' | 'options' | 'explanation'>

/** Edits a question in place: its text, options and key (product 7.9.32). */
function FixQuestion(props: {
  draft: Draft
  onDone: (fixed: Fixed) => void
  onCancel: () => void
}) {
  const { draft } = props
  const id = useId()
  const [question, setQuestion] = useState(draft.question)
  // Missing options get empty fields. If there are several keys, none is selected.
  const [options, setOptions] = useState(() => {
    const hasOneKey = draft.options.filter(({ isKey }) => isKey).length === 1
    const { length } = draft.options.length > OPTION_LETTERS.length ? draft.options : OPTION_LETTERS
    return Array.from({ length }, (_, key) => {
      const { text = '', isKey = false } = draft.options[key] ?? {}
      return { text, key, isKey: isKey && hasOneKey }
    })
  })
  const [explanation, setExplanation] = useState(draft.explanation)
  const [isTold, setIsTold] = useState(false)
  const flaw = flawOf(question, options)
  const firstEmpty = options.find(({ text }) => text === '')?.key
  const change = (key: number, text: string) =>
    setOptions(options.map((one) => (one.key === key ? { ...one, text } : one)))
  return (
    <form
      className="grid gap-3.5 py-3"
      aria-label={`Question in ${draft.place}`}
      onSubmit={(event) => {
        event.preventDefault()
        setIsTold(true)
        if (flaw !== null) return
        const trimmed = options.map(({ text, isKey }) => ({ text: text.trim(), isKey }))
        props.onDone({ question: question.trim(), options: trimmed, explanation })
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.onCancel()
      }}
    >
      <AreaField
        label="Question"
        rows={3}
        value={question}
        // The first empty option gets the focus.
        autoFocus={firstEmpty === undefined}
        onChange={setQuestion}
      />
      <fieldset className="grid gap-2">
        <legend className="label">Options, with the right one chosen</legend>
        {options.map(({ key, text, isKey }, index) => {
          const letter = String.fromCharCode(65 + index)
          return (
            <Option
              key={key}
              letter={letter}
              name={`${id}-key`}
              text={text}
              isKey={isKey}
              hasFocus={key === firstEmpty}
              onKey={() => setOptions(options.map((one) => ({ ...one, isKey: one.key === key })))}
              onType={(typed) => change(key, typed)}
            >
              {options.length > OPTION_LETTERS.length && (
                <button
                  type="button"
                  className="quiet-link min-h-8 whitespace-nowrap max-md:col-start-3 max-md:min-h-11 max-md:justify-self-start md:pl-2.5"
                  aria-label={`Leave option ${letter} out`}
                  onClick={() => setOptions(options.filter((one) => one.key !== key))}
                >
                  Leave out
                </button>
              )}
            </Option>
          )
        })}
      </fieldset>
      <AreaField
        label="Explanation"
        note="optional"
        value={explanation}
        onChange={setExplanation}
      />
      <div className="flex flex-wrap items-center gap-2">
        <button type="submit" className="btn btn-small">
          Done
        </button>
        <button type="button" className="btn btn-small btn-quiet" onClick={props.onCancel}>
          Discard changes
        </button>
        <span role="status" className="amber">
          {isTold ? flaw : ''}
        </span>
      </div>
    </form>
  )
}
