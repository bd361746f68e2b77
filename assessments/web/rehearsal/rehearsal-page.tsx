import { useState } from 'react'
import { useLocation } from 'react-router'
import { signInUrl } from '../../../platform/urls.ts'
import { useSession } from '../../../platform/web/session.tsx'
import { tabStore } from '../../../platform/web/storage.ts'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { Part } from '../../../platform/web/ui/section.tsx'
import { Spinner } from '../../../platform/web/ui/skeleton.tsx'
import { RehearsalResult, useBeginRehearsal } from './rehearsal-result.tsx'
import { type RehearsalState, readRehearsal } from './rehearsal-state.ts'

type Link = RehearsalState['link']

/** /recruitment/rehearsal (product 7.11): the introduction and the result. It also works signed out. */
export function Rehearsal(props: {
  /** Signs in as a guest. The accounts folder provides it. */
  signInAsGuest: () => Promise<void>
}) {
  const { state, search, hash } = useLocation()
  const session = useSession()
  const [link] = useState((): Link => {
    const token = /^#([\w-]{43})$/.exec(hash)?.[1]
    const assessment = new URLSearchParams(search).get('for')?.toUpperCase()
    return {
      ...(token ? { token } : {}),
      ...(assessment && /^[A-Z0-9_]{1,40}$/.test(assessment) ? { assessment } : {}),
    }
  })
  const rehearsal = readRehearsal(tabStore)
  const hasLink = link.token !== undefined || link.assessment !== undefined
  useTitle('Rehearsal')
  if (session.status === 'loading') return <Spinner />
  if (state?.isOver === true && !hasLink && rehearsal && session.status === 'signed-in') {
    return <RehearsalResult key={rehearsal.candidateToken} rehearsal={rehearsal} />
  }
  return (
    <StandalonePage>
      <p className="eyebrow">Before the day</p>
      <h1 className="mt-2 text-[clamp(32px,4vw,48px)]">Try your computer</h1>
      {hasLink ? (
        <>
          <About isPersonal={link.token !== undefined} />
          <Begin
            link={link}
            isSignedIn={session.status === 'signed-in'}
            signInAsGuest={props.signInAsGuest}
          />
        </>
      ) : (
        <p className="mt-6 max-w-[60ch] text-[17px]">
          A rehearsal belongs to a test. Please open the link that your society gave you.
        </p>
      )}
    </StandalonePage>
  )
}

function About({ isPersonal }: { isPersonal: boolean }) {
  return (
    <>
      <p className="mt-6 max-w-[60ch] text-pretty text-[17px]">
        Five sample questions in five minutes, with the same screen, the same clock and the same
        rules as the test itself. It does not count: nobody sees your answers, and strikes mean
        nothing here. Rehearse on the computer and in the place where you will sit the test.
      </p>
      <Part title="What is checked">
        <ul className="list-disc space-y-2 pl-5">
          <li>Your browser and the size of your screen.</li>
          <li>Your clock, compared with ours, and your connection speed.</li>
          <li>
            The network: it is cut for a few seconds on purpose, so that you see what happens. Your
            answers are kept on your device and saved when it is back.
          </li>
          <li>Fullscreen, and whether your browser keeps what it stores.</li>
          <li>Whether the page was left. Try it, if you like.</li>
        </ul>
      </Part>
      <Part title="Who sees this">
        <p>
          {isPersonal
            ? 'Your society sees one line: when you tried, and that you’re ready or what to fix (an old browser, a slow connection, a phone). It sees no answers, strikes or times.'
            : 'Anyone can use this link, so nothing is kept about candidates. For the test’s team, we keep that they tried it. The link in your credentials email also tells your society that you’re ready.'}
        </p>
      </Part>
    </>
  )
}

function Begin(props: { link: Link; isSignedIn: boolean; signInAsGuest: () => Promise<void> }) {
  const { link, isSignedIn, signInAsGuest } = props
  const { begin, isOpening, problem } = useBeginRehearsal()
  return (
    <div className="mt-10 border-ink border-t pt-8">
      <button
        type="button"
        className="btn max-sm:w-full"
        aria-disabled={isOpening}
        onClick={() => void begin(link, isSignedIn ? undefined : signInAsGuest)}
      >
        {isOpening
          ? 'Opening…'
          : isSignedIn
            ? 'Begin the rehearsal'
            : 'Continue as Guest and begin the rehearsal'}
      </button>
      {problem}
      {!isSignedIn && (
        <p className="hint mt-3 max-w-[60ch]">
          Do you have an account? <a href={signInUrl}>Sign in</a> first, then open the link again.
        </p>
      )}
    </div>
  )
}
