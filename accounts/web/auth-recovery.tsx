import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { URLS } from '../../platform/urls.ts'
import { useSession } from '../../platform/web/session.tsx'
import { EmailField, Field, HiddenUsername, PasswordField } from '../../platform/web/ui/field.tsx'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { CODE_DIGITS, PASSWORD_HINT, RECOVERY_IN_WORDS } from '../limits.ts'
import { createRecoveryAuth, forgetRecovery } from './auth-clients.ts'
import { emailSchema } from './auth-sign-up-fields.tsx'
import { codeOf, isSessionMissing, isTemporary, messageOf, weaknessOf } from './auth-words.ts'
import { isUnanswered, MAYBE_SET, setPassword } from './set-password.ts'

/**
 * The steps of a recovery:
 *     ask ──mail──▶ sent ──code──▶ password ──▶ dashboard
 *                    ▲               ▲
 *     (mail's link) link ──click─────┘    an expired link leads back to ask
 */
export type RecoveryStep =
  | { name: 'ask'; email: string; isExpired?: boolean }
  | { name: 'code'; email: string }
  | { name: 'link'; tokenHash: string }
  | { name: 'password'; email: string }

interface Ways {
  onStep: (step: RecoveryStep) => void
  onClose: () => void
}

/** Recovers a password (product 2.6.4 to 2.6.9), in place of the forms. */
export function Recovery(
  props: Ways & {
    step: RecoveryStep
    /** the new password is set, and this browser is signed in */
    onDone: () => void
  },
) {
  const { step, onStep, onClose } = props
  useTitle(step.name === 'ask' || step.name === 'code' ? 'Forgot password' : 'Set a new password')

  const cancel = () => {
    // The screen doesn't wait: the tab forgets the session immediately, the server when the call arrives.
    createRecoveryAuth()
      .then((client) => client.signOut({ scope: 'local' }))
      .catch(() => {})
      .finally(forgetRecovery)
    onClose()
  }

  if (step.name === 'link') {
    return <OpenedLink tokenHash={step.tokenHash} onStep={onStep} onClose={onClose} />
  }
  if (step.name === 'password') {
    return (
      <SetPassword
        email={step.email}
        onCancel={cancel}
        onExpired={() => {
          forgetRecovery()
          onStep({ name: 'ask', email: step.email, isExpired: true })
        }}
        onDone={props.onDone}
      />
    )
  }
  if (step.name === 'code') {
    return <AskForCode email={step.email} onStep={onStep} onClose={onClose} />
  }
  return <AskForLink {...step} onStep={onStep} onClose={onClose} />
}

/** The page of the mail's link. Only its button consumes the link, because mail scanners just open links. */
function OpenedLink(props: Ways & { tokenHash: string }) {
  const session = useSession()
  const [working, start] = useSingleFlight<'opening'>()

  const open = () =>
    start('opening', async () => {
      const { data, error } = await createRecoveryAuth()
        .then((client) => client.verifyOtp({ token_hash: props.tokenHash, type: 'recovery' }))
        .catch((error) => ({ data: null, error }))
      const email = data?.user?.email
      if (email) return props.onStep({ name: 'password', email })
      if (isTemporary(error) || !error?.status) {
        toast.error('The link could not be checked', messageOf(error))
        return
      }
      props.onStep({ name: 'ask', email: '', isExpired: true })
    })

  return (
    <>
      <h1 className="text-[34px] sm:text-[42px]">Set a new password</h1>
      <p className="mt-4 text-ink-2">Continue to choose a new password.</p>
      {session.user && (
        <p className="mt-4 border-l-2 border-l-mid pl-4 text-[15px]">
          {session.user.is_anonymous
            ? 'You are here as a guest. Setting the password signs you in to your account, and the guest progress on this device is lost.'
            : `You are signed in as ${session.user.email}. Setting the password signs you in to the account that asked for it.`}
        </p>
      )}
      <div className="mt-7 flex flex-wrap gap-3">
        <button type="button" className="btn" disabled={working !== null} onClick={open}>
          {working ? 'Checking the link…' : 'Set a new password'}
        </button>
        <button type="button" className="btn btn-quiet" onClick={props.onClose}>
          Cancel
        </button>
      </div>
    </>
  )
}

const passwordSchema = z.object({
  password: z.string().check(z.minLength(1, 'Please enter a password.')),
})

function SetPassword(props: {
  email: string
  onCancel: () => void
  /** the recovery's session ended in the meantime */
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
        else if (isUnanswered(error)) toast.error('The password may not have been set', MAYBE_SET)
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
        device will be signed out.
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

/** The same message for every address, so that it doesn't reveal accounts. */
const SENT = `If an account exists for that address, we sent a link. It is valid for ${RECOVERY_IN_WORDS}.`

const linkSchema = z.object({ email: emailSchema })

function AskForLink(props: Ways & { email: string; isExpired?: boolean }) {
  const [isSent, setIsSent] = useState(false)
  const [working, start] = useSingleFlight<'sending'>()
  const { register, handleSubmit, formState, getValues } = useForm({
    resolver: zodResolver(linkSchema),
    defaultValues: { email: props.email },
  })

  const send = handleSubmit(({ email }) =>
    start('sending', async () => {
      const { error } = await createRecoveryAuth()
        .then((client) =>
          client.resetPasswordForEmail(email, { redirectTo: `${location.origin}${URLS.auth}` }),
        )
        .catch((error) => ({ error }))
      setIsSent(!error)
      if (error) toast.error('No link was sent', messageOf(error))
    }),
  )

  return (
    <form onSubmit={send} noValidate name="recover" className="flex flex-col gap-5">
      <h1 className="text-[34px] sm:text-[42px]">
        {props.isExpired ? 'Ask for a new link' : 'Forgot your password?'}
      </h1>
      <p className="text-ink-2" role={props.isExpired ? 'alert' : undefined}>
        {props.isExpired
          ? 'This link has expired or was already used. Enter your email and we’ll send you another.'
          : 'Enter your email and we’ll send you a link to set a new password.'}
      </p>
      <EmailField
        autoComplete="username"
        autoFocus
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <div role="status" className={isSent ? 'border-l-2 border-l-right pl-4' : undefined}>
        {isSent && SENT}
      </div>
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn" disabled={working !== null}>
          {working ? 'Sending…' : isSent ? 'Send again' : 'Send link'}
        </button>
        <button type="button" className="btn btn-quiet" onClick={props.onClose}>
          Back to Sign In
        </button>
      </div>
      <button
        type="button"
        className="link min-h-11 self-start text-[15px]"
        onClick={() => props.onStep({ name: 'code', email: getValues('email').trim() })}
      >
        Enter the six-digit code instead
      </button>
    </form>
  )
}

const codeSchema = z.object({
  email: emailSchema,
  // A pasted code may contain spaces.
  code: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.replace(/\s/g, '')),
    ),
    z
      .string()
      .check(
        z.regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), 'Enter the six-digit code from the email.'),
      ),
  ),
})

function AskForCode(props: Ways & { email: string }) {
  const [working, start] = useSingleFlight<'checking'>()
  const { register, handleSubmit, formState, getValues, setError } = useForm({
    resolver: zodResolver(codeSchema),
    defaultValues: { email: props.email, code: '' },
  })

  const verify = handleSubmit(({ email, code }) =>
    start('checking', async () => {
      const { data, error } = await createRecoveryAuth()
        .then((client) => client.verifyOtp({ email, token: code, type: 'recovery' }))
        .catch((error) => ({ data: null, error }))
      const known = data?.user?.email
      if (known) return props.onStep({ name: 'password', email: known })
      if (codeOf(error) === 'otp_expired') {
        const message =
          'This code is wrong or no longer valid. Check the digits, or request a new email.'
        setError('code', { message }, { shouldFocus: true })
        return
      }
      toast.error('The code could not be checked', messageOf(error))
    }),
  )

  return (
    <form onSubmit={verify} noValidate name="recover-code" className="flex flex-col gap-5">
      <h1 className="text-[34px] sm:text-[42px]">Enter the code</h1>
      <p className="text-ink-2">The email with the link also has a six-digit code.</p>
      <EmailField
        autoComplete="username"
        autoFocus={props.email === ''}
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <Field
        label="Six-digit code"
        type="text"
        autoComplete="one-time-code"
        inputMode="numeric"
        maxLength={12}
        required
        autoFocus={props.email !== ''}
        error={formState.errors.code?.message}
        {...register('code')}
      />
      <div className="flex flex-wrap gap-3">
        <button type="submit" className="btn" disabled={working !== null}>
          {working ? 'Checking…' : 'Continue'}
        </button>
        <button type="button" className="btn btn-quiet" onClick={props.onClose}>
          Back to Sign In
        </button>
      </div>
      <button
        type="button"
        className="link min-h-11 self-start text-[15px]"
        onClick={() => props.onStep({ name: 'ask', email: getValues('email').trim() })}
      >
        Request a new email
      </button>
    </form>
  )
}
