import type { AssessmentSettings } from '../../contract/lifecycle.ts'
import { isZone, zoneName } from '../../zone-time.ts'
import { TextField } from '../kit/fields.tsx'
import { type DoubtfulWindow, isHalfTyped, localTimeOf, windowMeaning } from './window-words.ts'

/** First and last moment to start, typed as local times of a zone, and what they mean. */
export function WindowFields(props: {
  settings: AssessmentSettings
  onChange: (change: Partial<AssessmentSettings>) => void
  nowMs: number
  error: string | undefined
  /** the zone's own refusal */
  zoneError: string | undefined
  /** said beside its field; null where nothing is to be said */
  doubt: DoubtfulWindow | null
  isFixed: boolean
}) {
  const { settings, onChange, nowMs, isFixed } = props
  const { timeZone } = settings
  const timeField = (field: 'opens' | 'closes') => {
    // A change from empty to half a date is none to the browser: it is seen by the key and on leaving.
    const read = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const local = localTimeOf(currentTarget)
      if (local !== settings[field]) onChange({ [field]: local })
    }
    return {
      type: 'datetime-local',
      max: '9999-12-31T23:59',
      disabled: isFixed,
      value: (settings[field] ?? '').replace(' ', 'T'),
      onChange: read,
      onKeyUp: read,
      onBlur: read,
      hint: props.doubt?.field === field && (
        <span className="amber font-medium">{props.doubt.sentence}</span>
      ),
      error: isHalfTyped(settings[field]) ? 'Date and time are not whole yet.' : undefined,
    }
  }
  const closing = timeField('closes')
  const zoneNote = isZone(timeZone) ? `${zoneName(timeZone)} time` : ''
  return (
    <>
      <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-[1fr_1fr_1.2fr]">
        <TextField label="Opens" note={zoneNote} {...timeField('opens')} />
        <TextField
          label="Last moment to start"
          note={zoneNote}
          {...closing}
          error={closing.error ?? props.error}
        />
        <TextField
          label="Time zone"
          choices={Intl.supportedValuesOf('timeZone')}
          disabled={isFixed}
          required
          spellCheck={false}
          autoComplete="off"
          value={timeZone}
          onChange={(event) => onChange({ timeZone: event.target.value })}
          error={
            isZone(timeZone) ? props.zoneError : 'Choose a zone of the list, such as Europe/Lisbon.'
          }
        />
      </div>
      <ul className="figures mt-3 max-w-[74ch] space-y-1 text-[13.5px] text-ink-2">
        {windowMeaning(settings, nowMs).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  )
}
