import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { StandalonePage } from '../../../platform/web/ui/page.tsx'
import type { AttemptView } from '../attempt/attempt-view.ts'
import { countdownText } from '../attempt/window-times.ts'
import type { Process } from '../queries.ts'
import { assessmentsQuery } from '../queries.ts'
import { MomentIn } from '../start-window.tsx'

/** An organiser may move the opening; whoever waits sees it. */
const REFRESH_MS = 30_000

/**
 * Before the test opens: a countdown by the server's clock. The test is begun by hand, because its clock
 * starts with it and nobody's shall run while they are not looking.
 */
export function RecruitmentTestWaiting(props: {
  waiting: Extract<AttemptView, { phase: 'waiting' }>
  process: Process | undefined
  title: string
  onStart: () => void
}) {
  const { waiting, process, title, onStart } = props
  const { data } = useQuery({ ...assessmentsQuery, refetchInterval: REFRESH_MS, staleTime: 0 })
  const listed = data?.find(({ code }) => code === process?.code)
  const opensAt = listed ? (listed.opensAt ?? waiting.opensAt) : waiting.opensAt
  const movedMs = Date.parse(opensAt) - Date.parse(waiting.opensAt)
  const leftMs = useCountdown(waiting) + movedMs
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

/** Milliseconds to the opening, as a difference on the monotonic clock. */
function useCountdown(waiting: { opensInMs: number }): number {
  const [began, setBegan] = useState(() => ({ waiting, atMs: performance.now() }))
  const [nowMs, setNowMs] = useState(() => performance.now())
  // The server was asked again and said something new.
  if (began.waiting !== waiting) setBegan({ waiting, atMs: performance.now() })
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return began.waiting.opensInMs - (nowMs - began.atMs)
}
