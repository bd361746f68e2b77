import { Check, TriangleAlert } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { tabStore } from '../../../platform/web/storage.ts'
import { NotLoaded } from '../../../platform/web/ui/not-loaded.tsx'
import { focusWhenShown } from '../../../platform/web/ui/option-keys.ts'
import { StandalonePage } from '../../../platform/web/ui/page.tsx'
import { useSingleFlight } from '../../../platform/web/ui/single-flight.ts'
import { LoadingNote, Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { CANDIDATE_TOKEN_HEADER } from '../../contract.ts'
import type { Finding } from '../../rehearsal.ts'
import { checkDevice, openRehearsal, tellTime } from '../../rehearsal-contract.ts'
import { enterTest } from '../queries.ts'
import { type RehearsalState, readRehearsal, storeRehearsal } from './rehearsal-state.ts'

/** The findings of a finished rehearsal, each with what to do about it (product 7.11.3). */
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
    // Also measures after a reload, unless there is already an outcome.
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
          <NotLoaded
            title="Your computer could not be checked"
            query={{ refetch: measure, isFetching: false }}
          >
            The server did not answer. Check your connection first.
          </NotLoaded>
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
          ? 'Your browser, clock and connection are fine. No strikes counted, and nobody sees your answers.'
          : 'Fix the problems listed below before the day of the test. Nothing counted.'}{' '}
        {outcome.isKept &&
          (state.keptFor === 'helper'
            ? 'Your society sees that you tried it.'
            : `Your society sees one line about it: ${outcome.isReady ? 'that you are ready' : 'what you need to fix'}.`)}
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
                {isTrouble ? ', needs fixing' : ''}:
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
  const { begin, isOpening, problem } = useBeginRehearsal()
  return (
    <div className="mt-9">
      <div className="flex flex-wrap gap-3">
        <Link to={URLS.dashboard} className="btn">
          Done
        </Link>
        <button
          type="button"
          className="btn btn-ghost"
          aria-disabled={isOpening}
          onClick={() => void begin(rehearsal.link)}
        >
          {isOpening ? 'Opening…' : 'Rehearse again'}
        </button>
      </div>
      {problem}
    </div>
  )
}

/** Measures this device and sends the outcome. Errors: ApiFailure. */
async function measureDevice(rehearsal: RehearsalState): Promise<RehearsalState> {
  const { code, candidateToken, loss } = rehearsal
  const { width, height } = screen
  const facts = {
    ...(await measureServer()),
    // If the candidate answered too few questions, the connection was never cut, which is not a problem.
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

/** How many times the round trip to the server is measured. */
const ROUND_TRIPS = 5

/** The device's clock offset to the server, by the fastest of several calls, and that call's duration. */
async function measureServer(): Promise<{ clockOffsetMs: number; roundTripMs: number }> {
  const trips: { offsetMs: number; tookMs: number }[] = []
  for (let count = 0; count < ROUND_TRIPS; count += 1) {
    const sentAt = performance.now()
    const { now } = await call(tellTime, {})
    const tookMs = performance.now() - sentAt
    trips.push({ offsetMs: Date.now() - tookMs / 2 - Date.parse(now), tookMs })
  }
  trips.sort((a, b) => a.tookMs - b.tookMs)
  const middle = trips[Math.floor(trips.length / 2)]
  return {
    clockOffsetMs: Math.round(trips[0]?.offsetMs ?? 0),
    roundTripMs: Math.round(middle?.tookMs ?? 0),
  }
}

function hasStorage(): boolean {
  const key = 'superday-storage-check'
  try {
    localStorage.setItem(key, 'kept')
    const isKept = localStorage.getItem(key) === 'kept'
    localStorage.removeItem(key)
    return isKept
  } catch {
    return false
  }
}

interface CheckShown {
  name: string
  sentence: string
  isTrouble: boolean
}

/** The checks, in the order to fix them. Each has a sentence. A failed check's sentence also says what to do. */
function checksOf(
  state: Pick<RehearsalState, 'timesLeft' | 'wasFullscreen' | 'loss'> & {
    outcome: NonNullable<RehearsalState['outcome']>
  },
): CheckShown[] {
  const { outcome, timesLeft, wasFullscreen, loss } = state
  const { browser, clockOffsetMs, roundTripMs } = outcome
  const has = (finding: Finding) => outcome.findings.includes(finding)
  const check = (name: string, finding: Finding, bad: string, good: string): CheckShown => {
    const isTrouble = has(finding)
    return { name, isTrouble, sentence: isTrouble ? bad : good }
  }
  const note = (name: string, sentence: string): CheckShown => ({
    name,
    sentence,
    isTrouble: false,
  })
  return [
    check(
      'Browser',
      'browser',
      `${browser} may not work with this test. Install the newest Chrome, Firefox, Edge or Safari, or update yours.`,
      `${browser} is known to work.`,
    ),
    check(
      'Clock',
      'clock',
      `your device's clock is ${offsetText(clockOffsetMs)}. Turn on automatic date and time in your settings. The test uses our clock, so yours would mislead you.`,
      `your device's clock is ${offsetText(clockOffsetMs)}. The test uses ours.`,
    ),
    check(
      'Connection',
      'slow',
      `a request takes ${roundTripMs} ms. Move closer to the access point, use a cable, and stop downloads.`,
      `a request takes ${roundTripMs} ms.`,
    ),
    check(
      'Short network loss',
      'connection',
      'an answer you gave while offline wasn’t saved by the end. Rehearse again, and wait ten seconds after the connection notice disappears.',
      loss === 'survived'
        ? 'your answer was kept and saved as soon as the connection was back. Stay on the page in the real test too.'
        : 'not tested, because you answered too few questions. Rehearse again to try it.',
    ),
    check(
      'Storage',
      'storage',
      'your browser stores nothing on this device, so closing the page would lose your answers. Leave private browsing, or allow site data for this address.',
      'answers stay on this device when the page is closed.',
    ),
    note(
      'Screen',
      has('phone')
        ? `${outcome.screenWidth} by ${outcome.screenHeight}: this is a phone. The test works on it, but a computer has more room and gets no calls.`
        : `${outcome.screenWidth} by ${outcome.screenHeight}, with room for everything.`,
    ),
    note(
      'Fullscreen',
      has('no_fullscreen')
        ? 'this device doesn’t offer it to web pages. The test works without it.'
        : wasFullscreen
          ? 'it worked.'
          : 'it’s available, but you didn’t use it.',
    ),
    note(
      'The page',
      timesLeft === 0
        ? 'it was never left.'
        : `you left it ${timesLeft === 1 ? 'once' : `${timesLeft} times`}. In the real test, each time is a violation, and the third one ends the test. Turn off notifications and close other programs before you start.`,
    ),
  ]
}

/** Formats 'right to the second', '40 s ahead of ours' or '3 min behind ours'. */
function offsetText(offsetMs: number): string {
  const seconds = Math.round(Math.abs(offsetMs) / 1_000)
  if (seconds === 0) return 'right to the second'
  const length =
    seconds < 100
      ? `${seconds} s`
      : seconds < 7_200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3_600)} h`
  return `${length} ${offsetMs > 0 ? 'ahead of' : 'behind'} ours`
}

/** Opens a rehearsal by its link, stores its credentials like any candidate's, and opens the test. */
export function useBeginRehearsal() {
  const navigate = useNavigate()
  const [sentence, setSentence] = useState('')
  const [working, start] = useSingleFlight<'opening'>()

  async function open(link: RehearsalState['link']): Promise<void> {
    const opened = await call(openRehearsal, { body: link })
    const { code, username, password, label, contact, navigator, keptFor } = opened
    const { candidateToken } = await enterTest(code, { username, password })
    storeRehearsal(tabStore, {
      ...{ code, candidateToken, link, label, contact, navigator, keptFor },
      ...{ timesLeft: 0, wasFullscreen: false, loss: 'to_come', outcome: null },
    })
    await navigate(URLS.recruitmentTest)
  }

  return {
    isOpening: working !== null,
    begin: (link: RehearsalState['link'], signIn?: () => Promise<void>) =>
      start('opening', async () => {
        setSentence('')
        try {
          await signIn?.()
          await open(link)
        } catch (error) {
          setSentence(sentenceOf(error))
        }
      }),
    problem: (
      <p role="alert" className="mt-3 max-w-[60ch] text-wrong empty:hidden">
        {sentence}
      </p>
    ),
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ApiFailure && error.code !== 'unknown') return error.message
  const { message } = error as { message?: unknown }
  return typeof message === 'string' && message !== '' && !(error instanceof ApiFailure)
    ? message
    : 'The rehearsal could not be opened. Please try again.'
}
