import { useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import {
  type AssessmentSettings,
  changeSettings,
  changeSettingsAfterStart,
  getSettings,
} from '../../contract/lifecycle.ts'
import { STRIKES_FOR_SOCIETIES } from '../../exemptions.ts'
import { MAX_MINUTES, secondsOfMinutes } from '../../minutes.ts'
import { isZone } from '../../zone-time.ts'
import { changedFields } from '../console/changed-fields.ts'
import { ChangedMeanwhile, isStale } from '../console/changed-meanwhile.tsx'
import { useAssessment } from '../console/console.tsx'
import { DialogFrame } from '../kit/dialog-frame.tsx'
import { AreaField, TextField, Tick } from '../kit/fields.tsx'
import { Problem, useAct, usePlace } from '../kit/use-act.tsx'
import type { ReadSettings } from './checklist-links.ts'
import { WindowFields } from './window-fields.tsx'
import { doubtfulWindow, isHalfTyped } from './window-words.ts'

/** What may be changed: nothing, what may change after the first start, or everything. */
export type Extent = 'nothing' | 'after_start' | 'everything'

interface Loaded {
  version: number
  settings: AssessmentSettings
}

/** The settings in a form (product 7.8.6). */
export function SettingsForm(props: { read: ReadSettings; extent: Extent; nowMs: number }) {
  const { extent, nowMs } = props
  const client = useQueryClient()
  const place = usePlace()
  const { candidateCount } = useAssessment()
  // What this form began with: a save names its version.
  const [loaded, setLoaded] = useState<Loaded>(props.read)
  const [mine, setMine] = useState(props.read.settings)
  const [minutes, setMinutes] = useState(String(props.read.settings.durationSeconds / 60))
  const [isAsking, setIsAsking] = useState(false)

  const put = (settings: AssessmentSettings) => {
    setMine(settings)
    setMinutes(String(settings.durationSeconds / 60))
  }
  const show = (next: Loaded) => {
    setLoaded(next)
    put(next.settings)
  }
  const fields = changedFields(loaded.settings, mine)
  const save = useAct(
    () =>
      call(extent === 'after_start' ? changeSettingsAfterStart : changeSettings, {
        params: place,
        body: {
          version: loaded.version,
          change: Object.fromEntries(fields.map((field) => [field, mine[field]])),
        },
      }),
    (saved) => {
      show(saved)
      toast.success('Saved')
    },
  )

  const change = (some: Partial<AssessmentSettings>) => {
    // What was said of the old values, good or bad, holds no more.
    toast.outdateSuccess()
    if (save.failure && !isStale(save.failure)) save.reset()
    setMine({ ...mine, ...some })
  }
  const isFixed = extent !== 'everything'
  const isShut = extent === 'nothing'
  const seconds = secondsOfMinutes(minutes)
  const isDurationWrong = seconds === null || seconds < 60
  const isWindowMoved = fields.some((one) => ['opens', 'closes', 'timeZone'].includes(one))
  const waiting = isWindowMoved ? props.read.waitingCount : 0
  const refusal = save.failure instanceof ApiFailure ? save.failure : null
  const isAboutWindow = ['closes_before_opens', 'bad_time'].includes(refusal?.code ?? '')
  const isAboutZone = refusal?.code === 'zone_unknown'
  const isWindowWrong =
    !isZone(mine.timeZone) || isHalfTyped(mine.opens) || isHalfTyped(mine.closes)
  const doubt = doubtfulWindow(mine, candidateCount, nowMs)
  const isReady = fields.length > 0 && !isDurationWrong && !isWindowWrong

  function submit(event: FormEvent): void {
    event.preventDefault()
    if (!isReady) return
    if (doubt && isWindowMoved && !props.read.isDraft) setIsAsking(true)
    else save.run()
  }

  return (
    <form onSubmit={submit} className="max-w-[860px]">
      <ChangedMeanwhile
        error={save.failure}
        typed={mine}
        onReload={async () => {
          const now = endpointQuery(getSettings, { params: place })
          show(await client.fetchQuery({ ...now, staleTime: 0 }))
          save.reset()
        }}
        onPutBack={put}
      />
      <Part title="Name">
        <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-3">
          <TextField
            label="Name that candidates read"
            required
            maxLength={80}
            disabled={isFixed}
            value={mine.society}
            onChange={(event) => change({ society: event.target.value })}
          />
          <TextField
            label="Session"
            note="optional"
            maxLength={60}
            disabled={isFixed}
            value={mine.session ?? ''}
            onChange={(event) => change({ session: event.target.value || null })}
          />
          <TextField
            label="Season"
            note="optional"
            maxLength={60}
            disabled={isShut}
            value={mine.season ?? ''}
            onChange={(event) => change({ season: event.target.value || null })}
          />
        </div>
      </Part>
      <Part title="Time">
        <TextField
          className="mb-4.5 max-w-44"
          label="Duration, minutes"
          inputMode="decimal"
          required
          disabled={isFixed}
          value={minutes}
          onChange={(event) => {
            setMinutes(event.target.value)
            const typed = secondsOfMinutes(event.target.value)
            if (typed !== null) change({ durationSeconds: typed })
          }}
          error={isDurationWrong ? `From 1 to ${MAX_MINUTES}, such as 30.` : undefined}
        />
        <WindowFields
          settings={mine}
          onChange={change}
          nowMs={nowMs}
          isFixed={isShut}
          error={isAboutWindow ? refusal?.message : undefined}
          zoneError={isAboutZone ? refusal?.message : undefined}
          doubt={props.read.isDraft ? doubt : null}
        />
      </Part>
      <Part title="Paper">
        <Tick
          label="Each candidate has an order of questions of their own"
          checked={mine.shuffle}
          disabled={isFixed}
          onChange={(shuffle) => change({ shuffle })}
        />
        <Tick
          label="A navigator leads to any question"
          checked={mine.navigator}
          disabled={isFixed}
          onChange={(navigator) => change({ navigator })}
        />
      </Part>
      <Part title="Rules">
        <p className="hint mb-4">A line each. Candidates read them before they start.</p>
        <p className="mb-4 max-w-[74ch]">{STRIKES_FOR_SOCIETIES}</p>
        <div className="grid gap-x-5 gap-y-4.5 sm:grid-cols-3">
          {(['timing', 'allowed', 'forbidden'] as const).map((field) => (
            <Lines
              key={field}
              label={{ timing: 'On timing', allowed: 'Allowed', forbidden: 'Forbidden' }[field]}
              lines={mine[field]}
              isFixed={isFixed}
              onChange={(lines) => change({ [field]: lines })}
            />
          ))}
        </div>
        <TextField
          className="mt-4.5 max-w-md"
          label="Contact"
          note="optional"
          maxLength={200}
          disabled={isShut}
          value={mine.contact ?? ''}
          onChange={(event) => change({ contact: event.target.value || null })}
          hint="Whom candidates ask; it stands on the test screen."
        />
      </Part>
      {!isShut && (
        <div className="mt-8">
          {waiting > 0 && (
            <p className="warning mb-4 max-w-[70ch]" role="status">
              <TriangleAlert size={17} aria-hidden />
              <span>
                <b className="font-semibold">
                  {countOf(waiting, 'candidate has', 'candidates have')} signed in and not started.
                </b>{' '}
                A page that waits counts down to the old opening until it is loaded again, so tell
                them.
              </span>
            </p>
          )}
          <button type="submit" className="btn" aria-disabled={!isReady || save.isBusy}>
            {save.isBusy
              ? 'Saving…'
              : fields.length === 0
                ? 'Nothing changed'
                : `Save ${countOf(fields.length, 'change')}${waiting > 0 ? `, ${waiting} waiting` : ''}`}
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
              text={isAboutWindow || isAboutZone || isStale(save.failure) ? null : save.problem}
            />
          </p>
        </div>
      )}
    </form>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-9 first:mt-0">
      <div className="head mb-4">
        <h2>{title}</h2>
      </div>
      {children}
    </section>
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
