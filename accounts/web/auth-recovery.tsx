import { useSession } from '../../platform/web/session.tsx'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { createRecoveryAuth, forgetRecovery } from './auth-clients.ts'
import { AskForCode, AskForLink } from './auth-recovery-mail.tsx'
import { SetPassword } from './auth-recovery-password.tsx'
import { isTemporary, messageOf } from './auth-words.ts'

/**
 * Where a recovery stands:
 *
 *     ask ──mail──▶ sent ──code──▶ password ──▶ dashboard
 *                    ▲               ▲
 *     (mail's link) link ──click─────┘    an expired link leads back to ask
 */
export type RecoveryStep =
  | { name: 'ask'; email: string; isExpired?: boolean }
  | { name: 'code'; email: string }
  | { name: 'link'; tokenHash: string }
  | { name: 'password'; email: string }

/** The recovery of a password (product 2.6.4 to 2.6.9), in the place of the forms. */
export function Recovery(props: {
  step: RecoveryStep
  onStep: (step: RecoveryStep) => void
  /** back to the forms */
  onClose: () => void
  /** the new password is set, and this browser signed in with it */
  onDone: () => void
}) {
  const { step, onStep, onClose } = props
  useTitle(step.name === 'ask' || step.name === 'code' ? 'Forgot password' : 'Set a new password')

  const cancel = () => {
    // Nothing on screen waits for it: the tab forgets at once, the server when it hears.
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
  const onVerified = (email: string) => onStep({ name: 'password', email })
  if (step.name === 'code') {
    return (
      <AskForCode
        email={step.email}
        onVerified={onVerified}
        onAsk={(email) => onStep({ name: 'ask', email })}
        onClose={onClose}
      />
    )
  }
  return (
    <AskForLink
      email={step.email}
      isExpired={step.isExpired === true}
      onCode={(email) => onStep({ name: 'code', email })}
      onClose={onClose}
    />
  )
}

/**
 * The page that the mail's link opens. Only the button uses the link up: mail scanners open every address,
 * and press nothing.
 */
function OpenedLink(props: {
  tokenHash: string
  onStep: (step: RecoveryStep) => void
  onClose: () => void
}) {
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
      <p className="mt-4 text-ink-2">
        You asked for a new password. Go on here, and choose it on the next page.
      </p>
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
