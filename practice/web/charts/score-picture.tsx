import type { ReactNode } from 'react'
import { GREEN_FROM, YELLOW_FROM } from '../../scoring.ts'

/** Where the colour of a score changes (product 3.4.3, 10.5.1), the highest first. */
export const SCORE_GUIDES = [GREEN_FROM, YELLOW_FROM]

export interface Point {
  x: number
  y: number
}

/** Scores between numbered lines, stretched over the second of two grid columns. Children lie over the line. */
export function ScorePicture(props: {
  width: number
  height: number
  /** Tailwind's class of the height on the screen */
  heightClass: string
  /** the scores at which lines run, with their numbers */
  guides: readonly number[]
  guideClass: string
  /** where a score lies, in the picture's units from its top */
  y: (score: number) => number
  points: readonly Point[]
  children: ReactNode
}) {
  const { width, height, guides, y } = props
  return (
    <>
      <div aria-hidden className={`relative text-ink-2 ${props.guideClass}`}>
        {guides.map((guide) => (
          <span
            key={guide}
            className="-translate-y-1/2 absolute leading-none"
            style={{ top: `${(y(guide) / height) * 100}%` }}
          >
            {guide}
          </span>
        ))}
      </div>
      <svg
        aria-hidden="true"
        viewBox={`0 0 ${width} ${height}`}
        className={`w-full overflow-visible ${props.heightClass}`}
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
          points={props.points.map((point) => `${point.x},${point.y}`).join(' ')}
          fill="none"
          stroke="var(--ink)"
          strokeWidth={1.75}
          strokeLinejoin="round"
          strokeLinecap="round"
          vectorEffect="non-scaling-stroke"
        />
        {props.children}
      </svg>
    </>
  )
}

/** A round cap on a line of no length is a dot that the stretched picture can't flatten. */
export function Dot({ at, color, size }: { at: Point; color: string; size: number }) {
  return (
    <line
      x1={at.x}
      x2={at.x}
      y1={at.y}
      y2={at.y}
      stroke={color}
      strokeWidth={size}
      strokeLinecap="round"
      vectorEffect="non-scaling-stroke"
    />
  )
}
