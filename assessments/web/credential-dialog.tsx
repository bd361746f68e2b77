import { type FormEvent, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { ApiFailure } from '../../platform/web/api-failure.ts'
import { Dialog } from '../../platform/web/ui/dialog.tsx'
import { Field, PasswordField } from '../../platform/web/ui/field.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { type TypedCredentials, takeTyped } from './attempt/candidate.ts'
import { enterTest, type Process } from './queries.ts'

/** The dialog 'Login to Access Test' (product 6.2.1) for the chosen process. */
export function CredentialDialog(props: { process: Process | null; onClose: () => void }) {
  const { process, onClose } = props
  const [typedBefore] = useState(takeTyped)
  return (
    <Dialog
      open={process !== null}
      onOpenChange={(open) => !open && onClose()}
      title="Login to Access Test"
      {...(process ? { description: process.label } : {})}
    >
      {process && (
        <CredentialForm
          key={process.code}
          process={process}
          typedBefore={typedBefore}
          onClose={onClose}
        />
      )}
    </Dialog>
  )
}

/** This component lives as long as the dialog is open, so closing it clears the fields. */
function CredentialForm(props: {
  process: Process
  typedBefore: TypedCredentials | null
  onClose: () => void
}) {
  const { process, typedBefore, onClose } = props
  const navigate = useNavigate()
  const [working, start] = useSingleFlight<'verifying'>()
  const [username, setUsername] = useState(typedBefore?.username ?? '')
  const [password, setPassword] = useState(typedBefore?.password ?? '')
  const form = useRef<HTMLFormElement>(null)
  const id = useId()

  async function verify(): Promise<void> {
    try {
      const credentials = { username: username.trim(), password: password.trim() }
      const { status } = await enterTest(process.code, credentials)
      onClose()
      // A candidate who returns after the submit doesn't need the instructions.
      await navigate(status === 'submitted' ? URLS.recruitmentTest : URLS.recruitmentInstructions)
    } catch (error) {
      // The dialog closes and clears after every attempt (product 6.2.3).
      onClose()
      sayWhy(error)
    }
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const isBlank = username.trim() === '' || password.trim() === ''
    if (isBlank) {
      toast.error('Error', 'Please enter both username and password')
      const first = username.trim() === '' ? 0 : 1
      form.current?.querySelectorAll('input')[first]?.focus()
    } else {
      void start('verifying', verify)
    }
  }

  return (
    <form ref={form} onSubmit={onSubmit} noValidate aria-describedby={`${id}-hint`}>
      <div className="flex flex-col gap-5">
        <Field
          label="Username"
          // These are not the account's credentials, so a password manager must not fill them in.
          name="society-username"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(event) => setUsername(event.target.value)}
        />
        <PasswordField
          label="Password"
          name="society-password"
          autoComplete="off"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </div>
      <p id={`${id}-hint`} className="hint mt-3">
        Use the credentials your society sent you, not your account here.
      </p>
      <div className="mt-6 flex flex-wrap gap-3">
        <button type="submit" className="btn min-w-32" disabled={working !== null}>
          {working ? 'Verifying...' : 'Access Test'}
        </button>
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Cancel
        </button>
      </div>
    </form>
  )
}

/** Shows the toast for a failed verification (product 6.12.2, 6.12.3, 6.12.12). */
function sayWhy(error: unknown): void {
  const failure = error instanceof ApiFailure ? error : null
  if (failure?.code === 'invalid_credentials') {
    toast.error(
      'Invalid Credentials',
      'The username or password you entered is incorrect. Please try again.',
    )
  } else if (failure?.status === 429 || failure?.code === 'not_published') {
    toast.error('Error', failure.message)
  } else {
    toast.error('Error', 'Something went wrong. Please try again.')
  }
}
