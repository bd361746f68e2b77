import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { toast } from '../../platform/web/ui/toast.tsx'
import { createForgetfulAuth } from './auth-clients.ts'
import { AccountFields, accountSchema, metadataOf, NO_ACCOUNT } from './auth-sign-up-fields.tsx'
import { messageOf, weaknessOf } from './auth-words.ts'
import type { AuthWork } from './auth-work.ts'

/** The Sign Up tab. Afterwards it is empty, and the screen switches to Sign In (product 2.3.8). */
export function SignUp(props: { work: AuthWork; onSignedUp: (email: string) => void }) {
  const { working, start } = props.work
  const { register, handleSubmit, formState, reset, setError } = useForm({
    resolver: zodResolver(accountSchema),
    defaultValues: NO_ACCOUNT,
  })

  const signUp = handleSubmit((account) =>
    start('creating account', async () => {
      const client = createForgetfulAuth()
      const { error } = await client
        .signUp({
          email: account.email,
          password: account.password,
          options: { data: metadataOf(account) },
        })
        .catch((error) => ({ error }))
      if (error) {
        const weakness = weaknessOf(error)
        if (weakness) setError('password', { message: weakness }, { shouldFocus: true })
        toast.error('Sign up failed', messageOf(error))
        return
      }
      // The session that came with the account is not used: the person signs in.
      client.signOut({ scope: 'local' }).catch(() => {})
      toast.success('Account created successfully! You can now sign in with your credentials.')
      reset(NO_ACCOUNT)
      props.onSignedUp(account.email)
    }),
  )

  return (
    <form onSubmit={signUp} noValidate name="sign-up" className="flex flex-col gap-5">
      <AccountFields register={register} errors={formState.errors} />
      <button type="submit" className="btn self-start" disabled={working !== null}>
        {working === 'creating account' ? 'Creating account…' : 'Create Account'}
      </button>
    </form>
  )
}
