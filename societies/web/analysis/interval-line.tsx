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
