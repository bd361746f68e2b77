import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { toast } from '../../platform/web/ui/toast.tsx'
import { createForgetfulAuth } from './auth-clients.ts'
import { AccountFields, accountSchema, metadataOf, NO_ACCOUNT } from './auth-sign-up-fields.tsx'
import { codeOf, messageOf, weaknessOf } from './auth-words.ts'
import type { AuthWork } from './auth-work.ts'

/** Marks the address that has an account already. */
const KNOWN = 'known'

/** The Sign Up tab. Afterwards it is empty, and the screen switches to Sign In (product 2.3.8). */
export function SignUp(props: {
  work: AuthWork
  onSignedUp: (email: string) => void
  /** to Sign In, with an address that has an account already */
  onKnown: (email: string) => void
}) {
  const { working, start } = props.work
  const { register, handleSubmit, formState, reset, resetField, setError, getValues } = useForm({
    resolver: zodResolver(accountSchema),
    defaultValues: NO_ACCOUNT,
  })

  const signUp = handleSubmit((account) =>
    start('creating account', async () => {
      const { error } = await createForgetfulAuth()
        .then((client) =>
          client.signUp({
            email: account.email,
            password: account.password,
            options: { data: metadataOf(account) },
          }),
        )
        .catch((error) => ({ error }))
      if (error) {
        const weakness = weaknessOf(error)
        if (weakness) setError('password', { message: weakness }, { shouldFocus: true })
        // Sign-up tells who has an account (product 2.3.7); then it says where to go on, too.
        if (codeOf(error) === 'user_already_exists') {
          setError(
            'email',
            { type: KNOWN, message: 'This address has an account already.' },
            { shouldFocus: true },
          )
        }
        toast.error('Sign up failed', messageOf(error))
        return
      }
      // The session that came with the account is not used: the person signs in.
      createForgetfulAuth()
        .then((client) => client.signOut({ scope: 'local' }))
        .catch(() => {})
      toast.success('Account created successfully! You can now sign in with your credentials.')
      reset(NO_ACCOUNT)
      props.onSignedUp(account.email)
    }),
  )

  return (
    <form onSubmit={signUp} noValidate name="sign-up" className="flex flex-col gap-5">
      <AccountFields
        register={register}
        errors={formState.errors}
        belowEmail={
          formState.errors.email?.type === KNOWN && (
            <button
              type="button"
              className="link min-h-11 self-start text-[15px]"
              onClick={() => {
                props.onKnown(getValues('email').trim())
                resetField('email')
              }}
            >
              Sign in with this address
            </button>
          )
        }
      />
      <button type="submit" className="btn self-start" disabled={working !== null}>
        {working === 'creating account' ? 'Creating account…' : 'Create Account'}
      </button>
    </form>
  )
}
