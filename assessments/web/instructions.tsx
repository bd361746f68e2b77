import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useNavigate } from 'react-router'
import { durationText, formatMinutes } from '../../platform/durations.ts'
import { URLS } from '../../platform/urls.ts'
import { ApiFailure } from '../../platform/web/api-failure.ts'
import { tabStore } from '../../platform/web/storage.ts'
import { NotLoaded } from '../../platform/web/ui/not-loaded.tsx'
import { BackLink, useTitle } from '../../platform/web/ui/page.tsx'
import { Part } from '../../platform/web/ui/section.tsx'
import { LoadingNote, Redirect, Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { MAX_VIOLATIONS } from '../violations.ts'
import { createAttemptApi } from './attempt/api.ts'
import { type Candidate, readCandidate } from './attempt/candidate.ts'
import { assessmentsQuery, type Process, useIsClosed } from './queries.ts'
import { useCountdown, WindowFacts } from './start-window.tsx'
import { LeaveWith, PasswordChanged } from './test/test-message.tsx'

/** /recruitment/instructions. It redirects to /recruitment without stored credentials (product 6.3.1). */
export function RecruitmentInstructions() {
  const [candidate] = useState(() => readCandidate(tabStore))
  useTitle('Before you start')
  if (!candidate) return <Redirect to={URLS.recruitment} />
  return <Instructions candidate={candidate} />
}

function Instructions({ candidate }: { candidate: Candidate }) {
  const assessments = useQuery(assessmentsQuery)
  const own = useQuery({
    queryKey: ['attempt', candidate.code, candidate.token],
    queryFn: async () => {
      const { code, token: candidateToken } = candidate
      const attempt = createAttemptApi({ code, candidateToken, windowId: 'instructions' })
      const answer = await attempt.status()
      // Uses the page's clock, because a cached response may be shown later.
      return { ...answer, endsAtMs: performance.now() + answer.remainingMs }
    },
    staleTime: 0,
  })
  const listed = assessments.data?.find(({ code }) => code === candidate.code)
  const status = own.data
  // If the candidate has a separate start window, the server decides whether it is over.
  const process = listed && {
    ...listed,
    ...(status?.window && { ...status.window, closesAtMs: null }),
  }
  const isClosed = useIsClosed(process ? [process] : [])

  if (own.error instanceof ApiFailure && own.error.code === 'bad_candidate_token') {
    return own.error.details.reason === 'password_changed' ? (
      <PasswordChanged
        title={process?.label ?? 'Assessment'}
        contact={process?.rules.contact ?? null}
      />
    ) : (
      <LeaveWith
        title="Access Required"
        description="Please login through the recruitment page first."
        to={URLS.recruitment}
      />
    )
  }
  if (status?.status === 'submitted') return <Redirect to={URLS.recruitmentTest} />
  if (assessments.isPending || own.isPending) return <InstructionsSkeleton />
  if (!process || !status) {
    return (
      <main className="wrap wrap-narrow py-16">
        <NotLoaded
          title="The instructions could not be loaded"
          query={{
            refetch: () => Promise.all([assessments.refetch(), own.refetch()]),
            isFetching: assessments.isFetching || own.isFetching,
          }}
        />
      </main>
    )
  }
  return (
    <main className="wrap wrap-narrow running pt-8 pb-8">
      <BackLink to={URLS.recruitment}>Society Assessments</BackLink>
      <p className="eyebrow mt-5">
        {status.status === 'in_progress' ? 'In progress' : 'Before you start'}
      </p>
      <h1 className="mt-2 text-[clamp(32px,4vw,48px)]">{process.label}</h1>
      {status.status === 'in_progress' && <Continue status={status} />}
      <Official />
      {status.window && (
        <p className="mt-6 font-medium">Your start time is different from the other candidates’.</p>
      )}
      <Timing process={process} extraSeconds={status.extraSeconds} />
      <Contents process={process} />
      <Recorded />
      {status.status === 'not_started' && (
        <div className="mt-10 border-ink border-t pt-8">
          {isClosed(process) ? (
            <p role="status" className="font-medium text-[17px]">
              This test has closed. It can no longer be started.
            </p>
          ) : (
            <Start process={process} />
          )}
        </div>
      )}
    </main>
  )
}

/** The banner of a running test, with the remaining time and the button to continue. */
function Continue({ status }: { status: { endsAtMs: number; violations: number } }) {
  const leftMs = Math.max(0, useCountdown(status, status.endsAtMs - performance.now()))
  return (
    <section
      aria-label="Your test is running"
      className="mt-6 border-mid border-l-4 bg-mid-soft p-4"
    >
      <p>
        <b className="font-medium">
          Your test is running: {formatMinutes(leftMs)} left, {status.violations} of{' '}
          {MAX_VIOLATIONS} strikes.
        </b>{' '}
        Your saved answers are waiting for you.
      </p>
      <ToTest className="mt-4" words="Continue" />
    </section>
  )
}

function ToTest({ words, className = '' }: { words: string; className?: string }) {
  const navigate = useNavigate()
  return (
    <button
      type="button"
      className={`btn max-sm:w-full ${className}`}
      onClick={() => void navigate(URLS.recruitmentTest)}
    >
      {words}
      <ArrowRight size={18} aria-hidden />
    </button>
  )
}

function Start({ process }: { process: Process }) {
  return (
    <>
      <ToTest words="I Understand - Start the Exam" />
      <p className="hint mt-3">
        {process.opensAt
          ? 'If the test is not open yet, you’ll see a countdown. The clock starts when you begin.'
          : 'The clock starts when you press this button.'}
      </p>
    </>
  )
}

function Official() {
  return (
    <Part title="This is an official exam">
      <ul className="list-disc space-y-2 pl-5">
        <li>All activity is monitored.</li>
        <li>
          Leaving the page is recorded as a violation, and so are copying, pasting and
          right-clicking. After the third violation the test is submitted automatically.
        </li>
        <li>No external resources and no AI help are allowed.</li>
      </ul>
    </Part>
  )
}

function Timing({ process, extraSeconds }: { process: Process; extraSeconds: number }) {
  const { allowed, forbidden } = process.rules
  const limit = durationText(process.durationSeconds)
  // Leaves out a society's line that only repeats the time limit.
  const timing = process.rules.timing.filter((line) => !line.includes(limit))
  return (
    <Part title="Timing and aids">
      <dl className="grid gap-x-6 gap-y-1 sm:grid-cols-[140px_1fr] sm:gap-y-3 max-sm:[&_dd]:mb-3">
        <Fact name="Time limit">
          <span className="font-medium">
            {limit}
            {extraSeconds > 0 && ` + ${durationText(extraSeconds)} extra time`}
          </span>{' '}
          for {process.questionCount} questions; then the test is submitted automatically
        </Fact>
        {timing.length > 0 && <Fact name="Timing">{timing.join(' ')}</Fact>}
        {allowed.length > 0 && <Fact name="Allowed">{allowed.join(', ')}</Fact>}
        {forbidden.length > 0 && <Fact name="Not allowed">{forbidden.join(', ')}</Fact>}
        <WindowFacts process={process} />
        {process.rules.contact && <Fact name="Contact">{process.rules.contact}</Fact>}
      </dl>
    </Part>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-2">{name}</dt>
      <dd>{children}</dd>
    </>
  )
}

function Contents({ process }: { process: Process }) {
  return (
    <Part title="What the test shows">
      <ul className="list-disc space-y-2 pl-5">
        <li>Multiple-choice questions with 4 options each</li>
        <li>A progress bar</li>
        <li>A countdown timer, red in the last 5 minutes</li>
        <li>
          Navigation with Previous and Next
          {process.navigator && ', and a grid that leads to any question'}; answers can be changed
          until you submit
        </li>
        <li>A violation counter with three squares</li>
        <li>Whether your answers are saved</li>
      </ul>
    </Part>
  )
}

/** What is recorded, as the record after the test lists it (product 6.3.5). */
function Recorded() {
  return (
    <Part title="What is recorded">
      <ul className="list-disc space-y-2 pl-5">
        <li>
          Counted as violations: every time you leave the page, and for how long; copying, cutting,
          pasting and right-clicks; Ctrl or Cmd with C, V, X, F, L, P, S or A; the print-screen key.
        </li>
        <li>
          Recorded but never counted: your answers and when you gave them; reloads, and how long the
          browser's leave prompt was open; fullscreen and connection changes, and short losses of
          focus; dragging text; requests for help; twice a minute, whether the page is in front; the
          network address and browser of each device you use.
        </li>
        <li>No camera, no microphone, no picture of your screen.</li>
      </ul>
      <p className="mt-4">You can read what was recorded about you after the test.</p>
    </Part>
  )
}

function InstructionsSkeleton() {
  return (
    <main className="wrap wrap-narrow pt-8 pb-8">
      <LoadingNote>Loading the instructions</LoadingNote>
      <Skeleton className="mt-20 h-11 w-96 max-w-full" />
      {['official', 'timing', 'contents'].map((key) => (
        <div key={key} className="mt-9">
          <Skeleton className="h-7 w-64" />
          <Skeleton className="mt-5 h-24 w-full" />
        </div>
      ))}
    </main>
  )
}
