import type { AssessmentSettings } from '../../contract/lifecycle.ts'
import { FIELD_NAMES, fieldWords, type SettingsField } from './merge-settings.ts'

/** Both values of each field that two people have changed; whoever saves picks (product 7.8.6). */
export function SettingsConflicts(props: {
  by: string
  mine: AssessmentSettings
  theirs: AssessmentSettings
  fields: SettingsField[]
  onPick: (field: SettingsField, value: 'mine' | 'theirs') => void
}) {
  const { by, mine, theirs, fields } = props
  return (
    <section aria-labelledby="conflicts" className="mb-9" role="alert">
      <div className="head">
        <h2 id="conflicts">{by} has changed this meanwhile</h2>
      </div>
      <p className="mt-3 text-ink-2">
        {fields.length === 0
          ? 'What you both changed is settled. Look it over and save again.'
          : 'What only one of you changed is merged below. Where both did, please pick.'}
      </p>
      {fields.map((field) => (
        <div
          key={field}
          className="grid gap-x-5 gap-y-2 border-line border-b py-3 sm:grid-cols-[180px_1fr_1fr] sm:items-center"
        >
          <b className="font-medium">{FIELD_NAMES[field]}</b>
          <button
            type="button"
            className="btn btn-ghost justify-start text-left"
            onClick={() => props.onPick(field, 'mine')}
          >
            Yours: {fieldWords(field, mine)}
          </button>
          <button
            type="button"
            className="btn btn-ghost justify-start text-left"
            onClick={() => props.onPick(field, 'theirs')}
          >
            {by}: {fieldWords(field, theirs)}
          </button>
        </div>
      ))}
    </section>
  )
}
