interface Point {
  x: number
  y: number
}
interface Size {
  width: number
  height: number
  words: number
}

const WIDE: Size = { width: 528, height: 208, words: 96 }
const NARROW: Size = { width: 354, height: 200, words: 96 }
const TOP = 20
const FOOT = 24

interface LineChartProps {
  label: string
  /** the second, where there is one, is the one before: thin and quiet */
  lines: readonly { points: readonly Point[]; figure: number; words: string }[]
  below: readonly { x: number; text: string }[]
  right: number
  hasDots?: boolean
}

export function LineChart(props: LineChartProps) {
  return (
    <>
      <Drawing {...props} size={WIDE} className="max-nav:hidden" />
      <Drawing {...props} size={NARROW} className="nav:hidden" />
    </>
  )
}

function Drawing(props: LineChartProps & { size: Size; className: string }) {
  const { lines, size } = props
  const values = lines.flatMap(({ points }) => points.map(({ y }) => y))
  const lowest = Math.min(0, ...values)
  const step = stepOf(Math.max(4, ...values) - lowest)
  const bottom = Math.floor(lowest / step) * step
  const top = Math.max(bottom + step, Math.ceil(Math.max(...values) / step) * step)
  const plotWidth = size.width - size.words
  const plotHeight = size.height - TOP - FOOT
  // The figures of the grid stand at the left: a line that does not begin at zero begins beside them.
  const left = props.hasDots ? 30 : 0
  const x = (value: number) => left + (value / props.right) * (plotWidth - left)
  const y = (value: number) => TOP + plotHeight * (1 - (value - bottom) / (top - bottom))
  const grid = Array.from(
    { length: (top - bottom) / step + 1 },
    (_, index) => bottom + index * step,
  )
  // The words at two ends keep a line's height between them.
  const [endY, lastEndY] = lines.map(({ points }) => y(points.at(-1)?.y ?? 0))
  const pushed =
    endY !== undefined && lastEndY !== undefined && Math.abs(endY - lastEndY) < 20
      ? endY + (lastEndY >= endY ? 20 : -20)
      : lastEndY
  return (
    <svg
      viewBox={`0 0 ${size.width} ${size.height}`}
      width="100%"
      role="img"
      aria-label={props.label}
      className={`mt-3.5 block max-w-[528px] ${props.className}`}
    >
      {grid.map((value) => (
        <g key={value}>
          <line
            x1="0"
            x2={plotWidth}
            y1={y(value)}
            y2={y(value)}
            stroke={value === bottom ? 'var(--ink)' : 'var(--line)'}
          />
          {value !== bottom && (
            <text className="chart-text" x="0" y={y(value) - 4}>
              {value < 0 ? `−${-value}` : value}
            </text>
          )}
        </g>
      ))}
      {[...lines].reverse().map(({ points, words }, index) => {
        const isNow = index === lines.length - 1
        return (
          <polyline
            key={words}
            points={points.map((point) => `${x(point.x)},${y(point.y)}`).join(' ')}
            fill="none"
            stroke={isNow ? 'var(--ink)' : 'var(--line-strong)'}
            strokeWidth={isNow ? 2 : 1.5}
            strokeLinejoin="round"
          />
        )
      })}
      {lines[0]?.points.map((point, index, all) =>
        props.hasDots || index === all.length - 1 ? (
          <circle
            key={point.x}
            cx={x(point.x)}
            cy={y(point.y)}
            r={index === all.length - 1 ? 4 : 2.5}
            fill="var(--ink)"
          />
        ) : null,
      )}
      {lines.map(({ figure, words }, index) => (
        <text
          key={words}
          x={plotWidth + 11}
          y={((index === 0 ? endY : pushed) ?? 0) + 4}
          className={index === 0 ? 'chart-figure' : 'chart-text'}
        >
          {figure < 0 ? `−${-figure}` : figure}{' '}
          <tspan className="chart-text" fontWeight="400">
            {words}
          </tspan>
        </text>
      ))}
      {props.below.map(({ x: at, text }, index) => (
        <text
          key={text}
          className="chart-text"
          x={x(at)}
          y={size.height - 5}
          textAnchor={
            index === 0 && props.below.length > 1 ? 'start' : at === props.right ? 'end' : 'middle'
          }
        >
          {text}
        </text>
      ))}
    </svg>
  )
}

/** A step of 1, 2 or 5 with zeros that makes at most five of a range. */
function stepOf(range: number): number {
  const size = 10 ** Math.floor(Math.log10(range / 5))
  return ([1, 2, 5, 10].find((times) => times * size * 5 >= range) ?? 10) * size
}
