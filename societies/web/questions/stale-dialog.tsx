import { useState } from 'react'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { writeTable } from '../../questions/exhibit-text.ts'
import {
  changedFields,
  type Draft,
  mergeChanges,
  type QuestionField,
  withFields,
} from '../../questions/question-content.ts'
import { wordsOfField } from './field-words.ts'
import { type Stale, savedBy } from './use-drafts.ts'

/** Two people's changes of one question: what only one of them touched is taken, for the rest one chooses. */
export function StaleDialog(props: {
  read: Draft
  mine: Draft
  stale: Stale
  isSaving: boolean
  onSave: (merged: Draft) => void
  onClose: () => void
}) {
  const { read, mine, stale } = props
  const { merged, conflicts } = mergeChanges(read, mine, stale.content)
  const [theirs, setTheirs] = useState<ReadonlySet<QuestionField>>(new Set())
  const name = stale.changedByYou ? 'your other page' : (stale.changedByName ?? 'Somebody')
  const taken = changedFields(read, stale.content).filter((field) => !conflicts.includes(field))
  const choose = (field: QuestionField, isTheirs: boolean) => {
    const next = new Set(theirs)
    if (isTheirs) next.add(field)
    else next.delete(field)
    setTheirs(next)
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && props.onClose()}
      title={`${savedBy(stale)} version ${stale.version}`}
      description={
        stale.changedByYou
          ? 'Nothing is lost: what only one of your pages changed is kept. Choose for what both changed.'
          : 'Nothing is lost: what only one of you changed is kept. Choose for what both of you changed.'
      }
      wide
    >
      {taken.length > 0 && (
        <p className="mb-4">
          Taken from {name}: {taken.map(wordsOfField).join(', ')}.
        </p>
      )}
      {conflicts.map((field) => (
        <fieldset key={field} className="mb-4">
          <legend className="label">{wordsOfField(field)}</legend>
          {[false, true].map((isTheirs) => (
            <label
              key={String(isTheirs)}
              className="mb-2 flex min-h-11 items-start gap-2.5 border border-line p-2.5"
            >
              <input
                type="radio"
                name={`stale-${field}`}
                checked={theirs.has(field) === isTheirs}
                onChange={() => choose(field, isTheirs)}
                className="mt-0.5"
              />
              <span className="min-w-0 whitespace-pre-line">
                <b className="block font-[550] text-[12.5px]">
                  {isTheirs ? (stale.changedByYou ? 'The other page' : name) : 'Mine'}
                </b>
                {shownField(isTheirs ? stale.content : mine, field) || <i>empty</i>}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
      <div className="flex flex-wrap gap-2.5">
        <button
          type="button"
          className="btn"
          aria-disabled={props.isSaving}
          onClick={() =>
            !props.isSaving && props.onSave(withFields(merged, stale.content, [...theirs]))
          }
        >
          Save as version {stale.version + 1}
        </button>
        <button type="button" className="btn btn-ghost" onClick={props.onClose}>
          Go on writing
        </button>
      </div>
    </Dialog>
  )
}

function shownField(content: Draft, field: QuestionField): string {
  switch (field) {
    case 'exhibit': {
      const { exhibit } = content
      if (!exhibit) return ''
      return exhibit.kind === 'table' ? writeTable(exhibit.rows) : `A picture: ${exhibit.alt}`
    }
    case 'A':
    case 'B':
    case 'C':
    case 'D':
      return content.options[field]
    default:
      return content[field] ?? ''
  }
}
