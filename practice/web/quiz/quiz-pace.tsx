import { useEffect, useRef, useState } from 'react'
import { clockTime } from '../../../platform/durations.ts'
import { SECONDS_A_QUESTION } from '../build/built-test.ts'

/** The clock turns claret for so long at the end, seconds. */
const LAST_SECONDS = 30

/**
 * The clock of a built test (product 3.14.7): the time that is left, which ends it, or the pace against a minute
 * and a half a question, which ends nothing. Only time in view counts: leaving stops it.
 * @param at the question shown, from 0
 */
export function QuizPace(props: {
  clock: 'pace' | 'timed'
  questions: number
  at: number
  timesNow: () => Record<string, number>
  onOver: () => void
}) {
  const { clock, questions, at } = props
  const latest = useRef(props)
  latest.current = props
  const [seconds, setSeconds] = useState(() => secondsOf(props.timesNow()))
  useEffect(() => {
    const tick = () => {
      const { timesNow, onOver } = latest.current
      const now = secondsOf(timesNow())
      setSeconds(now)
      if (clock === 'timed' && now >= questions * SECONDS_A_QUESTION) onOver()
    }
    const timer = setInterval(tick, 500)
    return () => clearInterval(timer)
  }, [clock, questions])

  if (clock === 'timed') {
    const left = Math.max(0, questions * SECONDS_A_QUESTION - seconds)
    return (
      <p
        role="timer"
        aria-label="Time left"
        className={`fig whitespace-nowrap text-[15px] ${left <= LAST_SECONDS ? 'text-wrong' : ''}`}
      >
        {clockTime(left)}
      </p>
    )
  }
  const ahead = at * SECONDS_A_QUESTION - seconds
  return (
    <p role="timer" aria-label="Pace" className="fig whitespace-nowrap text-[15px] text-ink-2">
      {paceWords(ahead)}
    </p>
  )
}

const secondsOf = (times: Record<string, number>): number =>
  Math.floor(Object.values(times).reduce((sum, ms) => sum + ms, 0) / 1000)

/** A question in view has its own time: late is who has used it up, and what was saved before. */
function paceWords(ahead: number): string {
  const late = -ahead - SECONDS_A_QUESTION
  if (late > 0) return `${clockTime(late)} behind`
  return ahead > 0 ? `${clockTime(ahead)} ahead` : 'on pace'
}
