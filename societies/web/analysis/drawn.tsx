import { coefficient } from '../../statistics/figures.ts'
import type { Interval } from '../../statistics/moments.ts'

/** A value with its interval on a line; the same figures stand beside it in words. */
export function IntervalLine(props: {
  value: number
  interval: Interval
  from: number
  to: number
  /** where a mark stands, if anywhere */
  zero?: number
  width?: number
  isAmber?: boolean
}) {
  const { value, interval, from, to, zero, width = 132 } = props
  const x = (at: number) => Math.max(1, Math.min(width - 1, ((at - from) / (to - from)) * width))
  const colour = props.isAmber ? 'var(--mid)' : 'var(--ink)'
  return (
    <svg width={width} height="16" aria-hidden className="block">
      {zero !== undefined && (
        <line x1={x(zero)} x2={x(zero)} y1="0" y2="16" stroke="var(--line-strong)" />
      )}
      <line x1="0" x2={width} y1="8" y2="8" stroke="var(--line)" />
      <line
        x1={x(interval.low)}
        x2={x(interval.high)}
        y1="8"
        y2="8"
        stroke={colour}
        strokeWidth="1.5"
      />
      <circle cx={x(value)} cy="8" r="3.5" fill={colour} />
    </svg>
  )
}

/** The share right in each fifth, the weakest first. */
export function Fifths({ shares, isAmber }: { shares: readonly number[]; isAmber: boolean }) {
  const words = shares.map((share) => `${Math.round(share * 100)}%`).join(', ')
  return (
    <svg width="76" height="22" role="img" aria-label={`Right, weakest to best fifth: ${words}`}>
      {shares.map((share, index) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a fifth is its place
          key={index}
          x={index * 15}
          y={21 - share * 20}
          width="12"
          height={Math.max(1, share * 20)}
          fill={isAmber ? 'var(--mid)' : 'var(--ink)'}
        />
      ))}
      <line x1="0" x2="73" y1="21.5" y2="21.5" stroke="var(--line-strong)" />
    </svg>
  )
}

const ZONES = [
  [0, 0.5, 'do not rank'],
  [0.5, 0.65, 'weak'],
  [0.65, 0.8, 'fair'],
  [0.8, 1, 'good'],
] as const

/** Reliability from 0 to 1 with what it is good for, and how wide it may be. */
export function ReliabilityLine(props: {
  alpha: number
  interval: Interval
  isIndicative: boolean
  /** as wide as it is drawn, so that its words are as large as others */
  width?: number
}) {
  const { alpha, interval, isIndicative, width = 440 } = props
  const x = (value: number) => 1 + Math.max(0, Math.min(1, value)) * (width - 2)
  const zone = ZONES.findLast(([from]) => alpha >= from) ?? ZONES[0]
  const [low, high] = [x(interval.low), x(interval.high)]
  // Two numbers that would touch stand apart.
  const gap = Math.max(0, 34 - (high - low)) / 2
  return (
    <svg
      viewBox={`0 0 ${width} 84`}
      role="img"
      aria-label={`KR-20 ${coefficient(alpha)}, between ${coefficient(interval.low)} and ${coefficient(interval.high)}`}
      className="figures block w-full max-w-110 text-[12px]"
    >
      {ZONES.map(([from, to, word]) => (
        <g key={word}>
          <rect
            x={x(from)}
            y="30"
            width={x(to) - x(from) - 1}
            height="10"
            fill={word === zone[2] && !isIndicative ? 'var(--line-strong)' : 'var(--line)'}
            opacity={word === zone[2] && !isIndicative ? 0.55 : 1}
          />
          <text
            x={(x(from) + x(to)) / 2}
            y="60"
            textAnchor="middle"
            fill={word === zone[2] && !isIndicative ? 'var(--ink)' : 'var(--ink-2)'}
            fontWeight={word === zone[2] && !isIndicative ? 600 : 400}
          >
            {word}
          </text>
        </g>
      ))}
      <line x1={low} x2={high} y1="35" y2="35" stroke="var(--ink)" strokeWidth="3" />
      <circle
        cx={x(alpha)}
        cy="35"
        r="6.5"
        fill={isIndicative ? 'var(--paper)' : 'var(--ink)'}
        stroke="var(--ink)"
        strokeWidth="2"
      />
      <text x={Math.max(12, low - gap)} y="20" textAnchor="middle" fill="var(--ink-2)">
        {coefficient(interval.low)}
      </text>
      <text x={Math.min(width - 12, high + gap)} y="20" textAnchor="middle" fill="var(--ink-2)">
        {coefficient(interval.high)}
      </text>
      <text x="0" y="82" fill="var(--ink-2)">
        0, chance alone
      </text>
      <text x={width - 1} y="82" textAnchor="end" fill="var(--ink-2)">
        1, no error
      </text>
    </svg>
  )
}
