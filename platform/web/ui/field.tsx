import { type InputHTMLAttributes, type ReactNode, type Ref, useId, useState } from 'react'

type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'children'> & {
  ref?: Ref<HTMLInputElement>
}

type FieldProps = InputProps & {
  label: string
  /** said beside the label, for example 'optional' */
  note?: string
  /** what is wrong with the value; read out when it appears */
  error?: ReactNode
}

/** A labelled input with its error below. */
export function Field({ label, note, error, ...input }: FieldProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} note={note} error={error}>
      <input {...input} {...describe(id, error)} className="field" />
    </FieldFrame>
  )
}

/** The field for an e-mail address. */
export function EmailField(field: Omit<FieldProps, 'label'>) {
  return <Field label="E-mail" type="email" inputMode="email" required {...field} />
}

/** Tells password managers, in a form that asks for a password alone, whose it is. */
export function HiddenUsername({ email }: { email: string }) {
  return <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
}

/** A password input whose text can be shown; paste and password managers are welcome. */
export function PasswordField({ label, note, error, ...input }: FieldProps) {
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  return (
    <FieldFrame id={id} label={label} note={note} error={error}>
      <div className="relative">
        <input
          autoCapitalize="none"
          spellCheck={false}
          {...input}
          {...describe(id, error)}
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

function describe(id: string, error: ReactNode) {
  return error
    ? { id, 'aria-invalid': true as const, 'aria-describedby': `${id}-error` }
    : { id, 'aria-invalid': undefined }
}

function FieldFrame(props: {
  id: string
  label: string
  note?: string | undefined
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
      <FieldError id={`${props.id}-error`}>{props.error}</FieldError>
    </div>
  )
}

/** The message under a field. Its place is always there, so that its text is announced when it comes. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  return (
    <div id={id} role="alert" className={children ? 'mt-1.5 text-[14px] text-wrong' : undefined}>
      {children}
    </div>
  )
}
