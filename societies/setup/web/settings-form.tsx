import { TriangleAlert } from 'lucide-react'
import { type ChangeEvent, type FormEvent, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { MAX_MINUTES, secondsOfMinutes } from '../../kit/minutes.ts'
import {
  ChangedMeanwhile,
  changedFields,
  isStale,
  useReadForm,
} from '../../kit/web/console/changed-meanwhile.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { AreaField, TextField, Tick } from '../../kit/web/fields.tsx'
import { Section } from '../../kit/web/section.tsx'
import { Problem, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { isZone, zoneName } from '../../kit/zone-time.ts'
import * as contract from '../contract.ts'
import { STRIKES_FOR_SOCIETIES } from '../exemptions.ts'
import { doubtfulWindow, isHalfTyped, localTimeOf, windowMeaning } from './window-words.ts'

export type ReadSettings = ResponseOf<typeof contract.getSettings>
export type Extent = 'nothing' | 'after_start' | 'everything'

const LINES = [
  ['timing', 'Timing'],
  ['allowed', 'Allowed'],
  ['forbidden', 'Forbidden'],
] as const
const WINDOW_CODES = ['closes_before_opens', 'bad_time']

/** The form's values, with minutes instead of seconds and texts that may be empty. */
type Typed = contract.AssessmentSettings & { minutes: string }
const typedOf = (settings: contract.AssessmentSettings): Typed => ({
  ...settings,
  minutes: String(settings.durationSeconds / 60),
})
const isDuration = (minutes: string): boolean => (secondsOfMinutes(minutes) ?? 0) >= 60

function settingsOf({ minutes, ...typed }: Typed): contract.AssessmentSettings {
  const lines = LINES.map(([field]) => [
    field,
    typed[field].map((line) => line.trim()).filter(Boolean),
  ])
  const durationSeconds = secondsOfMinutes(minutes) ?? typed.durationSeconds
  return { ...typed, durationSeconds, ...Object.fromEntries(lines) }
}

function useSettings(props: { read: ReadSettings; extent: Extent; nowMs: number }) {
  const { extent, nowMs } = props
  const { isDraft } = props.read
  const params = usePlace()
  const { candidateCount } = useAssessment()
  const {
    read: loaded,
    typed,
    setTyped,
    show,
    reload,
  } = useReadForm(
    props.read,
    ({ settings }) => typedOf(settings),
    endpointQuery(contract.getSettings, { params }),
    (now) => now,
  )
  const mine = settingsOf(typed)
  const fields = changedFields(loaded.settings, mine)
  const save = useAct(
    () => {
      const change = Object.fromEntries(fields.map((field) => [field, mine[field]]))
      const endpoint =
        extent === 'after_start' ? contract.changeSettingsAfterStart : contract.changeSettings
      return call(endpoint, { params, body: { version: loaded.version, change } })
    },
    (saved) => {
      show(saved)
      toast.success('Saved')
    },
  )
  const change = (some: Partial<Typed>) => {
    // A message about the previous values is outdated.
    toast.outdateSuccess()
    if (save.failure && !isStale(save.failure)) save.reset()
    setTyped({ ...typed, ...some })
  }
  const refusalOf = (...codes: string[]) =>
    save.failure instanceof ApiFailure && codes.includes(save.failure.code)
      ? save.failure.message
      : undefined
  const isWindowMoved = fields.some((one) => ['opens', 'closes', 'timeZone'].includes(one))
  const doubt = doubtfulWindow(mine, candidateCount, nowMs)
  const isWhole = isZone(mine.timeZone) && !isHalfTyped(mine.opens) && !isHalfTyped(mine.closes)
  return {
    ...{ typed, mine, change, setTyped, save, reload, refusalOf, nowMs, doubt, isDraft },
    count: fields.length,
    isReady: fields.length > 0 && isDuration(typed.minutes) && isWhole,
    /** Only window, season and contact can change, or nothing. */
    isFixed: extent !== 'everything',
    isShut: extent === 'nothing',
    waiting: isWindowMoved ? props.read.waitingCount : 0,
    isDoubtful: doubt !== null && isWindowMoved && !isDraft,
  }
}
type Form = ReturnType<typeof useSettings>

export function SettingsForm(props: { read: ReadSettings; extent: Extent; nowMs: number }) {
  const form = useSettings(props)
  const { save, waiting, doubt, isReady, count, refusalOf } = form
  const [isAsking, setIsAsking] = useState(false)

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isReady) return
    if (form.isDoubtful) setIsAsking(true)
    else save.run()
  }

  return (
    <form onSubmit={submit} className="max-w-[860px]">
      <ChangedMeanwhile
        save={save}
        typed={form.typed}
        onReload={form.reload}
        onPutBack={form.setTyped}
      />
      <SettingsFields {...form} />
      {!form.isShut && (
        <div className="mt-8">
          {waiting > 0 && (
            <p className="warning mb-4 max-w-[70ch]" role="status">
              <TriangleAlert size={17} aria-hidden />
              <span>
                <b className="font-semibold">
                  {countOf(waiting, 'candidate has', 'candidates have')} signed in and not started.
                </b>{' '}
                Ask them to reload. Until then, their page counts down to the old opening time.
              </span>
            </p>
          )}
          <button type="submit" className="btn" aria-disabled={!isReady || save.isBusy}>
            {save.isBusy
              ? 'Saving…'
              : count === 0
                ? 'Nothing changed'
                : `Save ${countOf(count, 'change')}${waiting > 0 ? `, with ${waiting} waiting` : ''}`}
          </button>
          {isAsking && doubt && (
            <DialogFrame
              title={doubt.title}
              text={doubt.meaning}
              button={[doubt.button, 'Saving…']}
              problem={null}
              isBusy={false}
              onAct={() => {
                setIsAsking(false)
                save.run()
              }}
              onClose={() => setIsAsking(false)}
            />
          )}
          <p className="mt-3">
            <Problem
              text={refusalOf(...WINDOW_CODES, 'zone_unknown', 'stale') ? null : save.problem}
            />
          </p>
        </div>
      )}
    </form>
  )
}

const PART = 'mt-9 first:mt-0 [&>.head]:mb-4'
const COLUMNS = 'grid gap-x-5 gap-y-4.5 sm:grid-cols-3'

function SettingsFields(form: Form) {
  const { typed, change, isFixed, isShut } = form
  const optional = (
    field: 'session' | 'season' | 'contact',
    maxLength: number,
    isOff: boolean,
  ) => ({
    note: 'optional',
    maxLength,
    disabled: isOff,
    value: typed[field] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      change({ [field]: event.target.value || null }),
  })
  return (
    <>
      <Section className={PART} title="Name">
        <div className={COLUMNS}>
          <TextField
            label="Name shown to candidates"
            required
            maxLength={80}
            disabled={isFixed}
            value={typed.society}
            onChange={(event) => change({ society: event.target.value })}
          />
          <TextField label="Session" {...optional('session', 60, isFixed)} />
          <TextField label="Season" {...optional('season', 60, isShut)} />
        </div>
      </Section>
      <Section className={PART} title="Time">
        <TextField
          className="mb-4.5 max-w-44"
          label="Duration, minutes"
          inputMode="decimal"
          required
          disabled={isFixed}
          value={typed.minutes}
          onChange={(event) => change({ minutes: event.target.value })}
          error={isDuration(typed.minutes) ? undefined : `From 1 to ${MAX_MINUTES}, such as 30.`}
        />
        <WindowFields {...form} />
      </Section>
      <Section className={PART} title="Paper">
        <Tick
          label="Shuffle the questions for each candidate"
          checked={typed.shuffle}
          disabled={isFixed}
          onChange={(shuffle) => change({ shuffle })}
        />
        <Tick
          label="Candidates can jump to any question"
          checked={typed.navigator}
          disabled={isFixed}
          onChange={(navigator) => change({ navigator })}
        />
      </Section>
      <Section className={PART} title="Rules">
        <p className="hint mb-4">One per line. Candidates read them before they start.</p>
        <p className="mb-4 max-w-[74ch]">{STRIKES_FOR_SOCIETIES}</p>
        <div className={COLUMNS}>
          {LINES.map(([field, label]) => (
            <AreaField
              key={field}
              label={label}
              rows={4}
              disabled={isFixed}
              value={typed[field].join('\n')}
              onChange={(text) => change({ [field]: text.split('\n') })}
            />
          ))}
        </div>
        <TextField
          {...optional('contact', 200, isShut)}
          className="mt-4.5 max-w-md"
          label="Contact"
          hint="Shown to candidates on the test screen."
        />
      </Section>
    </>
  )
}

/** The first and last moment to start, typed as local times in a zone, and their meaning. */
function WindowFields({ typed, mine, change, isShut, nowMs, refusalOf, doubt, isDraft }: Form) {
  const { timeZone } = typed
  const timeField = (field: 'opens' | 'closes') => {
    // Browsers fire no change event for a half-typed date in an empty field, so key and blur events are used.
    const read = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
      const local = localTimeOf(currentTarget)
      if (local !== typed[field]) change({ [field]: local })
    }
    return {
      type: 'datetime-local',
      max: '9999-12-31T23:59',
      disabled: isShut,
      value: (typed[field] ?? '').replace(' ', 'T'),
      onChange: read,
      onKeyUp: read,
      onBlur: read,
      note: isZone(timeZone) ? `${zoneName(timeZone)} time` : '',
      hint: isDraft && doubt?.field === field && (
        <span className="amber font-medium">{doubt.sentence}</span>
      ),
      error: isHalfTyped(typed[field])
        ? 'Enter both date and time.'
        : field === 'closes' && refusalOf(...WINDOW_CODES),
    }
  }
  return (
    <>
      <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-[1fr_1fr_1.2fr]">
        <TextField label="Opens" {...timeField('opens')} />
        <TextField label="Start deadline" {...timeField('closes')} />
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
              ? refusalOf('zone_unknown')
              : 'Choose a zone from the list, such as Europe/Lisbon.'
          }
        />
      </div>
      <ul className="figures mt-3 max-w-[74ch] space-y-1 text-[13.5px] text-ink-2">
        {windowMeaning(mine, nowMs).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
        <li>The window limits only when candidates can start. They always get their full time.</li>
      </ul>
    </>
  )
}
