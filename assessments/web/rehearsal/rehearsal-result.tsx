import { Check, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { tabStore } from '../../../platform/web/storage.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { focusWhenShown } from '../../../platform/web/ui/option-keys.ts'
import { StandalonePage } from '../../../platform/web/ui/page.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { CANDIDATE_TOKEN_HEADER } from '../../contract.ts'
import { checkDevice } from '../../rehearsal-contract.ts'
import { sentenceOf, useBeginRehearsal } from './begin-rehearsal.ts'
import { hasStorage, measureServer } from './measure.ts'
import { type RehearsalState, readRehearsal, storeRehearsal } from './rehearsal-state.ts'
import { checksOf } from './rehearsal-words.ts'

/** What a rehearsal that is over found, each with what to do about it (product 7.11.3). */
export function RehearsalResult({ rehearsal }: { rehearsal: RehearsalState }) {
  const [state, setState] = useState(rehearsal)
  const [hasFailed, setHasFailed] = useState(false)
  const { outcome } = state

  const measure = useCallback(async () => {
    setHasFailed(false)
    try {
      const measured = await measureDevice(rehearsal)
      setState(measured)
      storeRehearsal(tabStore, measured)
    } catch {
      setHasFailed(true)
    }
  }, [rehearsal])
  useEffect(() => {
    // Also after a reload, where it has been told already.
    if (!readRehearsal(tabStore)?.outcome) void measure()
  }, [measure])

  return (
    <StandalonePage>
      <p className="eyebrow">Rehearsal - {state.label}</p>
      <h1 ref={focusWhenShown} tabIndex={-1} className="mt-2 outline-none">
        {outcome ? (outcome.isReady ? 'You are ready' : 'Almost ready') : 'The rehearsal is over'}
      </h1>
      {hasFailed ? (
        <div className="mt-8">
          <Message
            isError
            title="Your computer could not be checked"
            actions={<TryAgain onClick={() => void measure()} isBusy={false} />}
          >
            The server did not answer. Please look at your connection first.
          </Message>
        </div>
      ) : outcome ? (
        <Outcome state={{ ...state, outcome }} />
      ) : (
        <div className="mt-8">
          <LoadingNote>Checking your computer</LoadingNote>
          <Skeleton className="h-64 w-full" />
        </div>
      )}
      <Again rehearsal={rehearsal} />
    </StandalonePage>
  )
}

function Outcome({
  state,
}: {
  state: RehearsalState & { outcome: NonNullable<RehearsalState['outcome']> }
}) {
  const { outcome, contact } = state
  return (
    <>
      <p className="mt-6 max-w-[60ch] text-pretty text-[17px]">
        {outcome.isReady
          ? 'Your browser, your clock and your connection are fine. The rules counted nothing, and your answers go to nobody.'
          : 'One thing or another should be mended before the day: it stands below what to do. The rules counted nothing.'}{' '}
        {outcome.isKept &&
          (state.keptFor === 'helper'
            ? 'Your society sees that you have tried it.'
            : `Your society sees one line of it: ${outcome.isReady ? 'that you are ready' : 'what is to be mended'}.`)}
      </p>
      <ul aria-label="What was checked" className="mt-8 border-ink border-t">
        {checksOf(state).map(({ name, sentence, isTrouble }) => (
          <li
            key={name}
            className="grid grid-cols-[24px_1fr] items-start gap-x-3 border-line border-b py-3.5"
          >
            {isTrouble ? (
              <TriangleAlert size={18} aria-hidden className="mt-0.5 text-mid" />
            ) : (
              <Check size={18} aria-hidden className="mt-0.5" />
            )}
            <p>
              <span className="font-medium">
                {name}
                {isTrouble ? ', to be mended' : ''}:
              </span>{' '}
              {sentence}
            </p>
          </li>
        ))}
      </ul>
      {contact && (
        <p className="mt-6 text-[15px] text-ink-2">Questions about the day? Ask {contact}</p>
      )}
    </>
  )
}

function Again({ rehearsal }: { rehearsal: RehearsalState }) {
  const begin = useBeginRehearsal()
  const [working, start] = useSingleFlight<'opening'>()
  const [problem, setProblem] = useState('')
  return (
    <div className="mt-9">
      <div className="flex flex-wrap gap-3">
        <Link to={URLS.dashboard} className="btn">
          Done
        </Link>
        <button
          type="button"
          className="btn btn-ghost"
          aria-disabled={working !== null}
          onClick={() =>
            void start('opening', () =>
              begin(rehearsal.link).catch((error) => setProblem(sentenceOf(error))),
            )
          }
        >
          {working ? 'Opening…' : 'Rehearse again'}
        </button>
      </div>
      <p role="alert" className="mt-3 max-w-[60ch] text-wrong empty:hidden">
        {problem}
      </p>
    </div>
  )
}

/** Measures this device and tells what came of it. Errors: ApiFailure. */
async function measureDevice(rehearsal: RehearsalState): Promise<RehearsalState> {
  const { code, candidateToken, loss } = rehearsal
  const { width, height } = screen
  const facts = {
    ...(await measureServer()),
    // Who answered too little was never cut off: that is no trouble of the connection.
    hasSurvivedLoss: loss !== 'cut',
    hasFullscreen: document.fullscreenEnabled,
    hasStorage: hasStorage(),
    screenWidth: Math.round(width),
    screenHeight: Math.round(height),
  }
  const outcome = await call(
    checkDevice,
    { params: { code }, body: facts },
    { headers: { [CANDIDATE_TOKEN_HEADER]: candidateToken } },
  )
  const { clockOffsetMs, roundTripMs, screenWidth, screenHeight } = facts
  return {
    ...rehearsal,
    outcome: { ...outcome, clockOffsetMs, roundTripMs, screenWidth, screenHeight },
  }
}
