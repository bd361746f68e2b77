import { formatMinutes } from '../../platform/durations.ts'
import { deviceTimeZone } from '../../platform/web/dates.ts'
import type { Process } from './queries.ts'

/** When a process opens and closes, by the society's clock and by the reader's. */
export function ProcessWindow({
  process,
}: {
  process: Pick<Process, 'opensAt' | 'closesAt' | 'timeZone'>
}) {
  const { opensAt, closesAt, timeZone } = process
  if (!opensAt && !closesAt) return null
  return (
    <dl className="mt-3 grid grid-cols-[auto_1fr] gap-x-3 gap-y-2 text-[14px]">
      {opensAt && <Moment label="Opens" iso={opensAt} timeZone={timeZone} />}
      {closesAt && <Moment label="Last start" iso={closesAt} timeZone={timeZone} />}
    </dl>
  )
}

function Moment(props: { label: string; iso: string; timeZone: string }) {
  return (
    <>
      <dt className="text-ink-2">{props.label}</dt>
      <dd>
        <MomentIn iso={props.iso} timeZone={props.timeZone} />
      </dd>
    </>
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

/** One moment as a society and a reader read it off their own clocks. */
interface MomentText {
  /** 'Monday, March 2, 2026 at 9:00 AM' in the society's zone */
  there: string
  /** 'Lisbon time' */
  zoneName: string
  /** the same for the reader; null where both clocks show the same */
  here: string | null
}

function format(iso: string, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone,
  }).format(new Date(iso))
}

/** 'Europe/Lisbon' → 'Lisbon time', 'UTC' → 'UTC' */
function zoneNameOf(timeZone: string): string {
  const city = timeZone.split('/').at(-1) ?? timeZone
  return timeZone.includes('/') ? `${city.replaceAll('_', ' ')} time` : timeZone
}

export function momentText(iso: string, timeZone: string, localZone: string): MomentText {
  const there = format(iso, timeZone)
  const here = format(iso, localZone)
  return { there, zoneName: zoneNameOf(timeZone), here: here === there ? null : here }
}

/** '2 d 03:04:05', '03:04:05' or '04:05' */
export function countdownText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor((seconds % 86_400) / 3_600)]
  const rest = formatMinutes((seconds % 3_600) * 1000)
  if (days > 0) return `${days} d ${two(hours)}:${rest}`
  return hours > 0 ? `${two(hours)}:${rest}` : rest
}
