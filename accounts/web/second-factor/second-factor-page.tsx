import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { Redirect, Spinner } from '../../../platform/web/ui/skeleton.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { placeInside } from '../../place-inside.ts'
import { AuthFrame } from '../auth-frame.tsx'
import { secondFactorQuery } from '../queries.ts'
import { SignOutButton } from '../sign-out-button.tsx'
import { showAppCode, showRecoveryCode } from './ask-for-factor.ts'
import { CODE_MISSING, CodeField, type Kind, ProofForm, useOneField } from './fresh-proof.tsx'

const isOrganizers = (place: string) => place.startsWith('/organise')

/**
 * /second-factor: asks for the second factor, or for re-authentication, then opens `next` (product 2.10.3).
 *     no factor, again ── password ──▶ next         factor, not used ── code ──▶ next
 *     no factor ──▶ set one up in the Personal Hub  factor, used, again ── code ──▶ next
 */
export function SecondFactorPage() {
  const [params] = useSearchParams()
  const next = placeInside(params.get('next'), location.origin) ?? URLS.dashboard
  const isAgain = params.has('again')
  const factor = useQuery(secondFactorQuery)
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  // Decided once, because an accepted code changes what the server reports.
  const [first, setFirst] = useState<typeof factor.data>()
  if (factor.data && !first) setFirst(factor.data)
  /** number of recovery codes left after one was used */
  const [codesLeft, setCodesLeft] = useState<number | null>(null)

  const goOn = () => {
    // Reads that were refused before are repeated.
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' })
    navigate(next, { replace: true })
  }

  if (factor.isError && !first) {
    return (
      <AuthFrame>
        <NotLoaded title="This could not be loaded" query={factor}>
          Please check your connection and try again.
        </NotLoaded>
      </AuthFrame>
    )
  }
  if (!first) return <Spinner />
  if (codesLeft !== null) return <CodeUsed left={codesLeft} onDone={goOn} />
  const hasFactor = first.since !== null
  if (hasFactor && first.isShown && !isAgain) return <Redirect to={next} />
  if (!hasFactor && !isAgain) {
    return (
      <Frame title="Set up a second factor" next={next}>
        <p className="running text-ink-2">
          Organizers of a society enter a code from their phone after the password, so a stolen
          password doesn’t open questions or results. Setup takes two minutes in your Personal Hub.
        </p>
        <div>
          <Link
            className="btn"
            to={`${URLS.personalHub}?${new URLSearchParams({ next })}#second-factor`}
          >
            Set it up
          </Link>
        </div>
      </Frame>
    )
  }
  if (hasFactor && !first.isShown) {
    return (
      <Frame title="Enter the code" next={next}>
        <CodeForm hasPaper={first.codesLeft > 0} onDone={goOn} onPaper={setCodesLeft} />
      </Frame>
    )
  }
  return (
    <Frame title="Confirm your identity" next={next}>
      <p className="running text-ink-2">
        You’ve been away from your society for a while. Please confirm that it’s you.
      </p>
      <ProofForm
        onProven={goOn}
        onFailure={() => toast.error('That could not be checked', 'Please try again.')}
      />
    </Frame>
  )
}

function Frame({ title, next, children }: { title: string; next: string; children: ReactNode }) {
  useTitle(title)
  return (
    <AuthFrame>
      <div className="flex flex-col gap-5">
        <h1 className="text-[34px] sm:text-[42px]">{title}</h1>
        {children}
        <div className="mt-3 flex flex-wrap items-center gap-x-6 gap-y-1 border-line border-t pt-4 text-[15px]">
          <Link to={URLS.dashboard} className="link inline-flex min-h-11 items-center">
            {isOrganizers(next) ? 'Go to the dashboard' : 'Continue without the code'}
          </Link>
          <SignOutButton className="link min-h-11" />
        </div>
      </div>
    </AuthFrame>
  )
}

function CodeForm(props: {
  hasPaper: boolean
  onDone: () => void
  /** a recovery code was accepted, and `left` remain */
  onPaper: (left: number) => void
}) {
  const { hasPaper, onDone, onPaper } = props
  const user = useUser()
  const [kind, setKind] = useState<Kind>('app')
  const { field, isChecking, onSubmit, refuse } = useOneField(CODE_MISSING[kind], async (typed) => {
    const code = typed.trim()
    const shown = kind === 'app' ? await showAppCode(code) : await showRecoveryCode(user, code)
    if (shown.refusal !== null) return refuse(shown.refusal)
    if (shown.codesLeft === null) onDone()
    else onPaper(shown.codesLeft)
    return 'leaving'
  })
  useEffect(() => field.ref.current?.focus(), [field.ref])

  return (
    <form onSubmit={onSubmit} noValidate name="second-factor" className="flex flex-col gap-5">
      <p className="running text-ink-2">
        {kind === 'app'
          ? 'Open the authenticator app on your phone and enter the six digits for Superday.'
          : 'Enter one of the ten codes that you saved when you set up the app. Each works once.'}
      </p>
      <CodeField kind={kind} onKind={hasPaper ? setKind : null} refuse={refuse} {...field} />
      <div>
        <button type="submit" className="btn min-w-36" aria-disabled={isChecking}>
          {isChecking ? 'Checking…' : 'Continue'}
        </button>
      </div>
    </form>
  )
}

/** After a recovery code: how many remain, and where to create new ones. */
function CodeUsed({ left, onDone }: { left: number; onDone: () => void }) {
  useTitle('That code is used up')
  const top = useRef<HTMLHeadingElement>(null)
  useEffect(() => top.current?.focus(), [])
  return (
    <AuthFrame>
      <div className="flex flex-col gap-5">
        <h1 ref={top} tabIndex={-1} className="text-[34px] outline-none sm:text-[42px]">
          That code is used up
        </h1>
        <p className="running">
          {left === 0
            ? 'It was your last recovery code.'
            : `You have ${left} recovery ${left === 1 ? 'code' : 'codes'} left.`}
        </p>
        <p className="running text-ink-2">
          If you’ve lost your phone, remove the app in your Personal Hub and set it up on another
          one. You can also create new recovery codes there.
        </p>
        <div className="flex flex-wrap gap-3">
          <button type="button" className="btn" onClick={onDone}>
            Continue
          </button>
          <Link to={`${URLS.personalHub}#second-factor`} className="btn btn-ghost">
            Personal Hub
          </Link>
        </div>
      </div>
    </AuthFrame>
  )
}
