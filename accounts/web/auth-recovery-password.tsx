import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { HiddenUsername, PasswordField } from '../../platform/web/ui/field.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { PASSWORD_HINT } from '../password.ts'
import { createRecoveryAuth, forgetRecovery } from './auth-clients.ts'
import { isSessionMissing, messageOf, weaknessOf } from './auth-words.ts'
import { isUnanswered, MAYBE_SET, setPassword } from './set-password.ts'

const passwordSchema = z.object({
  password: z.string().check(z.minLength(1, 'Please enter a password.')),
})

/** The new password; when it is set, this browser is signed in with it. */
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
      const { data } = await createRecoveryAuth().then((recovery) => recovery.getSession())
      if (!data.session) return props.onExpired()
      const error = await setPassword(createRecoveryAuth, data.session.user.id, {
        email: props.email,
        password,
      })
      if (isSessionMissing(error)) return props.onExpired()
      if (error) {
        const weakness = weaknessOf(error)
        if (weakness) setError('password', { message: weakness }, { shouldFocus: true })
        else if (isUnanswered(error)) toast.error('The password may not be set', MAYBE_SET)
        else toast.error('The password was not changed', messageOf(error))
        return
      }
      toast.success('Your new password is set.')
      forgetRecovery()
      props.onDone()
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
        hint={PASSWORD_HINT}
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
