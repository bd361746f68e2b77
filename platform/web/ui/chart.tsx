import { GuideLabels, GuideLines } from './chart-guides.tsx'

const WIDTH = 300
const HEIGHT = 84
const INSET = 6
/** Where the colour of a score changes (product 3.4.3, 10.5.1). */
const GUIDES = [80, 60]

/**
 * The course of some scores, the oldest first, with the lines at which a score turns yellow and green.
 * The text equivalent names every score.
 */
export function ScoreLine({ percentages }: { percentages: readonly number[] }) {
  // No more of the scale than the scores and both guides need, so that a change can be seen.
  const lowest = Math.max(0, Math.min(60, ...percentages) - 5)
  const highest = Math.min(100, Math.max(80, ...percentages) + 5)
  const x = (index: number) =>
    percentages.length === 1
      ? WIDTH - INSET
      : INSET + (index / (percentages.length - 1)) * (WIDTH - 2 * INSET)
  const y = (percentage: number) =>
    INSET + ((highest - percentage) / (highest - lowest)) * (HEIGHT - 2 * INSET)
  const points = percentages.map((percentage, index) => `${x(index)},${y(percentage)}`)
  const last = percentages.length - 1
  return (
    <figure className="grid grid-cols-[24px_1fr]">
      <figcaption className="sr-only">
        Your last {percentages.length === 1 ? 'score' : `${percentages.length} scores`}, oldest
        first: {percentages.map((percentage) => `${percentage}%`).join(', ')}
      </figcaption>
      <div aria-hidden className="relative text-[11px] text-ink-2">
        <GuideLabels values={GUIDES} y={y} height={HEIGHT} />
      </div>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        className="h-[84px] w-full overflow-visible"
        preserveAspectRatio="none"
      >
        <GuideLines values={GUIDES} y={y} width={WIDTH} />
        <polyline
          points={points.join(' ')}
          fill="none"
          stroke="var(--ink)"
          strokeWidth={1.75}
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
        {/* A round cap on a line of no length is a dot that the stretched picture can't flatten. */}
        <line
          x1={x(last)}
          x2={x(last)}
          y1={y(percentages[last] ?? 0)}
          y2={y(percentages[last] ?? 0)}
          stroke="var(--accent)"
          strokeWidth={8}
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
    </figure>
  )
}
