import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { superdayUrl, URLS } from '../../../platform/urls.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { tabStore } from '../../../platform/web/storage.ts'
import { useTitle } from '../../../platform/web/ui/page.tsx'
import { REHEARSAL_ITEMS, REHEARSAL_SECONDS } from '../../rehearsal.ts'
import type { Question } from '../attempt/attempt-view.ts'
import { type Candidate, readCandidate } from '../attempt/candidate.ts'
import { RecruitmentCompleted } from '../completed.tsx'
import { assessmentsQuery, type Process } from '../queries.ts'
import { type RehearsalState, readRehearsal } from '../rehearsal/rehearsal-state.ts'
import { submittedStateSchema } from '../submitted-state.ts'
import { readSuperdayTest } from '../superday/superday-state.ts'
import { usePictures } from './pictures.ts'
import { LeaveWith, PasswordChanged, TakenOver, TestClosed } from './test-message.tsx'
import { RecruitmentTestRunning } from './test-running.tsx'
import { useAttempt } from './test-session.ts'
import { TestSkeleton } from './test-skeleton.tsx'
import { RecruitmentTestWaiting } from './test-waiting.tsx'

/** /recruitment/test (product 1.4.18, 6.4.1, 6.10.3). It stands alone: one thing at a time. */
export function RecruitmentTest() {
  const user = useUser()
  const { state, key } = useLocation()
  const [candidate] = useState(() => readCandidate(tabStore))
  const [firstKey] = useState(key)
  const submitted = submittedStateSchema.safeParse(state)
  // Credentials that came later than the state of an entry in the history are for another test.
  const isOver = !candidate || key !== firstKey
  if (isOver && submitted.success && submitted.data.userId === user.id) {
    return <RecruitmentCompleted submitted={submitted.data} />
  }
  if (!candidate) {
    return (
      <LeaveWith
        title="Access Required"
        description="Please login through the recruitment page first."
        to={URLS.recruitment}
      />
    )
  }
  return <TestOf candidate={candidate} userId={user.id} />
}

const NONE: readonly Question[] = []

function TestOf({ candidate, userId }: { candidate: Candidate; userId: string }) {
  // Which navigation, whose contact; never read again under somebody who is answering.
  const { data: assessments } = useQuery({
    ...assessmentsQuery,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  })
  const listed = assessments?.find(({ code }) => code === candidate.code)
  const [rehearsal] = useState(() => readRehearsal(tabStore))
  const [superday] = useState(() => readSuperdayTest(tabStore, candidate.code))
  // No list has it; the link that opened it said what it is like.
  const process =
    listed ??
    (rehearsal?.code === candidate.code
      ? processOf(rehearsal)
      : superday
        ? processOfSuperday(candidate.code)
        : undefined)
  const wayBack = superday ? superdayUrl(superday.evening) : URLS.recruitment
  const title = process?.label ?? candidate.code.replaceAll('_', ' ')
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
          pictureOf={pictureOf}
        />
      ) : null
    case 'submitted':
      // The completion screen is on its way.
      return <TestSkeleton title={title} />
  }
}

function processOf({ code, label, navigator, contact }: RehearsalState): Process {
  return {
    code,
    society: label,
    label: `Rehearsal - ${label}`,
    session: null,
    durationSeconds: REHEARSAL_SECONDS,
    questionCount: REHEARSAL_ITEMS.length,
    navigator,
    rules: { timing: [], allowed: [], forbidden: [], contact },
    ...{ opensAt: null, closesAt: null, closesAtMs: null, isRunning: true, timeZone: 'UTC' },
  }
}

/** Its questions are all there is to know of it; its rules stood on the page before. */
function processOfSuperday(code: string): Process {
  return {
    ...{ code, society: 'Mock superday', label: 'Mock superday', session: null },
    ...{ durationSeconds: 0, questionCount: 0, navigator: true },
    rules: { timing: [], allowed: [], forbidden: [], contact: null },
    ...{ opensAt: null, closesAt: null, closesAtMs: null, isRunning: true, timeZone: 'UTC' },
  }
}

/** The reasons to go back to /recruitment (product 6.12.4, 6.12.5, 6.12.6). */
function Failed(props: {
  failure: 'access' | 'no_questions' | 'load'
  message: string
  to: string
}) {
  const { to } = props
  switch (props.failure) {
    case 'access':
      return (
        <LeaveWith
          title="Access Required"
          description="Please login through the recruitment page first."
          to={to}
        />
      )
    case 'no_questions':
      return <LeaveWith title="No Questions Available" description={props.message} to={to} />
    case 'load':
      return (
        <LeaveWith
          title="Error"
          description="Failed to load questions. Please try again."
          to={to}
        />
      )
  }
}
