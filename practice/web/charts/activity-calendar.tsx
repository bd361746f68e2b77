import { dayName, monthName } from '../../../platform/web/dates.ts'

const CELL = 18
const STEP = 24
const LEFT = 34
const TOP = 20
const DAY_LABELS = [
  { label: 'Mon', row: 0 },
  { label: 'Wed', row: 2 },
  { label: 'Fri', row: 4 },
  { label: 'Sun', row: 6 },
]

/**
 * The days of some weeks, a column each, Monday on top: filled when something was finished, ringed today.
 * As a list of the filled days to who can't see it.
 * @param counts how many tests were finished, by day (yyyy-mm-dd) on which something was; 0 where it was no test
 */
export function ActivityCalendar(props: {
  weeks: readonly (readonly string[])[]
  counts: ReadonlyMap<string, number>
  today: string
}) {
  const { weeks, counts, today } = props
  const width = LEFT + weeks.length * STEP
  const height = TOP + 7 * STEP
  const active = weeks.flat().filter((day) => counts.has(day))
  return (
    <figure className="relative">
      <svg
        aria-hidden="true"
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        className="h-auto max-w-full text-[12px]"
        fill="var(--ink-2)"
      >
        {DAY_LABELS.map(({ label, row }) => (
          <text key={label} x={0} y={TOP + row * STEP + 13}>
            {label}
          </text>
        ))}
        {weeks.map((week, column) => (
          <g key={week[0]} transform={`translate(${LEFT + column * STEP} 0)`}>
            {isNewMonth(weeks, column) && <text y={11}>{monthName(week[6] ?? '')}</text>}
            {week.map((day, row) =>
              day > today ? null : (
                <rect
                  key={day}
                  x={0.5}
                  y={TOP + row * STEP + 0.5}
                  width={CELL - 1}
                  height={CELL - 1}
                  rx={3}
                  fill={counts.has(day) ? 'var(--streak)' : 'none'}
                  stroke={counts.has(day) || day === today ? 'var(--streak)' : 'var(--line)'}
                >
                  <title>{`${dayName(day)}: ${spoken(counts.get(day))}`}</title>
                </rect>
              ),
            )}
          </g>
        ))}
      </svg>
      <figcaption className="sr-only">Days of practice, oldest first</figcaption>
      <ul className="sr-only">
        {active.map((day) => (
          <li key={day}>
            {dayName(day)}: {spoken(counts.get(day))}
          </li>
        ))}
      </ul>
    </figure>
  )
}

function spoken(count: number | undefined): string {
  if (count === undefined) return 'nothing finished'
  if (count === 0) return 'practiced'
  return count === 1 ? '1 test' : `${count} tests`
}

/** A month is named over the first week that ends in it, where there is room before the next name. */
function isNewMonth(weeks: readonly (readonly string[])[], column: number): boolean {
  const monthOf = (index: number) => weeks[index]?.[6]?.slice(0, 7)
  if (column === 0) return monthOf(0) === monthOf(1)
  return monthOf(column) !== monthOf(column - 1)
}
