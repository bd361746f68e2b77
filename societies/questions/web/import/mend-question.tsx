import { useId, useState } from 'react'
import { OPTION_LETTERS } from '../../../../platform/options.ts'
import { AreaField } from '../../../kit/web/fields.tsx'
import { type Draft, flawOfDraft } from './reviewed.ts'

/** A question that is changed in place: its text, its options, its key (product 7.9.32). */
export function MendQuestion(props: {
  draft: Draft
  onDone: (draft: Draft) => void
  onCancel: () => void
}) {
  const { draft } = props
  const id = useId()
  const [question, setQuestion] = useState(draft.question)
  // Empty fields for missing options; of several keys none is chosen.
  const [options, setOptions] = useState(() => {
    const hasOneKey = draft.options.filter(({ isKey }) => isKey).length === 1
    const found = draft.options.map((one, key) => ({ ...one, key, isKey: one.isKey && hasOneKey }))
    for (let key = found.length; key < OPTION_LETTERS.length; key += 1) {
      found.push({ text: '', isKey: false, key })
    }
    return found
  })
  const [explanation, setExplanation] = useState(draft.explanation)
  const [isTold, setIsTold] = useState(false)
  const flaw = flawOfDraft({ question, options })
  const firstEmpty = options.find(({ text }) => text === '')?.key
  return (
    <form
      className="grid gap-3.5 py-3"
      aria-label={`Question in ${draft.place}`}
      onSubmit={(event) => {
        event.preventDefault()
        setIsTold(true)
        if (flaw !== null) return
        props.onDone({
          ...draft,
          question: question.trim(),
          options: options.map(({ text, isKey }) => ({ text: text.trim(), isKey })),
          explanation,
          reason: null,
          isMended: true,
          isTicked: true,
        })
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') props.onCancel()
      }}
    >
      <AreaField
        label="Question"
        rows={3}
        value={question}
        // Opened to be changed; an empty option comes first.
        autoFocus={firstEmpty === undefined}
        onChange={setQuestion}
      />
      <fieldset className="grid gap-2">
        <legend className="label">Options, with the right one chosen</legend>
        {options.map(({ key, text, isKey }, index) => {
          const letter = String.fromCharCode(65 + index)
          return (
            <div key={key} className="flex items-center gap-2.5">
              <label className="flex min-h-8 min-w-11 items-center gap-2">
                <input
                  type="radio"
                  name={`${id}-key`}
                  aria-label={`${letter} is right`}
                  checked={isKey}
                  onChange={() =>
                    setOptions(options.map((one) => ({ ...one, isKey: one.key === key })))
                  }
                />
                <span aria-hidden className="text-ink-2">
                  {letter}
                </span>
              </label>
              <input
                className="field min-w-0 flex-1"
                aria-label={`Option ${letter}`}
                value={text}
                // biome-ignore lint/a11y/noAutofocus: the member has just asked for it
                autoFocus={key === firstEmpty}
                onChange={(event) =>
                  setOptions(
                    options.map((one) =>
                      one.key === key ? { ...one, text: event.target.value } : one,
                    ),
                  )
                }
              />
              {options.length > OPTION_LETTERS.length && (
                <button
                  type="button"
                  className="quiet-link min-h-8 whitespace-nowrap"
                  aria-label={`Leave option ${letter} out`}
                  onClick={() => setOptions(options.filter((one) => one.key !== key))}
                >
                  Leave out
                </button>
              )}
            </div>
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
