import { zodResolver } from '@hookform/resolvers/zod'
import { isAuthSessionMissingError } from '@supabase/auth-js'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { auth } from '../../platform/web/session.tsx'
import { HiddenUsername, PasswordField } from '../../platform/web/ui/field.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { createRecoveryAuth, forgetRecovery } from './auth-clients.ts'
import { messageOf, weaknessOf } from './auth-words.ts'

const passwordSchema = z.object({
  password: z.string().check(z.minLength(1, 'Please enter a password.')),
})

/** The new password; when it is set, the recovery's session becomes this browser's. */
export function SetPassword(props: {
  email: string
  onCancel: () => void
  /** the session of the recovery has ended meanwhile */
  onExpired: () => void
  onDone: () => void
}) {
  const [working, start] = useSingleFlight<'saving'>()
  const { register, handleSubmit, formState, setError } = useForm({
    resolver: zodResolver(passwordSchema),
    defaultValues: { password: '' },
  })

  const save = handleSubmit(({ password }) =>
    start('saving', async () => {
      const { error } = await createRecoveryAuth()
        .updateUser({ password })
        .catch((error) => ({ error }))
      if (isAuthSessionMissingError(error)) return props.onExpired()
      if (error) {
        const weakness = weaknessOf(error)
        if (weakness) setError('password', { message: weakness }, { shouldFocus: true })
        else toast.error('The password was not changed', messageOf(error))
        return
      }
      toast.success('Your new password is set.')
      if (await adoptSession()) props.onDone()
      else props.onCancel()
      return 'leaving'
    }),
  )

  return (
    <form onSubmit={save} noValidate name="new-password" className="flex flex-col gap-5">
      <h1 className="text-[34px] sm:text-[42px]">Set a new password</h1>
      <p className="text-ink-2">
        For <strong className="break-all font-medium text-ink">{props.email}</strong>. Every other
        device is signed out.
      </p>
      <HiddenUsername email={props.email} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        required
        autoFocus
        error={formState.errors.password?.message}
        {...register('password')}
      />
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn" disabled={working !== null}>
          {working ? 'Saving…' : 'Save password'}
        </button>
        <button
          type="button"
          className="btn btn-quiet"
          disabled={working !== null}
          onClick={props.onCancel}
        >
          Cancel
        </button>
      </div>
    </form>
  )
}

/** Hands the recovery's session to the browser's own client. False when that failed: then sign in. */
async function adoptSession(): Promise<boolean> {
  try {
    const { data } = await createRecoveryAuth().getSession()
    if (!data.session) return false
    const { error } = await auth.setSession(data.session)
    if (error) return false
    forgetRecovery()
    return true
  } catch {
    return false
  }
}
