import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { createAccountUrl, signInUrl, signUpUrl, societyUrl, URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { useSession } from '../../../platform/web/session.tsx'
import { signOutHere } from '../../../platform/web/sign-out.ts'
import { tabStore } from '../../../platform/web/storage.ts'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { Spinner } from '../../../platform/web/ui/skeleton.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { rememberWayBack } from '../../../platform/web/way-back.ts'
import { nameForInvited, sentencesOf } from '../../kit/role-words.ts'
import { DeadEnd, Standing } from '../../kit/web/console/frame.tsx'
import { mySocietiesQuery } from '../../kit/web/console/queries.ts'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { Loaded } from '../../kit/web/loaded.tsx'
import { ownZone } from '../../kit/web/own-zone.ts'
import { ActButton, useAct } from '../../kit/web/use-act.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import { acceptInvitation, readInvitation } from '../contract.ts'

/** This tab stores the token here during a sign-in, so that it never appears in a URL sent to the server. */
const TOKEN_KEY = 'superday-invitation'

/** /organise/invitations#token: shows the offer with one button to accept it (product 7.12.3). */
export function InvitationPage() {
  useTitle('Invitation')
  const token = useToken()
  const session = useSession()
  return (
    <Standing>
      {session.status === 'loading' ? (
        <Spinner />
      ) : token ? (
        <Offer key={token} token={token} />
      ) : (
        <DeadEnd title="Open the link in your email" to={URLS.organize} link="Your societies">
          The link in the email opens the invitation.
        </DeadEnd>
      )}
    </Standing>
  )
}

/** Moves the token from the URL into the tab's storage and returns it. */
function useToken(): string | null {
  const { hash } = useLocation()
  const navigate = useNavigate()
  const [token, setToken] = useState(() => hash.slice(1) || tabStore.get(TOKEN_KEY))
  useEffect(() => {
    if (!hash) return
    tabStore.set(TOKEN_KEY, hash.slice(1))
    setToken(hash.slice(1))
    void navigate(URLS.organizeInvitation, { replace: true })
  }, [hash, navigate])
  return token
}

const TOKEN = /^[\w-]{43}$/

function Offer({ token }: { token: string }) {
  const isToken = TOKEN.test(token)
  const offer = useEndpoint(readInvitation, { body: { token } }, { enabled: isToken, staleTime: 0 })
  if (!isToken) return <Refused message="This link is incomplete. Open it from the email." />
  return (
    <Loaded
      of={offer}
      name="invitation"
      refused={({ code, message }) => {
        const refused = <Refused message={message} />
        return code === 'invitation_used' ? <Used token={token}>{refused}</Used> : refused
      }}
    >
      {(open) => <Open offer={open} token={token} />}
    </Loaded>
  )
}

function Used({ token, children }: { token: string; children: ReactNode }) {
  const { user } = useSession()
  // Accepting again has no effect for the account that accepted, and is rejected for other accounts.
  const accepted = useEndpoint(
    acceptInvitation,
    { body: { token } },
    { also: [user?.id], enabled: user !== null && !user.is_anonymous, staleTime: 0, retry: false },
  )
  if (accepted.data) {
    return (
      <DeadEnd
        title="You have accepted this invitation"
        to={societyUrl(accepted.data.id)}
        link={`Go to ${accepted.data.name}`}
      >
        It was accepted by this account, {user?.email}. Your roles are listed under Society.
      </DeadEnd>
    )
  }
  return accepted.isLoading ? <Spinner /> : children
}

function Refused({ message }: { message: string }) {
  const { user } = useSession()
  useEffect(() => tabStore.remove(TOKEN_KEY), [])
  return (
    <DeadEnd
      isError
      title="This invitation is not open"
      to={user ? URLS.organize : signInUrl}
      link={user ? 'Your societies' : 'Sign in'}
    >
      {message}
    </DeadEnd>
  )
}

type OpenOffer = ResponseOf<typeof readInvitation>

function Open({ offer, token }: { offer: OpenOffer; token: string }) {
  const { society, invitedBy, email, roles, room, assessment, expiresAt } = offer
  const nowMs = useNowMs(60_000)
  const sentences = sentencesOf({ roles, room, test: assessment && nameForInvited(assessment) })
  return (
    <div className="max-w-[70ch]">
      <h1 className="break-words">
        {invitedBy} invites you to {society}
      </h1>
      <p className="mt-3 text-[15px] text-ink-2">
        It was sent to {email} and is open until {zoneMoment(expiresAt, ownZone(), nowMs)}. Nothing
        is accepted until you press the button.
      </p>
      <ul className="mt-6 border-ink border-t">
        {sentences.map((sentence) => (
          <li key={sentence} className="border-line border-b py-3 text-[15px]">
            {sentence}
          </li>
        ))}
      </ul>
      <div className="mt-7">
        <Answer offer={offer} token={token} />
      </div>
    </div>
  )
}

function Answer({ offer, token }: { offer: OpenOffer; token: string }) {
  const { user } = useSession()
  const { email, invitedBy, society } = offer
  const remember = () => rememberWayBack(URLS.organizeInvitation, email)
  if (user?.email === email && !user.is_anonymous) return <Accept society={society} token={token} />
  if (!user) {
    return (
      <>
        <p className="mb-4">
          To accept, sign in with {email}, or create an account for it. Then you come back here.
        </p>
        <div className="flex flex-wrap gap-3">
          <Link to={signInUrl} className="btn" onClick={remember}>
            Sign in
          </Link>
          <Link to={signUpUrl} className="btn btn-ghost" onClick={remember}>
            Create an account
          </Link>
        </div>
      </>
    )
  }
  return (
    <>
      <p className="mb-4">
        {user.is_anonymous ? (
          <>
            You are signed in as a guest, and guests can’t be members. Create an account for {email}{' '}
            under{' '}
            <Link to={createAccountUrl} className="link" onClick={remember}>
              Personal Hub
            </Link>
            . It keeps what you have done here. Then open the link in the email again. If you sign
            out as a guest, your progress is lost.
          </>
        ) : (
          <>
            This invitation was sent to <b className="font-semibold">{email}</b>, and you are signed
            in as <b className="font-semibold">{user.email}</b>. Only {email} can accept it. Or ask{' '}
            {invitedBy} for an invitation to {user.email}.
          </>
        )}
      </p>
      <SignOut onPress={remember}>
        {user.is_anonymous ? 'Sign out and sign in' : `Sign out and go on as ${email}`}
      </SignOut>
    </>
  )
}

function Accept({ society, token }: { society: string; token: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const accept = useAct(
    () => call(acceptInvitation, { body: { token } }),
    async ({ id }) => {
      tabStore.remove(TOKEN_KEY)
      await queryClient.invalidateQueries(mySocietiesQuery)
      await navigate(societyUrl(id), { replace: true })
    },
  )
  return (
    <ActButton act={accept} busy="Accepting…" className="btn whitespace-normal py-2">
      {`Accept and go to ${society}`}
    </ActButton>
  )
}

function SignOut({ onPress, children }: { onPress: () => void; children: string }) {
  const navigate = useNavigate()
  const [working, start] = useSingleFlight<'signing out'>()
  const signOut = () =>
    start('signing out', async () => {
      onPress()
      await signOutHere(() => navigate(signInUrl, { replace: true }))
      return 'leaving'
    })
  return (
    <button
      type="button"
      className="btn whitespace-normal break-all py-2"
      aria-disabled={working !== null}
      onClick={() => void signOut()}
    >
      {working ? 'Signing out…' : children}
    </button>
  )
}
