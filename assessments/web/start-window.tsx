import { Fragment, useEffect, useState } from 'react'
import { formatMinutes } from '../../platform/durations.ts'
import { deviceTimeZone } from '../../platform/web/dates.ts'
import type { Process } from './queries.ts'

type Windowed = { process: Pick<Process, 'opensAt' | 'closesAt' | 'timeZone'> }

/** When a process opens and closes, in the society's and the reader's time zones. */
export function ProcessWindow({ process }: Windowed) {
  if (!process.opensAt && !process.closesAt) return null
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-3 gap-y-2 text-[14px]">
      <WindowFacts process={process} />
    </dl>
  )
}

/** The same moments as rows of a definition list. */
export function WindowFacts({ process: { opensAt, closesAt, timeZone } }: Windowed) {
  const moments = [['Opens', opensAt] as const, ['Last start', closesAt] as const]
  return moments.map(
    ([name, iso]) =>
      iso && (
        <Fragment key={name}>
          <dt className="text-ink-2">{name}</dt>
          <dd>
            <MomentIn iso={iso} timeZone={timeZone} />
          </dd>
        </Fragment>
      ),
  )
}

export function MomentIn({ iso, timeZone }: { iso: string; timeZone: string }) {
  const { there, zoneName, here } = momentText(iso, timeZone, deviceTimeZone())
  return (
    <>
      <time dateTime={iso}>
        {there}, {zoneName}
      </time>
      <span className="block text-ink-2">{here ? `${here}, your time` : 'also your time'}</span>
    </>
  )
}

/** One moment in the society's and the reader's time zones. */
interface MomentText {
  /** 'Monday, March 2, 2026 at 9:00 AM' in the society's zone. */
  there: string
  /** 'Lisbon time'. */
  zoneName: string
  /** The reader's time. Null if both clocks show the same. */
  here: string | null
}

function format(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone,
  }).format(new Date(iso))
}

/** Formats 'Europe/Lisbon' as 'Lisbon time', and 'UTC' as 'UTC'. */
function zoneNameOf(timeZone: string): string {
  const city = timeZone.split('/').at(-1) ?? timeZone
  return timeZone.includes('/') ? `${city.replaceAll('_', ' ')} time` : timeZone
}

export function momentText(iso: string, timeZone: string, localZone: string): MomentText {
  const there = format(iso, timeZone)
  const here = format(iso, localZone)
  return { there, zoneName: zoneNameOf(timeZone), here: here === there ? null : here }
}

/** The milliseconds left of a time in a response, counted down by the monotonic clock. */
export function useCountdown(answer: object, leftMs: number): number {
  const [began, setBegan] = useState(() => ({ answer, leftMs, atMs: performance.now() }))
  const [nowMs, setNowMs] = useState(() => performance.now())
  // A new response restarts the countdown.
  if (began.answer !== answer) setBegan({ answer, leftMs, atMs: performance.now() })
  useEffect(() => {
    const timer = setInterval(() => setNowMs(performance.now()), 250)
    return () => clearInterval(timer)
  }, [])
  return began.leftMs - (nowMs - began.atMs)
}

/** Formats '2 d 03:04:05', '03:04:05' or '04:05'. */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3_600)]
  const rest = formatMinutes((seconds % 3_600) * 1000)
  if (days > 0) return `${days} d ${two(hours)}:${rest}`
  return hours > 0 ? `${two(hours)}:${rest}` : rest
}
