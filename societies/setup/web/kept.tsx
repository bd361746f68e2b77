import { useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { nameOfAssessment, useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { endOfDay, lastDay } from '../../kit/web/own-zone.ts'
import { Section } from '../../kit/web/section.tsx'
import { ActButton, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneDay } from '../../kit/zone-time.ts'
import { setKeepUntil } from '../contract.ts'
import type { ReadSettings } from './checklist-links.tsx'

type Kept = NonNullable<ReadSettings['kept']>

/** Until when answers and names are kept; amber once owners were notified. */
export function KeptLine(props: { kept: Kept; timeZone: string; nowMs: number }) {
  const { until, warnedAt } = props.kept
  if (until === null) return null
  return (
    <span className={warnedAt ? 'amber font-semibold' : ''}>
      Answers and names are deleted on {zoneDay(until, props.timeZone, props.nowMs)}.
    </span>
  )
}

/** The same with where the day comes from, and for owners a dialog to change it (product 7.21.1). */
export function KeptSection({ kept, nowMs }: { kept: Kept; nowMs: number }) {
  const { may } = useSociety()
  const assessment = useAssessment()
  const { timeZone } = assessment
  const place = usePlace()
  const [isAsking, setIsAsking] = useState(false)
  const close = () => setIsAsking(false)
  const reset = useAct(
    () => call(setKeepUntil, { params: place, body: { keepUntil: null } }),
    close,
  )
  const { until, hasOwnDay, warnedAt } = kept
  return (
    <Section title="Answers and names" className="mt-14 max-w-[860px]">
      <p className="mt-4 max-w-[70ch] text-ink-2">
        <KeptLine kept={kept} timeZone={timeZone} nowMs={nowMs} />
        {until === null &&
          'The test has no last moment to start, so they are kept until an owner deletes it.'}
        {hasOwnDay
          ? ' This test has its own day.'
          : until !== null && ' The society’s settings decide the day.'}
        {warnedAt && ` Owners were notified on ${zoneDay(warnedAt, timeZone, nowMs)}.`}
        {until !== null && ' Numbers without names and the log stay.'}
      </p>
      {may('edit_society') && (
        <button type="button" className="btn btn-ghost mt-4" onClick={() => setIsAsking(true)}>
          Change the day…
        </button>
      )}
      {isAsking && (
        <ActionDialog
          title={`Until when ${nameOfAssessment(assessment)} is kept`}
          endpoint={setKeepUntil}
          input={{ params: place }}
          fields={{
            day: {
              kind: 'date',
              label: 'Last day of answers and names',
              hint: 'At least 14 days from now, so that all owners are notified first. Keep them as long as appeals are possible.',
              start: until ? lastDay(until, timeZone) : '',
              isNeeded: true,
              wrong: 'Choose a day.',
            },
          }}
          bodyOf={({ day }) => ({ keepUntil: endOfDay(String(day), timeZone).toISOString() })}
          button={['Keep until this day', 'Saving…']}
          more={
            hasOwnDay && (
              <ActButton act={reset} busy="Saving…">
                Use the society’s setting
              </ActButton>
            )
          }
          onClose={close}
        />
      )}
    </Section>
  )
}
