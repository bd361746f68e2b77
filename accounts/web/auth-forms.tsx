import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { authClient } from '../../platform/web/session.tsx'
import { EmailField, PasswordField } from '../../platform/web/ui/field.tsx'
import { toast } from '../../platform/web/ui/toast.tsx'
import { createForgetfulAuth } from './auth-clients.ts'
import {
  AccountFields,
  accountSchema,
  emailSchema,
  metadataOf,
  NO_ACCOUNT,
} from './auth-sign-up-fields.tsx'
import { codeOf, messageOf, weaknessOf } from './auth-words.ts'

/** The actions of these forms. Only one runs at a time, so a double click sends once. */
export type Work = 'signing in' | 'creating account' | 'guest'
export interface AuthWork {
  working: Work | null
  start: (name: Work, work: () => Promise<unknown>) => Promise<void>
}

const signInSchema = z.object({
  email: emailSchema,
  password: z.string().check(z.minLength(1, 'Please enter your password.')),
})

/** The Sign In tab. After a sign-up its email is prefilled (product 2.3.8). */
export function SignIn(props: {
  work: AuthWork
  /** the address that just signed up; then only the password is missing */
  email: string
  isShown: boolean
  onForgot: (email: string) => void
  onSignedIn: () => void
}) {
  const { working, start } = props.work
  const { register, handleSubmit, formState, getValues, setError, setFocus } = useForm({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: props.email, password: '' },
  })

  // After signing up, only the password is missing, so it gets the focus once when the tab opens.
  const isFocusDue = useRef(props.email !== '')
  useEffect(() => {
    if (!props.isShown || !isFocusDue.current) return
    isFocusDue.current = false
    setFocus('password')
  }, [props.isShown, setFocus])

  const signIn = handleSubmit((values) =>
    start('signing in', async () => {
      const { error } = await authClient()
        .then((auth) => auth.signInWithPassword(values))
        .catch((error) => ({ error }))
      if (error) {
        if (codeOf(error) === 'invalid_credentials') {
          const message = 'Email or password is wrong.'
          setError('password', { message }, { shouldFocus: true })
        }
        toast.error('Sign in failed', messageOf(error))
        return
      }
      toast.success('Welcome back!')
      props.onSignedIn()
      return 'leaving'
    }),
  )

  return (
    <form onSubmit={signIn} noValidate name="sign-in" className="flex flex-col gap-5">
      <EmailField
        autoComplete="username"
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Password"
        autoComplete="current-password"
        required
        error={formState.errors.password?.message}
        {...register('password')}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <button type="submit" className="btn min-w-36" disabled={working !== null}>
          {working === 'signing in' ? 'Signing in…' : 'Sign In'}
        </button>
        <button
          type="button"
          className="link min-h-11 text-[15px]"
          onClick={() => props.onForgot(getValues('email').trim())}
        >
          Forgot password?
        </button>
      </div>
    </form>
  )
}

/** Marks an address that already has an account. */
const KNOWN = 'known'

/** The Sign Up tab. Afterwards it is cleared, and the screen switches to Sign In (product 2.3.8). */
export function SignUp(props: {
  work: AuthWork
  onSignedUp: (email: string) => void
  /** opens Sign In with an address that already has an account */
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
        // Sign-up reveals that an account exists (product 2.3.7), so the message also says what to do.
        if (codeOf(error) === 'user_already_exists') {
          setError(
            'email',
            { type: KNOWN, message: 'This address already has an account.' },
            { shouldFocus: true },
          )
        }
        toast.error('Sign up failed', messageOf(error))
        return
      }
      // The new account's session isn't used, because the person signs in.
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
