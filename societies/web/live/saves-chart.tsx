import { holesIn, holeWords } from '../../day/saves.ts'
import { zoneSecond, zoneTime } from '../../zone-time.ts'

const HEIGHT = 42

/** Saves a minute: a dead network, or an alarm, is a hole across the room (product 7.14.6). */
export function SavesChart(props: {
  savesPerMinute: readonly number[]
  takenMs: number
  timeZone: string
}) {
  const { savesPerMinute, takenMs, timeZone } = props
  const most = Math.max(...savesPerMinute, 1)
  const holes = holesIn(savesPerMinute)
  const last = savesPerMinute.at(-2) ?? 0
  const minuteMs = (at: number) =>
    Math.floor(takenMs / 60_000) * 60_000 - (savesPerMinute.length - 1 - at) * 60_000
  const isHole = (at: number) => holes.some(({ from, to }) => at >= from && at <= to)
  const hole = holes.at(-1)
  const words = hole
    ? `${holeWords(hole)} ${zoneTime(minuteMs(hole.from), timeZone)} to ${zoneTime(minuteMs(hole.to + 1), timeZone)}`
    : null
  return (
    <figure>
      <figcaption className="flex flex-wrap gap-x-2.5 text-[13.5px]">
        <span>
          <b className="font-semibold">{last}</b> saves in the last full minute
        </span>
        {words && <span className="amber font-medium text-[12.5px]">{words}</span>}
        <span className="hint figures ml-auto max-md:hidden">
          updated {zoneSecond(takenMs, timeZone)}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 300 ${HEIGHT + 2}`}
        preserveAspectRatio="none"
        className="mt-1.5 block h-11 w-full"
        aria-hidden
      >
        <line
          x1="0"
          x2="300"
          y1="0.5"
          y2="0.5"
          stroke="var(--line)"
          vectorEffect="non-scaling-stroke"
        />
        {savesPerMinute.map((count, at) => (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its minute's place
            key={at}
            x={at * 10 + 1.5}
            width="6"
            y={HEIGHT - (count / most) * HEIGHT}
            height={(count / most) * HEIGHT}
            fill={isHole(at) ? 'var(--mid)' : 'var(--ink)'}
            opacity={at === savesPerMinute.length - 1 ? 0.45 : 1}
          />
        ))}
        {/* Where nothing was saved at all there is no bar to colour. */}
        {savesPerMinute.map((count, at) =>
          isHole(at) && count === 0 ? (
            <rect
              // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its minute's place
              key={at}
              x={at * 10 + 1.5}
              width="6"
              y={HEIGHT - 3}
              height="3"
              fill="var(--mid)"
            />
          ) : null,
        )}
        <line
          x1="0"
          x2="300"
          y1={HEIGHT + 0.5}
          y2={HEIGHT + 0.5}
          stroke="var(--ink)"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <p className="figures flex justify-between text-[12px] text-ink-2" aria-hidden>
        {[0, 10, 20, savesPerMinute.length - 1].map((at) => (
          <span key={at}>{zoneTime(minuteMs(at), timeZone)}</span>
        ))}
      </p>
    </figure>
  )
}
