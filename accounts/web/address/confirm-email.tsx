import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { authClient, useSession } from '../../../platform/web/session.tsx'
import { Message } from '../../../platform/web/ui/message.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { createForgetfulAuth } from '../auth-clients.ts'
import { AuthFrame } from '../auth-frame.tsx'
import { codeOf, messageOf } from '../auth-words.ts'

type State = 'asked' | 'confirmed' | 'expired' | 'taken'

/** /confirm-email#TOKEN: confirms at the button's press (product 2.6.12). ?own: the account's address (2.6.13). */
export function ConfirmEmail() {
  useTitle('Confirm your email address')
  const session = useSession()
  const [token] = useState(() => location.hash.slice(1))
  const isOwn = useSearchParams()[0].has('own')
  const [state, setState] = useState<State>(token ? 'asked' : 'expired')
  const [working, start] = useSingleFlight<'confirming'>()

  const confirm = () =>
    start('confirming', async () => {
      const { error } = await createForgetfulAuth()
        .then((client) => client.verifyOtp({ token_hash: token, type: 'email_change' }))
        .catch((error) => ({ error }))
      if (codeOf(error) === 'otp_expired') return setState('expired')
      if (codeOf(error) === 'email_exists') return setState('taken')
      if (error) return toast.error('The address could not be confirmed', messageOf(error))
      setState('confirmed')
      // If the account is signed in here, its displayed name has changed.
      if (session.status === 'signed-in') await (await authClient()).refreshSession()
    })

  const [place, name] = isOwn
    ? [URLS.organize, state === 'confirmed' ? 'Go on to your society' : 'Go back']
    : [URLS.personalHub, 'Personal Hub']
  const home = (
    <Link to={session.status === 'signed-in' ? place : URLS.auth} className="btn">
      {session.status === 'signed-in' ? name : 'Go to sign-in'}
    </Link>
  )
  return <AuthFrame>{pageOf(state, isOwn, working !== null, confirm, home)}</AuthFrame>
}

function pageOf(
  state: State,
  isOwn: boolean,
  isWorking: boolean,
  confirm: () => void,
  home: React.ReactNode,
): React.ReactNode {
  switch (state) {
    case 'asked':
      return (
        <Message
          title={isOwn ? 'Confirm your email address' : 'Confirm your new email address'}
          actions={
            <button type="button" className="btn" aria-disabled={isWorking} onClick={confirm}>
              {isWorking ? 'Confirming…' : 'Confirm this address'}
            </button>
          }
        >
          {isOwn
            ? 'You created an account with this address. If you didn’t, please leave this page.'
            : 'You’ll then sign in and get emails with this address.'}
        </Message>
      )
    case 'confirmed':
      return (
        <div role="status">
          <Message title="Your address is confirmed" actions={home}>
            {isOwn
              ? 'Your account is fully set up. Continue here or in the tab where you started.'
              : 'You sign in with it from now on.'}
          </Message>
        </div>
      )
    case 'expired':
      return (
        <Message title="This link has expired or was already used" isError actions={home}>
          {isOwn ? 'Please ask for a new link.' : 'Please request the change again.'}
        </Message>
      )
    case 'taken':
      return (
        <Message title="This address already has an account" isError actions={home}>
          Your account keeps its current address.
        </Message>
      )
  }
}
