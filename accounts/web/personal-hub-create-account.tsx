import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'react-router'
import { queryClient } from '../../platform/web/query-client.ts'
import { authClient, useUser } from '../../platform/web/session.tsx'
import { HubSection, useLinkedPart } from '../../platform/web/ui/section.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { AccountFields, accountSchema, metadataOf, NO_ACCOUNT } from './auth-sign-up-fields.tsx'
import { codeOf, messageOf, weaknessOf } from './auth-words.ts'
import { profileQuery } from './queries.ts'
import { isUnanswered, MAYBE_SET, setPassword } from './set-password.ts'

/** The fragment of createAccountUrl. */
const SECTION = 'create-account'

/** Turns a guest into an account with the same user id and all results (product 2.4.6). */
export function CreateAccount(props: {
  /** the form is gone, so the focus needs a new place */
  onCreated: () => void
}) {
  const user = useUser()
  const [working, start] = useSingleFlight<'creating'>()
  const { register, handleSubmit, formState, setError, setFocus } = useForm({
    resolver: zodResolver(accountSchema),
    defaultValues: NO_ACCOUNT,
  })

  const create = handleSubmit((account) =>
    start('creating', async () => {
      const error = await setPassword(authClient, user.id, {
        email: account.email,
        password: account.password,
        account: { data: metadataOf(account) },
      })
      if (error) {
        const weakness = weaknessOf(error)
        if (weakness) setError('password', { message: weakness }, { shouldFocus: true })
        if (codeOf(error) === 'email_exists') {
          const message =
            'This address already has an account. Use another one here, or sign in to that account.'
          setError('email', { message }, { shouldFocus: true })
        }
        toast.error('Sign up failed', isUnanswered(error) ? MAYBE_SET : messageOf(error))
        return
      }
      void queryClient.invalidateQueries(profileQuery)
      toast.success('Account created successfully!', 'Your results and your streak are kept.')
      props.onCreated()
    }),
  )

  const { key } = useLocation()
  // The question at Sign Out links here.
  const linked = useLinkedPart([SECTION])
  useEffect(() => {
    if (linked && key) setFocus('email')
  }, [linked, key, setFocus])

  return (
    <HubSection title="Create your account" id={SECTION}>
      <div className="grid gap-x-12 gap-y-6 pt-6 nav:grid-cols-[260px_1fr]">
        <p className="running max-w-[48ch] text-ink-2">
          Guests lose their progress when the session ends. With an email and a password, everything
          you've done so far stays yours, on any device.
        </p>
        <form onSubmit={create} noValidate name="create-account" className="flex flex-col gap-5">
          <AccountFields register={register} errors={formState.errors} />
          <button type="submit" className="btn self-start" disabled={working !== null}>
            {working ? 'Creating account…' : 'Create Account'}
          </button>
        </form>
      </div>
    </HubSection>
  )
}
