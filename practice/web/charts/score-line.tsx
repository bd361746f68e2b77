import { Dot, type Point, SCORE_GUIDES, ScorePicture } from './score-picture.tsx'

const WIDTH = 300
const HEIGHT = 84
const INSET = 6

/**
 * The course of some scores, the oldest first, with the lines at which a score turns yellow and green.
 * The text equivalent names every score.
 */
export function ScoreLine({ percentages }: { percentages: readonly number[] }) {
  // No more of the scale than the scores and both guides need, so that a change can be seen.
  const lowest = Math.max(0, Math.min(...SCORE_GUIDES, ...percentages) - 5)
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
    <figure className="grid grid-cols-[24px_1fr]">
      <figcaption className="sr-only">
        Your last {percentages.length === 1 ? 'score' : `${percentages.length} scores`}, oldest
        first: {percentages.map((percentage) => `${percentage}%`).join(', ')}
      </figcaption>
      <ScorePicture
        width={WIDTH}
        height={HEIGHT}
        heightClass="h-[84px]"
        guides={SCORE_GUIDES}
        guideClass="text-[11px]"
        y={y}
        points={points}
      >
        {last && <Dot at={last} color="var(--accent)" size={8} />}
      </ScorePicture>
    </figure>
  )
}
