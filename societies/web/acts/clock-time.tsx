import { useId } from 'react'
import { zoneTime } from '../../zone-time.ts'

/** A time of the day on the zone's clocks, 24 hours as everywhere. */
export function ClockTime(props: {
  label: string
  value: string
  onChange: (clock: string) => void
}) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="sr-only">
        {props.label}
      </label>
      <input
        id={id}
        type="time"
        className="field"
        value={props.value}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </div>
  )
}

/** 2026-03-02: today on the zone's clocks; the day after where the time is meant past midnight. */
export function dayOf(clock: string, nowMs: number, timeZone: string): string {
  const day = (ms: number) =>
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms)
  const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
  const isTomorrow = minutesOf(zoneTime(nowMs, timeZone)) - minutesOf(clock) > 12 * 60
  return day(isTomorrow ? nowMs + 24 * 3_600_000 : nowMs)
}
