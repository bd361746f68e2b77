import { type FormEvent, useRef, useState } from 'react'
import { authClient, useUser } from '../../../platform/web/session.tsx'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { EmailField, PasswordField } from '../../../platform/web/ui/field.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { EMAIL } from '../../email.ts'
import { ADDRESS_CHANGE_IN_WORDS } from '../../limits.ts'
import { codeOf, messageOf } from '../auth-words.ts'
import { useAskForFactor } from '../second-factor/ask-for-factor.ts'

/** Changes the email address. The new one is used once its mail is confirmed (product 2.6.12, 2.6.14). */
export function EmailDialog(props: { open: boolean; onOpenChange: (open: boolean) => void }) {
  const user = useUser()
  const [asked, setAsked] = useState<string | null>(null)
  return (
    <Dialog
      open={props.open}
      onOpenChange={(open) => {
        if (!open) setAsked(null)
        props.onOpenChange(open)
      }}
      title={asked ? 'Open the link in the email' : 'Change email address'}
      description={
        asked ? undefined : `Your address stays ${user.email} until you confirm the new one.`
      }
    >
      {asked ? (
        <>
          <p role="status">
            A link is on its way to <strong className="break-all font-medium">{asked}</strong>. It
            works for {ADDRESS_CHANGE_IN_WORDS}. Until you press the button on its page, you sign in
            with {user.email}, and nothing is changed.
          </p>
          <button type="button" className="btn mt-5" onClick={() => props.onOpenChange(false)}>
            Close
          </button>
        </>
      ) : (
        <EmailForm onAsked={setAsked} />
      )}
    </Dialog>
  )
}

interface Errors {
  email?: string
  current?: string
}

// Two fields don't need a form library, which is large.
function EmailForm({ onAsked }: { onAsked: (email: string) => void }) {
  const user = useUser()
  const [working, start] = useSingleFlight<'sending'>()
  const askForFactor = useAskForFactor()
  const [errors, setErrors] = useState<Errors>({})
  const emailField = useRef<HTMLInputElement>(null)
  const currentField = useRef<HTMLInputElement>(null)

  function refuse(refused: Errors): void {
    setErrors(refused)
    const field = refused.email ? emailField : currentField
    field.current?.focus()
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const email = emailField.current?.value.trim().toLowerCase() ?? ''
    const current = currentField.current?.value ?? ''
    const problem = !email
      ? 'Please enter the new address.'
      : !EMAIL.test(email)
        ? 'This isn’t an email address.'
        : email === user.email
          ? 'This is already your address.'
          : undefined
    if (problem || !current) {
      refuse({
        ...(problem && { email: problem }),
        ...(!current && { current: 'Please enter your password.' }),
      })
      return
    }
    setErrors({})
    void start('sending', async () => {
      const { error } = await authClient()
        .then((auth) => auth.updateUser({ email, current_password: current }))
        .catch((error) => ({ error }))
      if (!error) onAsked(email)
      else if (codeOf(error) === 'email_exists') {
        refuse({ email: 'This address already has an account.' })
      } else if (codeOf(error) === 'current_password_invalid') {
        refuse({ current: messageOf(error) })
      } else if (askForFactor(error)) return
      else toast.error('No link was sent', messageOf(error))
    })
  }

  return (
    <form onSubmit={onSubmit} noValidate name="change-email" className="flex flex-col gap-5">
      <EmailField label="New address" autoComplete="email" ref={emailField} error={errors.email} />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        ref={currentField}
        error={errors.current}
      />
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn" aria-disabled={working !== null}>
          {working ? 'Sending…' : 'Send the link'}
        </button>
      </div>
    </form>
  )
}
