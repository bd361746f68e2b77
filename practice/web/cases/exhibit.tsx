import type { Case, Chart, Exhibit as Part, Table } from '../../cases/case.ts'
import { writeNumber } from '../../cases/number-pattern.ts'

export interface Marking {
  marks: ReadonlySet<string>
  onMark: (line: string) => void
}

export function Exhibit({ content, ...marking }: { content: Case } & Marking) {
  const chart = content.exhibits.find(({ kind }) => kind === 'chart')
  return (
    <section aria-label="Exhibit" className="case-exhibit">
      <div className="case-top">
        <div>
          <h2>{content.title}</h2>
          <p className="running case-story">{content.story}</p>
        </div>
        {chart && <ExhibitPart part={chart} {...marking} />}
      </div>
      {content.exhibits
        .filter((part) => part !== chart)
        .map((part) => (
          <ExhibitPart key={part.id} part={part} {...marking} />
        ))}
      <p className="hint mt-4">Select a line to highlight it.</p>
    </section>
  )
}

export function ExhibitPart(props: { part: Part; isNarrow?: boolean } & Marking) {
  const { part } = props
  if (part.kind === 'chart') return <ExhibitChart chart={part} />
  if (part.kind === 'table') return <ExhibitTable table={part} {...props} />
  return (
    <div className="exhibit-note">
      <h3>{part.title}</h3>
      <p className="running">{withMinus(part.text)}</p>
    </div>
  )
}

function ExhibitTable(props: { table: Table; isNarrow?: boolean } & Marking) {
  const { table, marks } = props
  return (
    <table className={`exhibit ${table.columns.length > 2 ? 'exhibit-wide' : ''}`}>
      <caption className="sr-only">
        {table.title}
        {table.unit && `, ${table.unit}`}
      </caption>
      <thead>
        <tr>
          <th scope="col">
            {props.isNarrow ? (
              table.unit
            ) : (
              <>
                {table.title} {table.unit && <span className="exhibit-unit">{table.unit}</span>}
              </>
            )}
          </th>
          {table.columns.map(({ id, label }) =>
            label === '' ? (
              <td key={id} />
            ) : (
              <th key={id} scope="col">
                {label}
              </th>
            ),
          )}
          {table.change && (
            <th scope="col" className="exhibit-change">
              Change
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row) => {
          const line = `${table.id}.${row.id}`
          const isMarked = marks.has(line)
          const classes = [
            row.line && `exhibit-${row.line}`,
            row.gap && 'exhibit-gap',
            isMarked && 'is-marked',
          ]
          return (
            <tr key={row.id} className={classes.filter(Boolean).join(' ')}>
              <th scope="row">
                <button type="button" aria-pressed={isMarked} onClick={() => props.onMark(line)}>
                  {(props.isNarrow && row.short) || row.label}
                </button>
              </th>
              {table.columns.map((column, index) => {
                const format = row.format ?? column.format ?? table.format
                const { text, isNegative } = writeCell(row.values[index], format)
                return (
                  <td key={column.id}>
                    {text}
                    {isNegative && <i>)</i>}
                  </td>
                )
              })}
              {table.change && (
                <td className="exhibit-change">{changeOf(row.values[0], row.values[1])}</td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

const WIDTH = 268
/** The first figures are left of the lines. Above or below, a rising or falling line would cross them. */
const START = 42
const PLOT = 168
const TOP = 14
const BOTTOM = 88
const AXIS = 104
/** Longer names go below their figure, because there is no room next to it. */
const LONGEST_BESIDE = 9

function ExhibitChart({ chart }: { chart: Chart }) {
  const all = chart.series.flatMap(({ values }) => values)
  const [low, high] = [Math.min(...all), Math.max(...all)]
  const x = (index: number) =>
    START + (index * (PLOT - START)) / Math.max(1, chart.labels.length - 1)
  const y = (value: number) => BOTTOM - ((value - low) / (high - low || 1)) * (BOTTOM - TOP)
  const decimals = Math.max(...all.map((value) => `${value}`.split('.')[1]?.length ?? 0))
  const figure = (value: number) => writeNumber(value, (0).toFixed(decimals))
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

/** Places two names so that neither covers the other. @param apart the minimum distance */
function endsApart(ends: readonly number[], apart: number): readonly number[] {
  const [one, other] = ends
  if (one === undefined || other === undefined || Math.abs(one - other) >= apart) return ends
  const middle = (one + other) / 2
  const half = apart / 2
  return one <= other ? [middle - half, middle + half] : [middle + half, middle - half]
}

type Cell = number | string | null | undefined

/** Writes '(312.0' for negatives, whose closing parenthesis hangs outside, a dash for nothing, '?' for unknown. */
export function writeCell(cell: Cell, format: string): { text: string; isNegative: boolean } {
  if (cell === null || cell === undefined) return { text: '?', isNegative: false }
  if (typeof cell === 'string') return { text: cell, isNegative: false }
  if (cell === 0) return { text: '–', isNegative: false }
  const digits = writeNumber(Math.abs(cell), format)
  return { text: cell < 0 ? `(${digits}` : digits, isNegative: cell < 0 }
}

/** Returns the change in whole percent, such as '+15%', or a dash if there is none. */
export function changeOf(now: Cell, was: Cell): string {
  if (typeof now !== 'number' || typeof was !== 'number' || was === 0) return '–'
  const percent = Math.round(((now - was) / Math.abs(was)) * (was < 0 ? -1 : 1) * 100)
  if (percent === 0) return '0%'
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)}%`
}

/** Replaces hyphens with minus signs: 'from −$4.0 million'. A word joiner (U+2060) keeps it with the currency sign. */
export function withMinus(text: string): string {
  return text
    .replace(/(^|[\s(])-(?=[$\d])/g, '$1−')
    .replace(/ - (?=\$?\d)/g, ' − ')
    .replace(/−(?=[$€])/g, '−\u2060')
}
