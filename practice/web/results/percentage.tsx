import { useEffect, useState } from 'react'
import { scoreStyle } from '../score.tsx'

/** How long the number counts up; the ticks and the streak's day take as long (app/web/styles/results.css). */
const REWARD_MS = 400

/** The score, large. After a test that was just finished it counts up; screen readers get the final one only. */
export function Percentage(props: { percentage: number; isJustFinished: boolean }) {
  const { percentage } = props
  const shown = useCountUp(percentage, props.isJustFinished)
  return (
    <h1 className={`fig results-figure ${scoreStyle(percentage).text}`}>
      <span className="sr-only">Your score: {percentage}%</span>
      <span aria-hidden>
        {/* The final number keeps the place, so that nothing moves beside it. */}
        <span className="relative">
          <span className={shown === percentage ? '' : 'invisible'}>{percentage}</span>
          {shown !== percentage && <span className="absolute inset-0 text-end">{shown}</span>}
        </span>
        <small>%</small>
      </span>
    </h1>
  )
}

function useCountUp(to: number, isAsked: boolean): number {
  const [isMoving] = useState(
    () => isAsked && !matchMedia('(prefers-reduced-motion: reduce)').matches,
  )
  const [shown, setShown] = useState(isMoving ? 0 : to)
  useEffect(() => {
    if (!isMoving) return
    const startedAt = performance.now()
    let frame = requestAnimationFrame(function step(now) {
      const share = Math.min(1, Math.max(0, now - startedAt) / REWARD_MS)
      setShown(Math.round(to * share))
      if (share < 1) frame = requestAnimationFrame(step)
    })
    return () => cancelAnimationFrame(frame)
  }, [to, isMoving])
  return shown
}
