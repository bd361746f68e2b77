import { describeDuration } from '../../../platform/durations.ts'
import { countOf } from '../../../platform/words.ts'
import { ownZoneWords } from '../../kit/web/own-zone.ts'
import { zoneDay, zoneName, zoneTime } from '../../kit/zone-time.ts'

interface Day {
  opensMs: number
  closesMs: number
  timeZone: string
  durationSeconds: number
  /** the most that a candidate has */
  extraSeconds: number
  candidateCount: number
  extraCount: number
}

interface Moment {
  atMs: number
  name: string
  note: string
}

/** At most a day is drawn: on a longer line minutes can't be read. */
export const DRAWN_MS = 24 * 3_600_000

function momentsOf(day: Day): Moment[] {
  const { opensMs, closesMs, durationSeconds, extraSeconds } = day
  const lastRegularMs = closesMs + durationSeconds * 1000
  return [
    { atMs: opensMs, name: 'Opens', note: countOf(day.candidateCount, 'candidate') },
    {
      atMs: closesMs,
      name: 'Last start',
      note: `${describeDuration(durationSeconds)} stay for those inside`,
    },
    {
      atMs: lastRegularMs,
      name: 'Last regular end',
      note: countOf(day.candidateCount - day.extraCount, 'candidate'),
    },
    ...(extraSeconds > 0
      ? [
          {
            atMs: lastRegularMs + extraSeconds * 1000,
            name: 'Everybody is out',
            note: `${countOf(day.extraCount, 'candidate')} with extra time`,
          },
        ]
      : []),
  ]
}

/** Widths of the drawing; the browser scales it. */
const WIDTH = 1360
const EDGE = 70

/** The day as one line, so that 'last start' and 'last end' are not confused. On a phone, lines of text. */
export function DayLine({ day, nowMs }: { day: Day; nowMs: number }) {
  const moments = momentsOf(day)
  const { timeZone } = day
  const time = (ms: number) => zoneTime(ms, timeZone)
  const own = ownZoneWords(day.opensMs, timeZone)
  return (
    <section aria-label="The day" className="mb-8.5">
      <ol className="border-ink border-t xl:sr-only">
        {moments.map(({ atMs, name, note }) => (
          <li key={name} className="flex gap-4 border-line border-b py-2">
            <time className="figures w-12 font-medium">{time(atMs)}</time>
            <span>
              {name} <span className="text-ink-2">{note}</span>
            </span>
          </li>
        ))}
      </ol>
      <Drawing day={day} moments={moments} time={time} />
      <p className="hint mt-2 flex flex-wrap justify-between gap-x-4">
        <span>
          {zoneDay(day.opensMs, timeZone, nowMs)}, {zoneName(timeZone)}
        </span>
        {own && <span>{own}</span>}
      </p>
    </section>
  )
}

function Drawing(props: { day: Day; moments: Moment[]; time: (ms: number) => string }) {
  const { day, moments, time } = props
  const first = day.opensMs
  const last = moments.at(-1)?.atMs ?? first
  const xOf = (ms: number) => EDGE + ((ms - first) / (last - first)) * (WIDTH - 2 * EDGE - 130)
  const places = spread(moments.map(({ atMs }) => xOf(atMs)))
  const lastRegular = day.closesMs + day.durationSeconds * 1000
  const bars = [
    { from: first, to: day.closesMs, label: 'can be started', fill: 'ink', ink: 'paper' },
    { from: day.closesMs, to: lastRegular, label: 'last candidates', fill: 'sunken', ink: 'ink' },
    { from: lastRegular, to: last, label: 'extra time', fill: 'paper', ink: 'ink' },
  ].filter(({ from, to }) => to > from)
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} 92`}
      className="figures hidden w-full text-[12.5px] xl:block"
    >
      <line x1={0} x2={WIDTH} y1={61} y2={61} stroke="var(--ink)" />
      {bars.map(({ from, to, label, fill, ink }) => {
        const width = xOf(to) - xOf(from)
        return (
          <g key={label}>
            <rect
              x={xOf(from)}
              y={50}
              width={width}
              height={22}
              rx={2}
              fill={`var(--${fill})`}
              stroke="var(--ink)"
            />
            {width > label.length * 7 && (
              <text x={xOf(from) + width / 2} y={65} textAnchor="middle" fill={`var(--${ink})`}>
                {label}
              </text>
            )}
          </g>
        )
      })}
      {moments.map(({ atMs, name, note }, index) => (
        <g key={name}>
          <line x1={xOf(atMs)} x2={xOf(atMs)} y1={36} y2={50} stroke="var(--line-strong)" />
          <text x={places[index]} y={13} fontWeight={600} fill="var(--ink)">
            {name}
          </text>
          <text x={places[index]} y={29} fill="var(--ink-2)">
            {note}
          </text>
          <text x={xOf(atMs)} y={88} textAnchor="middle" fill="var(--ink-2)">
            {time(atMs)}
          </text>
        </g>
      ))}
    </svg>
  )
}

/** Where words begin, so that none overlaps another. */
function spread(wanted: number[]): number[] {
  const places: number[] = []
  for (const x of wanted) places.push(Math.max(x, (places.at(-1) ?? -200) + 165))
  return places
}
