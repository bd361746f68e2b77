import type { Chart } from '../../cases/case.ts'

const WIDTH = 268
/** The first figures stand to the left of the lines: above or below, a rising or falling line would cross them. */
const START = 42
const PLOT = 168
const TOP = 14
const BOTTOM = 88
const AXIS = 104
/** Longer names stand below their figure: beside it they would be cut. */
const LONGEST_BESIDE = 9

/** One or two lines, named at their ends; the second is dotted and ends in an open circle. */
export function ExhibitChart({ chart }: { chart: Chart }) {
  const all = chart.series.flatMap(({ values }) => values)
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const x = (index: number) =>
    START + (index * (PLOT - START)) / Math.max(1, chart.labels.length - 1)
  const y = (value: number) => BOTTOM - ((value - low) / (high - low || 1)) * (BOTTOM - TOP)
  const decimals = Math.max(...all.map((value) => `${value}`.split('.')[1]?.length ?? 0))
  const figure = (value: number) => writeFigure(value, decimals)
  const spoken = `${chart.labels[0]} to ${chart.labels.at(-1)}, ${chart.unit}. ${chart.series
    .map(({ name, values }) => `${name} ${values.map(figure).join(', ')}.`)
    .join(' ')}`
  const isBelow = chart.series.some(({ name }) => name.length > LONGEST_BESIDE)
  const ends = endsApart(
    chart.series.map(({ values }) => y(values.at(-1) ?? 0)),
    isBelow ? 30 : 18,
  )
  const starts = endsApart(
    chart.series.map(({ values }) => y(values[0] ?? 0)),
    15,
  )
  const middle = Math.floor((chart.labels.length - 1) / 2)
  return (
    <figure className="exhibit-chart">
      <figcaption>
        <h3>{chart.title}</h3>
        <span>{chart.unit}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} 124`} width="100%" role="img" aria-label={spoken}>
        <line className="chart-axis" x1={START} x2={PLOT} y1={AXIS} y2={AXIS} />
        {chart.series.map(({ id, name, values }, index) => {
          const isDotted = index > 0
          const first = values[0] ?? 0
          const last = values.at(-1) ?? 0
          return (
            <g key={id}>
              <polyline
                className={isDotted ? 'chart-dotted' : 'chart-line'}
                points={values.map((value, place) => `${x(place)},${y(value)}`).join(' ')}
              />
              <circle
                className={isDotted ? 'chart-open' : 'chart-dot'}
                cx={PLOT}
                cy={y(last)}
                r={3.5}
              />
              <text
                className="chart-small"
                x={START - 6}
                y={(starts[index] ?? 0) + 4}
                textAnchor="end"
              >
                {figure(first)}
              </text>
              <text className="chart-end" x={PLOT + 12} y={(ends[index] ?? 0) + 4}>
                {figure(last)}{' '}
                <tspan className="chart-small" {...(isBelow && { x: PLOT + 12, dy: 13 })}>
                  {name}
                </tspan>
              </text>
            </g>
          )
        })}
        {[0, middle, chart.labels.length - 1].map((place, index) => (
          <text
            key={place}
            className="chart-small"
            x={x(place)}
            y={120}
            textAnchor={(['start', 'middle', 'end'] as const)[index]}
          >
            {chart.labels[place]}
          </text>
        ))}
      </svg>
    </figure>
  )
}

/** With commas, a real minus, and as many decimals as the other figures of its chart. */
const writeFigure = (value: number, decimals: number): string =>
  value
    .toLocaleString('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    .replace('-', '−')

/** Where two names stand, so that neither covers the other. @param apart at least */
function endsApart(ends: readonly number[], apart: number): readonly number[] {
  const [one, other] = ends
  if (one === undefined || other === undefined || Math.abs(one - other) >= apart) return ends
  const middle = (one + other) / 2
  const half = apart / 2
  return one <= other ? [middle - half, middle + half] : [middle + half, middle - half]
}
