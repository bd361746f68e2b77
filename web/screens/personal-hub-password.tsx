import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { auth, useUser } from '../session.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordField } from '../ui/field.tsx'
import { useSingleFlight } from '../ui/single-flight.ts'
import { toast } from '../ui/toast.tsx'
import { codeOf, messageOf, weaknessOf } from './auth-words.ts'

interface PasswordDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Changes the password of who knows the current one. */
export function PasswordDialog(props: PasswordDialogProps) {
  return (
    <Dialog
      {...props}
      title="Change password"
      description="Every other device where you are signed in is signed out."
    >
      <PasswordForm onDone={() => props.onOpenChange(false)} />
    </Dialog>
  )
}

const passwordsSchema = z.object({
  current: z.string().check(z.minLength(1, 'Please enter your current password.')),
  next: z.string().check(z.minLength(1, 'Please enter a new password.')),
})

function PasswordForm({ onDone }: { onDone: () => void }) {
  const user = useUser()
  const [working, start] = useSingleFlight<'saving'>()
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(passwordsSchema),
    defaultValues: { current: '', next: '' },
  })

  const save = handleSubmit(({ current, next }) =>
    start('saving', async () => {
      const { error } = await auth
        .updateUser({ password: next, current_password: current })
        .catch((error) => ({ error }))
      if (!error) {
        toast.success('Your new password is set.', 'Every other device is signed out.')
        onDone()
        return
      }
      const weakness = weaknessOf(error)
      if (weakness) setError('next', { message: weakness }, { shouldFocus: true })
      else if (codeOf(error) === 'current_password_invalid') {
        setError('current', { message: messageOf(error) }, { shouldFocus: true })
      } else toast.error('The password was not changed', messageOf(error))
    }),
  )

  return (
    <form onSubmit={save} noValidate name="change-password" className="flex flex-col gap-5">
      {/* Tells password managers whose password this is. */}
      <input
        type="email"
        name="email"
        autoComplete="username"
        value={user.email ?? ''}
        readOnly
        hidden
      />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        required
        error={formState.errors.current?.message}
        {...register('current')}
      />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        error={formState.errors.next?.message}
        {...register('next')}
      />
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn" aria-disabled={working !== null}>
          {working ? 'Saving…' : 'Save password'}
        </button>
      </div>
    </form>
  )
}
