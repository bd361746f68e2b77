import type { ReactNode } from 'react'
import { SCORE_GUIDES, ScorePicture, scoreY } from './score-picture.tsx'

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
  const size = { width: 300, height: 150, inset: 6, lowest, highest }
  const last = percentages.at(-1)
  return (
    <figure className="score-line">
      <figcaption className="sr-only">
        Your last {percentages.length === 1 ? 'score' : `${percentages.length} scores`}, oldest
        first: {percentages.map((percentage) => `${percentage}%`).join(', ')}
      </figcaption>
      <ScorePicture
        {...size}
        scores={percentages}
        guides={SCORE_GUIDES}
        dotsOf={(index) =>
          index === percentages.length - 1
            ? [['var(--accent)', 10]]
            : [
                ['var(--ink)', 7.5],
                ['var(--paper)', 4.5],
              ]
        }
      />
      {last !== undefined && (
        <div className="relative">
          <span className="absolute" style={{ top: scoreY(size, last) }}>
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
