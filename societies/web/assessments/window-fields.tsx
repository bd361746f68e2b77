import type { AssessmentSettings } from '../../contract/lifecycle.ts'
import { describeDuration } from '../../minutes.ts'
import { zoneDay, zoneMoment, zoneName, zoneTime } from '../console/zone-time.ts'
import { FormField, TextField } from './form-parts.tsx'
import { inOwnZone, momentOf } from './own-zone.ts'

/** First and last moment to start, typed as local times of a zone, and what they mean. */
export function WindowFields(props: {
  settings: AssessmentSettings
  onChange: (change: Partial<AssessmentSettings>) => void
  nowMs: number
  error: string | undefined
  isFixed: boolean
}) {
  const { settings, onChange, nowMs, isFixed } = props
  const { opens, closes, timeZone } = settings
  const typed = (local: string | null) => (local ?? '').replace(' ', 'T')
  const localOf = (value: string) => (value === '' ? null : value.replace('T', ' ').slice(0, 16))
  return (
    <>
      <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-[1fr_1fr_1.2fr]">
        <TextField
          label="Opens"
          type="datetime-local"
          disabled={isFixed}
          value={typed(opens)}
          onChange={(event) => onChange({ opens: localOf(event.target.value) })}
        />
        <TextField
          label="Last moment to start"
          type="datetime-local"
          disabled={isFixed}
          value={typed(closes)}
          onChange={(event) => onChange({ closes: localOf(event.target.value) })}
          error={props.error}
        />
        <FormField label="Time zone">
          {(described) => (
            <>
              <input
                {...described}
                className="field"
                list="zones"
                disabled={isFixed}
                required
                spellCheck={false}
                autoComplete="off"
                value={timeZone}
                onChange={(event) => onChange({ timeZone: event.target.value })}
              />
              <datalist id="zones">
                {Intl.supportedValuesOf('timeZone').map((zone) => (
                  <option key={zone} value={zone} />
                ))}
              </datalist>
            </>
          )}
        </FormField>
      </div>
      <ul className="figures mt-3 max-w-[74ch] space-y-1 text-[13.5px] text-ink-2">
        {meaningOf(settings, nowMs).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  )
}

/** What the typed times mean, in both zones and for who starts last. */
function meaningOf(settings: AssessmentSettings, nowMs: number): string[] {
  const { opens, closes, timeZone, durationSeconds } = settings
  const opensMs = momentOf(opens, timeZone)
  const closesMs = momentOf(closes, timeZone)
  const never = 'The window is for starting alone: it never cuts anybody’s time.'
  if (opensMs === null && closesMs === null) {
    return ['Without times it can be started at any moment, and never closes by itself.', never]
  }
  const own = inOwnZone(opensMs, closesMs, timeZone, nowMs)
  const isOneDay =
    opensMs !== null &&
    closesMs !== null &&
    zoneDay(opensMs, timeZone, nowMs) === zoneDay(closesMs, timeZone, nowMs)
  const said = [
    opensMs === null ? null : zoneMoment(opensMs, timeZone, nowMs),
    closesMs === null
      ? null
      : isOneDay
        ? zoneTime(closesMs, timeZone)
        : zoneMoment(closesMs, timeZone, nowMs),
  ].filter((one) => one !== null)
  return [
    `${said.join(' to ')} in ${zoneName(timeZone)}${own ? ` is ${own}, where you are` : ''}.`,
    closesMs === null
      ? 'Without a last moment to start it never closes by itself.'
      : `Who starts at ${zoneTime(closesMs, timeZone)} writes until ${zoneTime(closesMs + durationSeconds * 1000, timeZone)}: everybody keeps all ${describeDuration(durationSeconds)}.`,
    never,
  ]
}
