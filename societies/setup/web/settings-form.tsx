import { useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { ApiFailure, call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { secondsOfMinutes } from '../../kit/minutes.ts'
import {
  changedFields,
  ChangedMeanwhile,
  isStale,
} from '../../kit/web/console/changed-meanwhile.tsx'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { Problem, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { isZone } from '../../kit/zone-time.ts'
import {
  type AssessmentSettings,
  changeSettings,
  changeSettingsAfterStart,
  getSettings,
} from '../contract.ts'
import type { ReadSettings } from './checklist-links.tsx'
import { type Extent, isDuration, SettingsFields } from './settings-fields.tsx'
import { doubtfulWindow, isHalfTyped } from './window-words.ts'

type Saved = Pick<ReadSettings, 'version' | 'settings'>

/** The settings in a form (product 7.8.6). */
export function SettingsForm(props: { read: ReadSettings; extent: Extent; nowMs: number }) {
  const { extent, nowMs } = props
  const client = useQueryClient()
  const place = usePlace()
  const { candidateCount } = useAssessment()
  // What this form began with: a save names its version.
  const [loaded, setLoaded] = useState<Saved>(props.read)
  const [mine, setMine] = useState(props.read.settings)
  const [minutes, setMinutes] = useState(String(props.read.settings.durationSeconds / 60))
  const [isAsking, setIsAsking] = useState(false)

  const put = (settings: AssessmentSettings) => {
    setMine(settings)
    setMinutes(String(settings.durationSeconds / 60))
  }
  const show = (next: Saved) => {
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
    // A message about the old values is outdated.
    toast.outdateSuccess()
    if (save.failure && !isStale(save.failure)) save.reset()
    setMine({ ...mine, ...some })
  }
  const isWindowMoved = fields.some((one) => ['opens', 'closes', 'timeZone'].includes(one))
  const waiting = isWindowMoved ? props.read.waitingCount : 0
  const refusal = save.failure instanceof ApiFailure ? save.failure : null
  const isAboutWindow = ['closes_before_opens', 'bad_time'].includes(refusal?.code ?? '')
  const isAboutZone = refusal?.code === 'zone_unknown'
  const doubt = doubtfulWindow(mine, candidateCount, nowMs)
  const isWhole = isZone(mine.timeZone) && !isHalfTyped(mine.opens) && !isHalfTyped(mine.closes)
  const isReady = fields.length > 0 && isDuration(minutes) && isWhole

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
      <SettingsFields
        settings={mine}
        change={change}
        extent={extent}
        minutes={minutes}
        onMinutes={(typed) => {
          setMinutes(typed)
          const seconds = secondsOfMinutes(typed)
          if (seconds !== null) change({ durationSeconds: seconds })
        }}
        nowMs={nowMs}
        windowError={isAboutWindow ? refusal?.message : undefined}
        zoneError={isAboutZone ? refusal?.message : undefined}
        doubt={props.read.isDraft ? doubt : null}
      />
      {extent !== 'nothing' && (
        <div className="mt-8">
          {waiting > 0 && (
            <p className="warning mb-4 max-w-[70ch]" role="status">
              <TriangleAlert size={17} aria-hidden />
              <span>
                <b className="font-semibold">
                  {countOf(waiting, 'candidate has', 'candidates have')} signed in and not started.
                </b>{' '}
                Tell them to reload: until then, their page counts down to the old opening.
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
