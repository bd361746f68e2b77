import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { superdayUrl, URLS } from '../../../platform/urls.ts'
import { fetchFile } from '../../../platform/web/api.ts'
import { dataUrl } from '../../../platform/web/save-file.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { tabStore } from '../../../platform/web/storage.ts'
import type { ShownPicture } from '../../../platform/web/ui/exhibit.tsx'
import { StandalonePage, useTitle } from '../../../platform/web/ui/page.tsx'
import { LoadingNote, QuestionSkeleton } from '../../../platform/web/ui/skeleton.tsx'
import { CANDIDATE_TOKEN_HEADER, getExhibitPicture } from '../../contract.ts'
import { REHEARSAL_ITEMS, REHEARSAL_SECONDS } from '../../rehearsal.ts'
import type { AttemptView, Question } from '../attempt/attempt-view.ts'
import { type Candidate, readCandidate } from '../attempt/candidate.ts'
import { RecruitmentCompleted, submittedStateSchema } from '../completed.tsx'
import { assessmentsQuery, type Process } from '../queries.ts'
import { type RehearsalState, readRehearsal } from '../rehearsal/rehearsal-state.ts'
import { countdownText, MomentIn, useCountdown } from '../start-window.tsx'
import { readSuperdayTest } from '../superday/begin-superday-test.ts'
import { LeaveWith, PasswordChanged, TakenOver, TestClosed } from './test-message.tsx'
import { RecruitmentTestRunning } from './test-running.tsx'
import { useAttempt } from './test-session.ts'

/** /recruitment/test (product 1.4.18, 6.4.1, 6.10.3). It has no navigation, so that candidates can focus. */
export function RecruitmentTest() {
  const user = useUser()
  const { state, key } = useLocation()
  const [candidate] = useState(() => readCandidate(tabStore))
  const [firstKey] = useState(key)
  const submitted = submittedStateSchema.safeParse(state)
  // Credentials newer than a history entry's state belong to another test.
  const isOver = !candidate || key !== firstKey
  if (isOver && submitted.success && submitted.data.userId === user.id) {
    return <RecruitmentCompleted submitted={submitted.data} />
  }
  if (!candidate) return <Failed failure="access" to={URLS.recruitment} />
  return <TestOf candidate={candidate} userId={user.id} />
}

const NONE: readonly Question[] = []

function TestOf({ candidate, userId }: { candidate: Candidate; userId: string }) {
  // The list determines the navigation and contact, so it isn't reloaded while the candidate is answering.
  const { data: assessments } = useQuery({
    ...assessmentsQuery,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  const listed = assessments?.find(({ code }) => code === candidate.code)
  const [rehearsal] = useState(() => readRehearsal(tabStore))
  const [superday] = useState(() => readSuperdayTest(tabStore, candidate.code))
  // Rehearsals and mock superdays are unlisted, so their links carry these settings.
  const process =
    listed ??
    (rehearsal?.code === candidate.code
      ? processOf(rehearsal)
      : superday
        ? processOfSuperday(candidate.code)
        : undefined)
  const wayBack = superday ? superdayUrl(superday.evening) : URLS.recruitment
  const title = process?.label ?? 'Assessment'
  const { attempt, view, proctor, isOffline, blocker } = useAttempt(candidate, userId, title)
  const pictureOf = usePictures(candidate, view.phase === 'running' ? view.questions : NONE)
  const contact = process?.rules.contact ?? null
  useTitle(view.phase === 'running' ? view.title : title)

  switch (view.phase) {
    case 'opening':
      return <TestSkeleton title={title} />
    case 'waiting':
      return (
        <RecruitmentTestWaiting
          waiting={view}
          process={process}
          title={title}
          onStart={() => void attempt?.open()}
        />
      )
    case 'closed':
      return <TestClosed title={title} contact={contact} message={view.message} />
    case 'taken_over':
      return (
        <TakenOver
          title={title}
          contact={contact}
          message={view.message}
          clock={attempt?.clock}
          onTakeBack={() => void attempt?.open()}
        />
      )
    case 'failed':
      return view.failure === 'password' ? (
        <PasswordChanged title={title} contact={contact} clock={attempt?.clock} />
      ) : (
        <Failed failure={view.failure} message={view.message} to={wayBack} />
      )
    case 'running':
      return attempt ? (
        <RecruitmentTestRunning
          attempt={attempt}
          view={view}
          proctor={proctor}
          isOffline={isOffline}
          blocker={blocker}
          code={candidate.code}
          process={process}
          canAskForHelp={!superday && rehearsal?.code !== candidate.code}
          pictureOf={pictureOf}
        />
      ) : null
    case 'submitted':
      // The completion screen is about to open.
      return <TestSkeleton title={title} />
  }
}

/** The settings of unlisted tests, which are always open and have no rules. */
const UNLISTED = {
  opensAt: null,
  closesAt: null,
  closesAtMs: null,
  isRunning: true,
  isReleased: false,
  timeZone: 'UTC',
}
const NO_RULES = { timing: [], allowed: [], forbidden: [] }

function processOf({ code, label, navigator, contact }: RehearsalState): Process {
  return {
    ...{ code, society: label, label: `Rehearsal - ${label}`, session: null, ...UNLISTED },
    ...{ durationSeconds: REHEARSAL_SECONDS, questionCount: REHEARSAL_ITEMS.length, navigator },
    rules: { ...NO_RULES, contact },
  }
}

/** The test of a mock superday has only questions. The page before showed its rules. */
function processOfSuperday(code: string): Process {
  return {
    ...{ code, society: 'Mock superday', label: 'Mock superday', session: null, ...UNLISTED },
    ...{ durationSeconds: 0, questionCount: 0, navigator: true },
    rules: { ...NO_RULES, contact: null },
  }
}

/** The reasons to redirect to /recruitment (product 6.12.4, 6.12.5, 6.12.6), with the toast's title and message. */
const FAILURES = {
  access: ['Access Required', 'Please login through the recruitment page first.'],
  no_questions: ['No Questions Available', null],
  load: ['Error', 'Failed to load questions. Please try again.'],
} as const

function Failed(props: { failure: keyof typeof FAILURES; message?: string; to: string }) {
  const [title, description] = FAILURES[props.failure]
  return <LeaveWith title={title} description={description ?? props.message ?? ''} to={props.to} />
}

function TestSkeleton({ title }: { title: string }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="bg-surface">
        <div className="wrap flex min-h-18 items-center py-2.5">
          <p className="eyebrow">{title}</p>
        </div>
        <div className="h-1 bg-line" />
      </header>
      <main className="wrap flex-1 pt-16">
        <LoadingNote>Loading questions</LoadingNote>
        <div className="mx-auto max-w-[636px]">
          <QuestionSkeleton />
        </div>
      </main>
    </div>
  )
}

/** An organizer can move the opening, so a waiting page refreshes it. */
const REFRESH_MS = 30_000

/** The countdown before the test opens. The candidate starts by hand, because the clock starts then. */
function RecruitmentTestWaiting(props: {
  waiting: Extract<AttemptView, { phase: 'waiting' }>
  process: Process | undefined
  title: string
  onStart: () => void
}) {
  const { waiting, process, title, onStart } = props
  const { data } = useQuery({ ...assessmentsQuery, refetchInterval: REFRESH_MS, staleTime: 0 })
  const listed = data?.find(({ code }) => code === process?.code)
  const opensAt = (!waiting.isOwn && listed?.opensAt) || waiting.opensAt
  const movedMs = Date.parse(opensAt) - Date.parse(waiting.opensAt)
  const leftMs = useCountdown(waiting, waiting.opensInMs) + movedMs
  const isOpen = leftMs <= 0

  return (
    <StandalonePage>
      <p className="eyebrow">{title}</p>
      <h1 className="mt-2 text-[clamp(32px,4vw,48px)]">
        {isOpen ? 'The test is open' : 'The test has not opened yet'}
      </h1>
      <p role="timer" className="mt-8 font-serif text-[clamp(48px,9vw,88px)] leading-none">
        {countdownText(leftMs)}
      </p>
      <p className="mt-5 text-[16.5px]">
        Opens <MomentIn iso={opensAt} timeZone={process?.timeZone ?? 'UTC'} />
      </p>
      <p className="mt-5 max-w-[60ch] text-ink-2">
        You can stay on this page. Your own clock starts when you begin, not when the test opens.
      </p>
      <div className="mt-8 flex flex-wrap gap-3">
        <button type="button" className="btn" disabled={!isOpen} onClick={onStart}>
          Start the Exam
        </button>
        <Link to={URLS.recruitment} className="btn btn-ghost">
          Back
        </Link>
      </div>
      <p role="status" className="sr-only">
        {isOpen && 'The test is open. You can start now.'}
      </p>
    </StandalonePage>
  )
}

/** Pauses before a failed picture is requested again, milliseconds. */
const PAUSES_MS = [1_000, 4_000]

/** Fetches a test's pictures one after another and keeps them in the page (product 7.9.13). */
function usePictures(
  candidate: Candidate,
  questions: readonly Question[],
): (picture: string) => ShownPicture {
  const [urls, setUrls] = useState<ReadonlyMap<string, string | null>>(new Map())
  const [tries, setTries] = useState(0)
  const wanted = [
    ...new Set(
      questions.flatMap(({ exhibit }) => (exhibit?.kind === 'picture' ? exhibit.picture : [])),
    ),
  ].join(' ')

  // biome-ignore lint/correctness/useExhaustiveDependencies: `tries` triggers another try
  useEffect(() => {
    if (wanted === '') return
    const controller = new AbortController()
    const { signal } = controller
    const load = async () => {
      for (const picture of wanted.split(' ')) {
        const url = await fetchPicture(candidate, picture, signal)
        if (signal.aborted) return
        setUrls((before) => {
          // A loaded picture stays, even if another try fails.
          const kept = url ?? before.get(picture) ?? null
          return new Map(before).set(picture, kept)
        })
      }
    }
    void load()
    return () => controller.abort()
  }, [candidate, wanted, tries])

  const onTryAgain = useCallback(() => {
    setUrls((before) => new Map([...before].filter(([, url]) => url !== null)))
    setTries((count) => count + 1)
  }, [])

  return (picture) => {
    const url = urls.get(picture)
    if (url === undefined) return { state: 'loading' }
    return url === null ? { state: 'failed', onTryAgain } : { state: 'ready', url }
  }
}

/** The picture as a data URL, or null after all tries fail. */
async function fetchPicture(
  { code, token }: Candidate,
  picture: string,
  signal: AbortSignal,
): Promise<string | null> {
  for (const pauseMs of [0, ...PAUSES_MS]) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (signal.aborted) return null
    try {
      const headers = { [CANDIDATE_TOKEN_HEADER]: token }
      const params = { code, picture }
      return await dataUrl(await fetchFile(getExhibitPicture, { params }, { headers, signal }))
    } catch {
      // The loop or the button tries again.
    }
  }
  return null
}
