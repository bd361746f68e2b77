import { FORMS, type Form } from '../../questions/two-forms.ts'

const CHOICES = [null, ...FORMS] as const

export const formName = (form: Form | null) => (form ? `Form ${form}` : 'Both forms')

/** Who is asked a question: both forms, or one of them. Pressed it counts; it makes no version. */
export function FormField(props: {
  form: Form | null
  /** undefined while nothing can be changed */
  onChange: ((form: Form | null) => void) | undefined
}) {
  return (
    <fieldset className="mb-4.5 max-md:hidden">
      <legend className="label">
        Asked in{' '}
        <span className="hint ml-2 font-normal">
          leave it, unless you deal two forms of the test
        </span>
      </legend>
      <span className="segments">
        {CHOICES.map((choice) => (
          <button
            key={choice ?? 'both'}
            type="button"
            aria-pressed={props.form === choice}
            aria-disabled={!props.onChange}
            onClick={() => props.onChange?.(choice)}
          >
            {formName(choice)}
          </button>
        ))}
      </span>
    </fieldset>
  )
}

/** What can be done with the ticked questions. */
export function FormBar(props: {
  count: number
  onAssign: (form: Form | null) => void
  onUntick: () => void
}) {
  return (
    <div className="chosen-bar">
      <span className="mr-2">
        {props.count === 1 ? '1 question' : `${props.count} questions`}, asked in
      </span>
      {CHOICES.map((choice) => (
        <button key={choice ?? 'both'} type="button" onClick={() => props.onAssign(choice)}>
          {formName(choice)}
        </button>
      ))}
      <button type="button" onClick={props.onUntick}>
        Untick
      </button>
    </div>
  )
}
