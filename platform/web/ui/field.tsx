import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react'

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'children'> & {
  ref?: Ref<HTMLInputElement>
}

type FieldProps = InputProps & {
  label: string
  /** shown next to the label, for example 'optional' */
  note?: string
  /** help below the field */
  hint?: string
  /** what is wrong with the value; screen readers announce it */
  error?: ReactNode
}

export function Field({ label, note, hint, error, ...input }: FieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} note={note} hint={hint} error={error}>
      <input {...input} {...describe(id, hint, error)} className="field" />
    </FieldFrame>
  )
}

export function EmailField(field: Omit<FieldProps, 'label'> & { label?: string }) {
  return <Field label="Email" type="email" inputMode="email" required {...field} />
}

/** Tells password managers which account a password-only form is for. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
}

/** A password input with a button that shows the text. Pasting and password managers work. */
export function PasswordField({ label, note, hint, error, ...input }: FieldProps) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  return (
    <FieldFrame id={id} label={label} note={note} hint={hint} error={error}>
      <div className="relative">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          {...describe(id, hint, error)}
          type={isShown ? 'text' : 'password'}
          className="field pr-[72px]"
        />
        <button
          type="button"
          aria-pressed={isShown}
          aria-controls={id}
          aria-label={isShown ? 'Hide password' : 'Show password'}
          onClick={() => setIsShown(!isShown)}
          className="absolute inset-y-0 right-0 min-w-[64px] rounded-md px-3 font-medium text-[14px] text-ink-2 hover:text-ink"
        >
          {isShown ? 'Hide' : 'Show'}
        </button>
      </div>
    </FieldFrame>
  )
}

function describe(id: string, hint: string | undefined, error: ReactNode) {
  const parts = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean)
  return {
    id,
    'aria-invalid': error ? (true as const) : undefined,
    'aria-describedby': parts.length > 0 ? parts.join(' ') : undefined,
  }
}

function FieldFrame(props: {
  id: string
  label: string
  note?: string | undefined
  hint?: string | undefined
  error?: ReactNode
  children: ReactNode
}) {
  return (
    <div>
      <label
        htmlFor={props.id}
        className="mb-1.5 flex items-baseline gap-2 font-medium text-[15px]"
      >
        {props.label}
        {props.note && <span className="hint font-normal">{props.note}</span>}
      </label>
      {props.children}
      {props.hint && (
        <p id={`${props.id}-hint`} className="hint mt-1.5">
          {props.hint}
        </p>
      )}
      <FieldError id={`${props.id}-error`}>{props.error}</FieldError>
    </div>
  )
}

/** The message below a field. The element always exists, so that screen readers announce its text. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} role="alert" className={children ? 'mt-1.5 text-[14px] text-wrong' : undefined}>
      {children}
    </div>
  )
}
