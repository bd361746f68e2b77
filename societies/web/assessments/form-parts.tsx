import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { ApiFailure } from '../../../platform/web/api.ts'

/** A labelled field of the console, with a hint and what is wrong with it below. */
export function FormField(props: {
  label: string
  note?: string
  hint?: ReactNode
  error?: ReactNode
  className?: string
  children: (described: {
    id: string
    'aria-invalid': true | undefined
    'aria-describedby': string
  }) => ReactNode
}) {
  const id = useId()
  return (
    <div className={props.className}>
      <label htmlFor={id} className="label">
        {props.label}
        {props.note && <span className="ml-1.5 font-normal text-ink-2">{props.note}</span>}
      </label>
      {props.children({
        id,
        'aria-invalid': props.error ? true : undefined,
        'aria-describedby': `${id}-hint ${id}-error`,
      })}
      <div id={`${id}-hint`} className={props.hint ? 'hint mt-1.5' : undefined}>
        {props.hint}
      </div>
      <div
        id={`${id}-error`}
        role="alert"
        className={props.error ? 'amber mt-1.5 font-medium text-[13px]' : undefined}
      >
        {props.error}
      </div>
    </div>
  )
}

/** The same around one line of text. */
export function TextField({
  label,
  note,
  hint,
  error,
  className,
  ...input
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'children'> & {
  label: string
  note?: string
  hint?: ReactNode
  error?: ReactNode
}) {
  return (
    <FormField {...{ label, note, hint, error, className }}>
      {(described) => <input {...input} {...described} className="field" />}
    </FormField>
  )
}

/** What was refused, said where the eyes are. */
export function Refusal({ error }: { error: unknown }) {
  return (
    <div role="alert" className={error ? 'amber mt-3 font-medium text-[13.5px]' : undefined}>
      {error
        ? error instanceof ApiFailure
          ? error.message
          : 'Something went wrong. Please try again.'
        : null}
    </div>
  )
}
