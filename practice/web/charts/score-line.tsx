import type { ReactNode } from 'react'
import { Dot, type Point, SCORE_GUIDES, ScorePicture } from './score-picture.tsx'

const WIDTH = 300
const HEIGHT = 150
const INSET = 6

/** Scores, the oldest first, with the lines for yellow and green. The text equivalent names every score. */
export function ScoreLine(props: {
  percentages: readonly number[]
  from: string
  to: string
  last: ReactNode
}) {
  const { percentages } = props
  // No more of the scale than the scores and both guides need, so that a change can be seen.
  const lowest = Math.max(0, Math.min(...SCORE_GUIDES, ...percentages) - 8)
  const highest = Math.min(100, Math.max(...SCORE_GUIDES, ...percentages) + 5)
  const y = (percentage: number) =>
    INSET + ((highest - percentage) / (highest - lowest)) * (HEIGHT - 2 * INSET)
  const points = percentages.map(
    (percentage, index): Point => ({
      x:
        percentages.length === 1
          ? WIDTH - INSET
          : INSET + (index / (percentages.length - 1)) * (WIDTH - 2 * INSET),
      y: y(percentage),
    }),
  )
  const last = points.at(-1)
  return (
    <figure className="score-line">
      <figcaption className="sr-only">
        Your last {percentages.length === 1 ? 'score' : `${percentages.length} scores`}, oldest
        first: {percentages.map((percentage) => `${percentage}%`).join(', ')}
      </figcaption>
      <ScorePicture
        width={WIDTH}
        height={HEIGHT}
        heightClass="h-[150px]"
        guides={SCORE_GUIDES}
        guideClass="text-[12px]"
        y={y}
        points={points}
      >
        {points.slice(0, -1).map((point) => (
          <g key={point.x}>
            <Dot at={point} color="var(--ink)" size={7.5} />
            <Dot at={point} color="var(--paper)" size={4.5} />
          </g>
        ))}
        {last && <Dot at={last} color="var(--accent)" size={10} />}
      </ScorePicture>
      {last && (
        <div className="relative">
          <span className="absolute" style={{ top: (last.y / HEIGHT) * 150 }}>
            {props.last}
          </span>
        </div>
      )}
      <div aria-hidden className="score-line-dates">
        <span>{props.from}</span>
        <span>{percentages.length > 1 && props.to}</span>
      </div>
    </figure>
  )
}
