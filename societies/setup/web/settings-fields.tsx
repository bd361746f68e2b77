import { type ChangeEvent, useState } from 'react'
import { MAX_MINUTES, secondsOfMinutes } from '../../kit/minutes.ts'
import { AreaField, TextField, Tick } from '../../kit/web/fields.tsx'
import { Section } from '../../kit/web/section.tsx'
import { isZone, zoneName } from '../../kit/zone-time.ts'
import type { AssessmentSettings } from '../contract.ts'
import { STRIKES_FOR_SOCIETIES } from '../exemptions.ts'
import { type DoubtfulWindow, isHalfTyped, localTimeOf, windowMeaning } from './window-words.ts'

/** What may be changed: nothing, what may change after the first start, or everything. */
export type Extent = 'nothing' | 'after_start' | 'everything'

interface FieldsProps {
  settings: AssessmentSettings
  change: (some: Partial<AssessmentSettings>) => void
  extent: Extent
  /** the duration as it is typed */
  minutes: string
  onMinutes: (minutes: string) => void
  nowMs: number
  /** the server's refusals of window and zone */
  windowError: string | undefined
  zoneError: string | undefined
  /** shown at its field; null where there is none */
  doubt: DoubtfulWindow | null
}

export const isDuration = (minutes: string): boolean => (secondsOfMinutes(minutes) ?? 0) >= 60

const PART = 'mt-9 first:mt-0 [&>.head]:mb-4'

const RULES = [
  ['timing', 'On timing'],
  ['allowed', 'Allowed'],
  ['forbidden', 'Forbidden'],
] as const

/** Name, time, paper and rules of an assessment. */
export function SettingsFields(props: FieldsProps) {
  const { settings, change, extent, minutes } = props
  const isFixed = extent !== 'everything'
  const isShut = extent === 'nothing'
  /** an optional text */
  const text = (field: 'session' | 'season' | 'contact', maxLength: number, isOff: boolean) => ({
    note: 'optional',
    maxLength,
    disabled: isOff,
    value: settings[field] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      change({ [field]: event.target.value || null }),
  })
  return (
    <>
      <Section className={PART} title="Name">
        <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-3">
          <TextField
            label="Name that candidates read"
            required
            maxLength={80}
            disabled={isFixed}
            value={settings.society}
            onChange={(event) => change({ society: event.target.value })}
          />
          <TextField label="Session" {...text('session', 60, isFixed)} />
          <TextField label="Season" {...text('season', 60, isShut)} />
        </div>
      </Section>
      <Section className={PART} title="Time">
        <TextField
          className="mb-4.5 max-w-44"
          label="Duration, minutes"
          inputMode="decimal"
          required
          disabled={isFixed}
          value={minutes}
          onChange={(event) => props.onMinutes(event.target.value)}
          error={isDuration(minutes) ? undefined : `From 1 to ${MAX_MINUTES}, such as 30.`}
        />
        <WindowFields {...props} />
      </Section>
      <Section className={PART} title="Paper">
        <Tick
          label="Each candidate has an order of questions of their own"
          checked={settings.shuffle}
          disabled={isFixed}
          onChange={(shuffle) => change({ shuffle })}
        />
        <Tick
          label="A navigator leads to any question"
          checked={settings.navigator}
          disabled={isFixed}
          onChange={(navigator) => change({ navigator })}
        />
      </Section>
      <Section className={PART} title="Rules">
        <p className="hint mb-4">One per line. Candidates read them before they start.</p>
        <p className="mb-4 max-w-[74ch]">{STRIKES_FOR_SOCIETIES}</p>
        <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-3">
          {RULES.map(([field, label]) => (
            <Lines
              key={field}
              label={label}
              lines={settings[field]}
              isFixed={isFixed}
              onChange={(lines) => change({ [field]: lines })}
            />
          ))}
        </div>
        <TextField
          {...text('contact', 200, isShut)}
          className="mt-4.5 max-w-md"
          label="Contact"
          hint="Shown to candidates on the test screen."
        />
      </Section>
    </>
  )
}

/** First and last moment to start, typed as local times of a zone, and what they mean. */
function WindowFields(props: FieldsProps) {
  const { settings, change, nowMs } = props
  const isShut = props.extent === 'nothing'
  const { timeZone } = settings
  const timeField = (field: 'opens' | 'closes') => {
    // A change from empty to half a date is none to the browser: it is seen by the key and on leaving.
    const read = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const local = localTimeOf(currentTarget)
      if (local !== settings[field]) change({ [field]: local })
    }
    return {
      type: 'datetime-local',
      max: '9999-12-31T23:59',
      disabled: isShut,
      value: (settings[field] ?? '').replace(' ', 'T'),
      onChange: read,
      onKeyUp: read,
      onBlur: read,
      hint: props.doubt?.field === field && (
        <span className="amber font-medium">{props.doubt.sentence}</span>
      ),
      error: isHalfTyped(settings[field]) ? 'Enter both date and time.' : undefined,
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
          error={closing.error ?? props.windowError}
        />
        <TextField
          label="Time zone"
          choices={Intl.supportedValuesOf('timeZone')}
          disabled={isShut}
          required
          spellCheck={false}
          autoComplete="off"
          value={timeZone}
          onChange={(event) => change({ timeZone: event.target.value })}
          error={
            isZone(timeZone)
              ? props.zoneError
              : 'Choose a zone from the list, such as Europe/Lisbon.'
          }
        />
      </div>
      <ul className="figures mt-3 max-w-[74ch] space-y-1 text-[13.5px] text-ink-2">
        {windowMeaning(settings, nowMs).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>The window is only for starting: it never cuts anybody’s time.</li>
      </ul>
    </>
  )
}

function Lines(props: {
  label: string
  lines: string[]
  isFixed: boolean
  onChange: (lines: string[]) => void
}) {
  const [text, setText] = useState(props.lines.join('\n'))
  const linesOf = (written: string) =>
    written
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
  // Other lines were put in meanwhile.
  if (linesOf(text).join('\n') !== props.lines.join('\n')) setText(props.lines.join('\n'))
  return (
    <AreaField
      label={props.label}
      rows={4}
      disabled={props.isFixed}
      value={text}
      onChange={(written) => {
        setText(written)
        props.onChange(linesOf(written))
      }}
    />
  )
}
