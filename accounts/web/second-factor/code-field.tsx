import { type Ref, useState } from 'react'
import { Field } from '../../../platform/web/ui/field.tsx'

/** What is typed: the digits of the app, or a code on paper. */
export type Kind = 'app' | 'paper'

/** Said when nothing was typed. */
export const CODE_MISSING: Record<Kind, string> = {
  app: 'Please enter the six digits that your app shows.',
  paper: 'Please enter one of your recovery codes.',
}

/** The field for a code of the app, or for a recovery code, and the way from one to the other. */
export function CodeField(props: {
  kind: Kind
  /** null: there are no recovery codes */
  onKind: ((kind: Kind) => void) | null
  error: string | undefined
  ref: Ref<HTMLInputElement>
}) {
  const { kind, onKind } = props
  // Focused when the other one was asked for, not when the page opens: that is its own affair.
  const [isSwitched, setSwitched] = useState(false)
  return (
    <div>
      <Field
        key={kind}
        label={kind === 'app' ? 'Code of your app' : 'Recovery code'}
        type="text"
        name="code"
        inputMode={kind === 'app' ? 'numeric' : 'text'}
        autoComplete={kind === 'app' ? 'one-time-code' : 'off'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={kind === 'app' ? 12 : 40}
        required
        autoFocus={isSwitched}
        ref={props.ref}
        error={props.error}
      />
      {onKind && (
        <button
          type="button"
          className="link mt-2 min-h-11 text-[15px]"
          onClick={() => {
            setSwitched(true)
            onKind(kind === 'app' ? 'paper' : 'app')
          }}
        >
          {kind === 'app' ? 'Use a recovery code instead' : 'Use the app instead'}
        </button>
      )}
    </div>
  )
}
