import { zodResolver } from '@hookform/resolvers/zod'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { authClient } from '../../platform/web/session.tsx'
import { EmailField, PasswordField } from '../../platform/web/ui/field.tsx'
import { toast } from '../../platform/web/ui/toast.tsx'
import { emailSchema } from './auth-sign-up-fields.tsx'
import { messageOf } from './auth-words.ts'
import type { AuthWork } from './auth-work.ts'

const signInSchema = z.object({
  email: emailSchema,
  password: z.string().check(z.minLength(1, 'Please enter your password.')),
})

/** The Sign In tab. After a sign-up its e-mail is prefilled (product 2.3.8). */
export function SignIn(props: {
  work: AuthWork
  /** the address that has just signed up; then the password is what is missing */
  email: string
  /** whether its tab is in front */
  isShown: boolean
  onForgot: (email: string) => void
  onSignedIn: () => void
}) {
  const { working, start } = props.work
  const { register, handleSubmit, formState, getValues, setFocus } = useForm({
    resolver: zodResolver(signInSchema),
    defaultValues: { email: props.email, password: '' },
  })

  // After signing up the password is the one thing to type: once, when the tab has come to the front.
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
