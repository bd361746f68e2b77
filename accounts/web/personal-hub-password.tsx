import { type FormEvent, useRef, useState } from 'react'
import { authClient, useUser } from '../../platform/web/session.tsx'
import { Dialog } from '../../platform/web/ui/dialog.tsx'
import { HiddenUsername, PasswordField } from '../../platform/web/ui/field.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { PASSWORD_HINT } from '../limits.ts'
import { codeOf, messageOf, weaknessOf } from './auth-words.ts'
import { useAskForFactor } from './second-factor/ask-for-factor.ts'
import { isUnanswered, MAYBE_SET, setPassword } from './set-password.ts'

interface PasswordDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

export function PasswordDialog(props: PasswordDialogProps) {
  return (
    <Dialog
      {...props}
      title="Change password"
      description="Every other device where you are signed in is signed out. In an assessment that is running you enter your society's credentials again."
    >
      <PasswordForm onDone={() => props.onOpenChange(false)} />
    </Dialog>
  )
}

interface Errors {
  current?: string
  next?: string
}

// Two fields don't need a form library, which is large.
function PasswordForm({ onDone }: { onDone: () => void }) {
  const user = useUser()
  const [working, start] = useSingleFlight<'saving'>()
  const askForFactor = useAskForFactor()
  const [errors, setErrors] = useState<Errors>({})
  const currentField = useRef<HTMLInputElement>(null)
  const nextField = useRef<HTMLInputElement>(null)

  function refuse(refused: Errors): void {
    setErrors(refused)
    const field = refused.current ? currentField : nextField
    field.current?.focus()
  }

  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    const current = currentField.current?.value ?? ''
    const next = nextField.current?.value ?? ''
    if (!current || !next) {
      refuse({
        ...(!current && { current: 'Please enter your current password.' }),
        ...(!next && { next: 'Please enter a new password.' }),
      })
      return
    }
    setErrors({})
    void start('saving', async () => {
      const error = await setPassword(authClient, user.id, {
        email: user.email ?? '',
        password: next,
        currentPassword: current,
      })
      const weakness = weaknessOf(error)
      if (!error) {
        toast.success('Your new password is set.', 'Every other device is signed out.')
        onDone()
      } else if (weakness) refuse({ next: weakness })
      else if (codeOf(error) === 'current_password_invalid') refuse({ current: messageOf(error) })
      else if (askForFactor(error)) return
      else if (isUnanswered(error)) toast.error('The password may not have been changed', MAYBE_SET)
      else toast.error('The password was not changed', messageOf(error))
    })
  }

  return (
    <form onSubmit={onSubmit} noValidate name="change-password" className="flex flex-col gap-5">
      <HiddenUsername email={user.email ?? ''} />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        ref={currentField}
        error={errors.current}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        ref={nextField}
        hint={PASSWORD_HINT}
        error={errors.next}
      />
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn" aria-disabled={working !== null}>
          {working ? 'Saving…' : 'Save password'}
        </button>
      </div>
    </form>
  )
}
