import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { type Blocker, type NavigateFunction, useNavigate } from 'react-router'
import { superdayUrl, URLS } from '../../../platform/urls.ts'
import { connectivity, useOffline } from '../../../platform/web/connection/connectivity.ts'
import { tabStore } from '../../../platform/web/storage.ts'
import { useLeaveGuard } from '../../../platform/web/ui/back.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { isAbsence, nameOfAct } from '../../violations.ts'
import { type AttemptApi, createAttemptApi } from '../attempt/api.ts'
import { Attempt } from '../attempt/attempt.ts'
import type { AttemptHooks, AttemptView } from '../attempt/attempt-view.ts'
import { type Candidate, forgetCandidate } from '../attempt/candidate.ts'
import { Connection } from '../attempt/connection.ts'
import { browserEnvironment } from '../attempt/environment.ts'
import { type Arrival, forgetLeft, noteLeft, takeArrival } from '../attempt/seen/arrival.ts'
import { Proctor } from '../attempt/seen/proctor.ts'
import type { SubmittedState } from '../completed.tsx'
import { noteInRehearsal, readRehearsal } from '../rehearsal/rehearsal-state.ts'
import { ShortLoss } from '../rehearsal/short-loss.ts'
import { readSuperdayTest } from '../superday/begin-superday-test.ts'

const OPENING: AttemptView = { phase: 'opening' }
const nothing = () => () => {}

interface AttemptSession {
  attempt: Attempt | null
  view: AttemptView
  proctor: Proctor | null
  /** Whether the server is unreachable or the attempt's last call failed to connect. */
  isOffline: boolean
  /** Asks before the router leaves a running test. */
  blocker: Blocker
}

/** This page's attempt. It opens with the screen, is monitored while it runs, and closes with the screen. */
export function useAttempt(candidate: Candidate, userId: string, title: string): AttemptSession {
  const navigate = useNavigate()
  const [attempt, setAttempt] = useState<Attempt | null>(null)
  const [proctor, setProctor] = useState<Proctor | null>(null)
  const [connection, setConnection] = useState<Connection | null>(null)
  const held = useRef<HeldToasts>(new HeldToasts())
  const titleNow = useRef(title)
  titleNow.current = title

  useEffect(() => {
    const network: Connection = new Connection(browserEnvironment, () => created.wake())
    const cut = cutOf(candidate.code)
    const created: Attempt = new Attempt({
      code: candidate.code,
      username: candidate.username,
      title: titleNow.current,
      environment: browserEnvironment,
      // Each page gets a new id, because a duplicated tab is another window.
      newWindowId: () => crypto.randomUUID(),
      apiOf: (windowId) =>
        network.watch(
          cut(
            createAttemptApi({
              code: candidate.code,
              candidateToken: candidate.token,
              windowId,
              onNews: (news) => created.hear(news),
              onSignedOut: () =>
                toast.error(
                  'Signed out',
                  'Please sign in again. Your answers are kept on this device.',
                ),
            }),
          ),
        ),
      arrival: arrivalOf(candidate.code),
      hooks: hooksFor({ candidate, userId, navigate, held: held.current }),
    })
    setAttempt(created)
    setConnection(network)
    const stopListening = listenFor(created)
    void created.open()
    return () => {
      stopListening()
      network.stop()
      created.close()
    }
  }, [candidate, userId, navigate])

  const view = useSyncExternalStore(
    attempt?.subscribe ?? nothing,
    attempt ? attempt.getView : () => OPENING,
  )
  const isRunning = view.phase === 'running'

  useEffect(() => {
    if (!attempt || !isRunning) return
    const created = new Proctor({
      window,
      document,
      environment: browserEnvironment,
      report: (kind, atMs, detail) => {
        attempt.report(kind, atMs, detail)
        noteInRehearsal(tabStore, candidate.code, ({ timesLeft, wasFullscreen }) => ({
          timesLeft: timesLeft + Number(isAbsence(kind)),
          wasFullscreen: wasFullscreen || kind === 'fullscreen_enter',
        }))
        if (kind === 'page_visible') held.current.release()
        if (kind === 'page_left') {
          noteLeft(tabStore, candidate.code, {
            historyLength: history.length,
            hasForward: isFromBack || navigationOf()?.type === 'back_forward',
          })
          attempt.flushBeside()
        }
      },
    })
    held.current.isAway = () => created.isAway
    created.start()
    setProctor(created)
    return () => {
      created.stop()
      setProctor(null)
    }
  }, [attempt, isRunning, candidate.code])

  const isLost = useSyncExternalStore(connection?.subscribe ?? nothing, () =>
    connection ? connection.isLost() : false,
  )
  const isOffline = useOffline()

  const isRunningNow = useCallback(() => attempt?.getView().phase === 'running', [attempt])
  const blocker = useLeaveGuard(isRunningNow)
  return { attempt, view, proctor, blocker, isOffline: isLost || isOffline }
}

/** Cuts the connection once in a rehearsal. Other tests use the calls unchanged. */
function cutOf(code: string): (api: AttemptApi) => AttemptApi {
  const rehearsal = readRehearsal(tabStore)
  if (rehearsal?.code !== code) return (api) => api
  const loss = new ShortLoss(
    browserEnvironment,
    (told) => noteInRehearsal(tabStore, code, () => ({ loss: told })),
    rehearsal.loss !== 'to_come',
  )
  return (api) => loss.watch(api)
}

/** Holds toasts while the candidate is away, so that they see them when they return. */
class HeldToasts {
  isAway = () => false
  #held: (() => void)[] = []

  say(show: () => void): void {
    if (this.isAway()) this.#held.push(show)
    else show()
  }

  release(): void {
    for (const show of this.#held.splice(0)) show()
  }
}

/** The attempt's toasts (product 6.12.7 to 6.12.11). */
function hooksFor(options: {
  candidate: Candidate
  userId: string
  navigate: NavigateFunction
  held: HeldToasts
}): AttemptHooks {
  const { candidate, userId, navigate, held } = options
  return {
    onStrike: ({ kind, detail }, violations, maxViolations) =>
      held.say(() =>
        toast.error(
          'Exam Safe Mode',
          `${nameOfAct(kind, detail?.key)} is not allowed during the test. Strike ${violations}/${maxViolations}.`,
        ),
      ),
    onSubmitted: ({ phase: _, ...ending }, by) => {
      forgetCandidate(tabStore, candidate.code)
      if (readRehearsal(tabStore)?.code === candidate.code) {
        leaveFullscreen()
        void navigate(URLS.rehearsal, { replace: true, state: { isOver: true } })
        return
      }
      const superday = readSuperdayTest(tabStore, candidate.code)
      if (superday) {
        leaveFullscreen()
        void navigate(superdayUrl(superday.evening), { replace: true })
        return
      }
      if (ending.endedBySociety) {
        toast.error('Test ended', 'The society has ended the test. Your answers were submitted.')
      } else if (by === 'candidate') {
        toast.success('Test Completed', 'Your results have been saved successfully.')
      } else if (by === 'time') {
        toast.error("Time's Up!", 'The test has been automatically submitted.')
      }
      leaveFullscreen()
      const state: SubmittedState = { userId, code: candidate.code, ...ending }
      // Replaces the test in the history: a reload shows the completion screen again, but Back does not.
      void navigate(URLS.recruitmentTest, { replace: true, state })
      scrollTo(0, 0)
    },
    onSubmitFailed: () => toast.error('Error', 'Failed to save results. Please contact support.'),
    onIncomplete: (message) => toast.error('Error', message),
  }
}

function leaveFullscreen(): void {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {})
}

/** Listens for the page closing or returning and for the network coming back. */
function listenFor(attempt: Attempt): () => void {
  const onVisibility = () =>
    document.visibilityState === 'hidden' ? attempt.flushBeside() : attempt.wake()
  const onPageHide = () => attempt.flushBeside()
  const onWake = () => attempt.wake()
  const onPageShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) isFromBack = true
    // The page came back from the cache, so no other page replaced it.
    forgetLeft(tabStore)
    attempt.wake()
  }
  const onStorage = (event: StorageEvent) => {
    if (event.key === attempt.ownerKey) attempt.noticeOwner(event.newValue)
  }
  const listening = new AbortController()
  const { signal } = listening
  document.addEventListener('visibilitychange', onVisibility, { signal })
  document.addEventListener('resume', onWake, { signal })
  addEventListener('pagehide', onPageHide, { signal })
  addEventListener('pageshow', onPageShow, { signal })
  addEventListener('online', onWake, { signal })
  addEventListener('storage', onStorage, { signal })
  const stopFollowing = connectivity.subscribe(() => {
    if (!connectivity.isOffline()) attempt.wake()
  })
  return () => {
    stopFollowing()
    listening.abort()
  }
}

let isArrivalTaken = false
/** Whether Back or Forward showed this page again from the browser's cache. */
let isFromBack = false

const navigationOf = () =>
  performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming | undefined

/** How this document arrived at the test. Only its first attempt uses it. */
function arrivalOf(code: string): Arrival {
  const entry = navigationOf()
  if (isArrivalTaken || !entry) return { kind: 'new', opened: 'navigate' }
  isArrivalTaken = true
  return takeArrival(tabStore, code, {
    type: entry.type,
    isOnTest: new URL(entry.name).pathname === URLS.recruitmentTest,
    historyLength: history.length,
  })
}
