import { type ComponentType, useState } from 'react'
import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { useSession } from '../../platform/web/session.tsx'
import { useTitle } from '../../platform/web/ui/page.tsx'
import { useSingleFlight } from '../../platform/web/ui/single-flight.ts'
import { Redirect, Spinner } from '../../platform/web/ui/skeleton.tsx'
import { Tabs } from '../../platform/web/ui/tabs.tsx'
import { toast } from '../../platform/web/ui/toast.tsx'
import { takeWayBack, wayBackEmail } from '../../platform/web/way-back.ts'
import { recoveringEmail } from './auth-clients.ts'
import { type AuthWork, SignIn, SignUp, type Work } from './auth-forms.tsx'
import { AuthFrame, SignedInElsewhere } from './auth-frame.tsx'
import { signInAsGuest } from './auth-guest.ts'
import { Recovery, type RecoveryStep } from './auth-recovery.tsx'
import { codeOf, messageOf } from './auth-words.ts'
import { DeletionNote } from './deletion-note.tsx'
import { placeAfterSignIn } from './second-factor/ask-for-factor.ts'

/** /auth: sign in, sign up, continue as a guest, or recover a password (product 2.2). */
export function Auth(props: {
  /** another way in, shown when there are too many guests */
  WayIn: ComponentType<WayInProps>
}) {
  const session = useSession()
  if (session.status === 'loading') return <Spinner />
  return <AuthScreen WayIn={props.WayIn} />
}

/** Props of a component that can vouch for a guest. */
interface WayInProps {
  isWorking: boolean
  /** Signs in as a guest with a proof that the server accepts. Returns whether it did. */
  comeIn: (proof: string) => Promise<boolean>
}

function AuthScreen({ WayIn }: { WayIn: ComponentType<WayInProps> }) {
  const session = useSession()
  const navigate = useNavigate()
  // The page that redirected here, if sign-in leads back to it (product 2.2.6).
  const ledFrom: string | null = useLocation().state
  const [params, setParams] = useSearchParams()
  const [working, start] = useSingleFlight<Work>()
  const [email, setEmail] = useState(wayBackEmail)
  const tokenHash = params.get('recovery')
  const [recovery, setRecovery] = useState<RecoveryStep | null>(() => {
    if (tokenHash) return { name: 'link', tokenHash }
    const recovering = recoveringEmail()
    return recovering ? { name: 'password', email: recovering } : null
  })
  // Only users who open this screen signed in are redirected. If another tab signs in, the screen says so and stays, so
  // that the page doesn't change during typing.
  const [wasSignedIn] = useState(session.status === 'signed-in')

  const tab = params.get('tab') === 'signup' ? 'signup' : 'signin'
  const goToTab = (next: 'signin' | 'signup') =>
    setParams({ tab: next }, { replace: true, state: ledFrom })
  const signInWith = (address: string) => {
    setEmail(address)
    goToTab('signin')
  }
  // Users with a second factor are asked for it next.
  const goOn = () => {
    const remembered = takeWayBack()
    navigate(placeAfterSignIn(ledFrom ?? remembered ?? URLS.dashboard), { replace: true })
  }

  if (recovery) {
    return (
      <AuthFrame>
        <Recovery
          step={recovery}
          onStep={(step) => {
            // The token is used or invalid, and a reload must not offer it again.
            if (tokenHash) setParams({}, { replace: true })
            setRecovery(step)
          }}
          onClose={() => {
            goToTab('signin')
            setRecovery(null)
          }}
          onDone={goOn}
        />
      </AuthFrame>
    )
  }
  if (session.status === 'signed-in' && wasSignedIn)
    return <Redirect to={ledFrom ?? URLS.dashboard} />
  if (session.status === 'signed-in' && working === null) {
    return (
      <AuthFrame>
        <SignedInElsewhere user={session.user} />
      </AuthFrame>
    )
  }

  const work = { working, start }
  return (
    <AuthFrame>
      <DeletionNote />
      <Heading tab={tab} />
      {ledFrom?.startsWith(URLS.recruitment) && <TestNote />}
      <Tabs
        label="Sign in or sign up"
        value={tab}
        onChange={goToTab}
        tabs={[
          {
            value: 'signin',
            label: 'Sign In',
            panel: (
              <SignIn
                key={email}
                work={work}
                email={email}
                isShown={tab === 'signin'}
                onForgot={(typed) => setRecovery({ name: 'ask', email: typed })}
                onSignedIn={goOn}
              />
            ),
          },
          {
            value: 'signup',
            label: 'Sign Up',
            panel: <SignUp work={work} onSignedUp={signInWith} onKnown={signInWith} />,
          },
        ]}
      />
      <Guest work={work} onSignedIn={goOn} WayIn={WayIn} />
    </AuthFrame>
  )
}

function Heading({ tab }: { tab: 'signin' | 'signup' }) {
  useTitle(
    tab === 'signup' ? 'Sign Up' : 'Sign In',
    tab === 'signup'
      ? 'Create a free Superday account and keep your results, mistakes and streak.'
      : 'Sign in to Superday, or look around as a guest.',
  )
  return (
    <h1 className="mb-5 text-[34px] sm:text-[42px]">
      {tab === 'signup' ? 'Create your account' : 'Sign in to Superday'}
    </h1>
  )
}

/** For candidates from a society's mail: its username and password don't belong in this form (product 2.2.6). */
function TestNote() {
  return (
    <p className="mb-6 border-accent border-l-2 pl-4 text-[15px] text-ink-2">
      You’re about to open a society’s test. Continue as a guest or sign in to your own account.
      You’ll enter the username and password from the society’s email next.
    </p>
  )
}

function Guest(props: {
  work: AuthWork
  onSignedIn: () => void
  WayIn: ComponentType<WayInProps>
}) {
  const { work, onSignedIn, WayIn } = props
  const [areTooMany, setTooMany] = useState(false)

  const enter = async (proof?: string): Promise<boolean> => {
    try {
      await signInAsGuest(proof)
    } catch (error) {
      if (codeOf(error) === 'over_request_rate_limit') setTooMany(true)
      toast.error('Guest access failed', messageOf(error))
      return false
    }
    toast.success('Welcome, Guest!')
    return true
  }
  const continueAsGuest = () =>
    work.start('guest', async () => {
      if (!(await enter())) return
      onSignedIn()
      return 'leaving'
    })
  const comeIn = async (proof: string) => {
    let isIn = false
    await work.start('guest', async () => {
      isIn = await enter(proof)
      return isIn ? 'leaving' : undefined
    })
    return isIn
  }

  return (
    <div className="mt-8 border-line border-t pt-6">
      <button
        type="button"
        className="btn btn-ghost w-full"
        disabled={work.working !== null}
        onClick={continueAsGuest}
      >
        {work.working === 'guest' ? 'Opening…' : 'Continue as Guest'}
      </button>
      <p className="hint mt-3">
        Guests lose their progress when the session ends. You can turn a guest session into an
        account at any time before that.
      </p>
      {areTooMany && <WayIn isWorking={work.working === 'guest'} comeIn={comeIn} />}
    </div>
  )
}
