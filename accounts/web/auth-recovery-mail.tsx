import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { URLS } from '../../platform/urls.ts'
import { EmailField, Field } from '../../platform/web/ui/field.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { CODE_DIGITS, RECOVERY_IN_WORDS } from '../recovery.ts'
import { createRecoveryAuth } from './auth-clients.ts'
import { emailSchema } from './auth-sign-up-fields.tsx'
import { codeOf, messageOf } from './auth-words.ts'

/** The answer to every address, known or not: it tells nobody who has an account. */
const SENT = `If an account exists for that address, we sent a link. It is valid for ${RECOVERY_IN_WORDS}.`

const linkSchema = z.object({ email: emailSchema })

/** Asks for the address, and has the mail sent. */
export function AskForLink(props: {
  email: string
  /** a link was opened that is no longer good */
  isExpired: boolean
  onCode: (email: string) => void
  onClose: () => void
}) {
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
          ? 'This link has expired or was already used. Enter your e-mail and we send you another.'
          : 'Enter your e-mail and we send you a link to set a new one.'}
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
        onClick={() => props.onCode(getValues('email').trim())}
      >
        Enter the six-digit code instead
      </button>
    </form>
  )
}

const codeSchema = z.object({
  email: emailSchema,
  // A code that was copied may bring its spaces along.
  code: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => text.replace(/\s/g, '')),
    ),
    z
      .string()
      .check(
        z.regex(new RegExp(`^\\d{${CODE_DIGITS}}$`), 'Please enter the six digits from the mail.'),
      ),
  ),
})

/** The six digits of the mail, for who reads it on another device. */
export function AskForCode(props: {
  email: string
  onVerified: (email: string) => void
  onAsk: (email: string) => void
  onClose: () => void
}) {
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
      if (data?.user?.email) return props.onVerified(data.user.email)
      if (codeOf(error) === 'otp_expired') {
        const message =
          'This code is wrong or no longer valid. Check the digits, or ask for a new mail.'
        setError('code', { message }, { shouldFocus: true })
        return
      }
      toast.error('The code could not be checked', messageOf(error))
    }),
  )

  return (
    <form onSubmit={verify} noValidate name="recover-code" className="flex flex-col gap-5">
      <h1 className="text-[34px] sm:text-[42px]">Enter the code</h1>
      <p className="text-ink-2">The mail with the link has a code of six digits too.</p>
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
        onClick={() => props.onAsk(getValues('email').trim())}
      >
        Ask for a new mail
      </button>
    </form>
  )
}
