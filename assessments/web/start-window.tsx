import { deviceTimeZone } from '../../platform/web/dates.ts'
import { momentText } from './attempt/window-times.ts'
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

/** One moment, in the society's zone and below it in the reader's. */
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
