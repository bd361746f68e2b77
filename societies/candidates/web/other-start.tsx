import { useAssessment } from '../../kit/web/console/console.tsx'
import { TextField, Tick } from '../../kit/web/fields.tsx'
import { zoneDay, zoneMoment, zoneName, zoneTime } from '../../kit/zone-time.ts'

/** Local time in the test's time zone: 2026-03-02 09:00. */
export type OtherTime = { from: string; until: string }

export const isWhole = (starts: OtherTime | null): boolean =>
  starts === null ||
  [starts.from, starts.until].every((text) => /^\d{4}(-\d\d){2} \d\d:\d\d$/.test(text))

/** Lets one candidate start at another time, with the same test and results (product 7.10.21). */
export function OtherStart(props: {
  name: string
  extraSeconds: number
  starts: OtherTime | null
  isFixed: boolean
  hasStarted: boolean
  onChange: (starts: OtherTime | null) => void
}) {
  const { starts, isFixed, onChange } = props
  const { opensAt, timeZone, durationSeconds } = useAssessment()
  const [day = '', from = ''] = starts?.from.split(' ') ?? []
  const until = starts?.until.split(' ')[1] ?? ''
  const put = (change: { day?: string; from?: string; until?: string }) => {
    const next = { day, from, until, ...change }
    onChange({ from: `${next.day} ${next.from}`, until: `${next.day} ${next.until}` })
  }
  const usual = opensAt ? zoneMoment(opensAt, timeZone, Date.now()) : 'any time'
  return (
    <section className="mb-6">
      <h3 className="mb-2.5">Starts at another time</h3>
      <Tick
        label={`Different start time (instead of ${usual})`}
        disabled={isFixed}
        checked={starts !== null}
        onChange={(isOn) => onChange(isOn ? { from: ' ', until: ' ' } : null)}
      />
      {starts !== null && !isFixed && (
        <div className="mt-2 flex flex-wrap items-end gap-2.5">
          <TextField
            label="Day"
            type="date"
            value={day}
            onChange={(event) => put({ day: event.target.value })}
          />
          <TextField
            label="Between"
            type="time"
            value={from}
            onChange={(event) => put({ from: event.target.value })}
          />
          <TextField
            label="and"
            type="time"
            value={until}
            onChange={(event) => put({ until: event.target.value })}
          />
        </div>
      )}
      {starts !== null && isWhole(starts) && (
        <p className="mt-2.5">
          {sentenceOf(props.name, starts, durationSeconds + props.extraSeconds)},{' '}
          {zoneName(timeZone)} time.
        </p>
      )}
      <p className="hint mt-2 text-ink-2">
        {props.hasStarted
          ? 'A candidate’s start time can’t change after they start.'
          : starts !== null &&
            'Same test, same results table. Results wait until this candidate has finished, and earlier candidates already know the questions.'}
      </p>
    </section>
  )
}

/** Calculates local times without a zone, assuming that no start falls in a clock change. */
function sentenceOf(name: string, { from, until }: OtherTime, seconds: number): string {
  const at = (text: string) => Date.parse(`${text.replace(' ', 'T')}:00Z`)
  const end = at(until) + seconds * 1_000
  const sameDay = zoneDay(end, 'UTC', Date.now()) === zoneDay(at(from), 'UTC', Date.now())
  const by = sameDay ? zoneTime(end, 'UTC') : zoneMoment(end, 'UTC', Date.now())
  return `${name} starts ${zoneDay(at(from), 'UTC', Date.now())} between ${zoneTime(at(from), 'UTC')} and ${zoneTime(at(until), 'UTC')} and finishes by ${by}`
}
