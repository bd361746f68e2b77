import { Fragment } from 'react'
import { GREEN_FROM, YELLOW_FROM } from '../../scoring.ts'

export const SCORE_GUIDES = [GREEN_FROM, YELLOW_FROM]

interface ScorePictureProps {
  scores: readonly number[]
  width: number
  height: number
  inset: number
  lowest: number
  highest: number
  guides: readonly number[]
  dotsOf: (index: number) => readonly (readonly [color: string, size: number])[]
}

export const scoreY = (
  { height, inset, lowest, highest }: Omit<ScorePictureProps, 'scores' | 'guides' | 'dotsOf'>,
  score: number,
): number => inset + ((highest - score) / (highest - lowest)) * (height - 2 * inset)

export function ScorePicture(props: ScorePictureProps) {
  const { scores, width, height, inset, guides } = props
  const y = (score: number) => scoreY(props, score)
  const x = (index: number) =>
    scores.length === 1
      ? width - inset
      : inset + (index / (scores.length - 1)) * (width - 2 * inset)
  return (
    <>
      <div aria-hidden className="relative text-[12px] text-ink-2">
        {guides.map((guide) => (
          <span
            key={guide}
            className="-translate-y-1/2 absolute leading-none"
            style={{ top: `${(y(guide) / height) * 100}%` }}
          >
            {String(guide).replace('-', '−')}
          </span>
        ))}
      </div>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${width} ${height}`}
        className="w-full overflow-visible"
        style={{ height }}
        preserveAspectRatio="none"
      >
        {guides.map((guide) => (
          <line
            key={guide}
            x1={0}
            x2={width}
            y1={y(guide)}
            y2={y(guide)}
            stroke={guide === 0 ? 'var(--line-strong)' : 'var(--line)'}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        <polyline
          points={scores.map((score, index) => `${x(index)},${y(score)}`).join(' ')}
          fill="none"
          stroke="var(--ink)"
          strokeWidth={1.75}
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
        {scores.map((score, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: items in the chart have no other key
          <Fragment key={index}>
            {props.dotsOf(index).map(([color, size]) => (
              // A zero-length line with a round cap is a dot that stays round when the chart is stretched.
              <line
                key={size}
                x1={x(index)}
                x2={x(index)}
                y1={y(score)}
                y2={y(score)}
                stroke={color}
                strokeWidth={size}
                strokeLinecap="round"
                vectorEffect="non-scaling-stroke"
              />
            ))}
          </Fragment>
        ))}
      </svg>
    </>
  )
}
