import type { ReactNode } from 'react'
import { clockTime } from '../../../platform/durations.ts'
import { LAST_SECONDS, SPEAKING_SECONDS } from '../../aloud/spoken-prompt.ts'

const CENTER = 200
const RADIUS = 172
/** Every so many seconds a longer tick, and its number. */
const MARKED = 15
const TICKS = Array.from({ length: SPEAKING_SECONDS }, (_, second) => second)

/**
 * Ninety seconds as ninety ticks: what is used is ink, the hand blue, and the last fifteen turn claret
 * (product 3.13.4). The figure says the same.
 */
export function Dial(props: {
  secondsUsed: number
  isRunning: boolean
  /** below the figure */
  children?: ReactNode
}) {
  const left = SPEAKING_SECONDS - props.secondsUsed
  const isLate = props.isRunning && left <= LAST_SECONDS
  return (
    <div
      className="dial"
      role="timer"
      aria-label={`${left} of ${SPEAKING_SECONDS} seconds left`}
      data-late={isLate}
    >
      <svg viewBox="0 0 400 400" aria-hidden="true">
        {TICKS.map((second) => (
          <line key={second} {...tickAt(second, props)} />
        ))}
        {TICKS.filter((second) => second % MARKED === 0).map((second) => {
          const { x, y } = at(second, RADIUS - 32)
          return (
            <text key={second} className="chart-text" x={x} y={y + 4} textAnchor="middle">
              {SPEAKING_SECONDS - second}
            </text>
          )
        })}
      </svg>
      <div className="dial-inside">
        <p className="fig dial-figure">{clockTime(left)}</p>
        <div className="dial-below">{props.children}</div>
      </div>
    </div>
  )
}

function tickAt(
  second: number,
  { secondsUsed, isRunning }: { secondsUsed: number; isRunning: boolean },
) {
  const isHand = isRunning && second === secondsUsed
  const reach = isHand ? 17 : second % MARKED === 0 ? 9 : 6
  const [from, to] = [at(second, RADIUS - reach), at(second, RADIUS + reach)]
  const isLast = second >= SPEAKING_SECONDS - LAST_SECONDS
  const className = isHand ? 'dial-hand' : second < secondsUsed ? 'dial-used' : 'dial-left'
  return { x1: from.x, y1: from.y, x2: to.x, y2: to.y, className, 'data-last': isLast }
}

/** A place on the dial, clockwise from the top. */
function at(second: number, radius: number): { x: number; y: number } {
  const angle = (second / SPEAKING_SECONDS) * 2 * Math.PI
  const round = (value: number) => Math.round(value * 10) / 10
  return {
    x: round(CENTER + radius * Math.sin(angle)),
    y: round(CENTER - radius * Math.cos(angle)),
  }
}
