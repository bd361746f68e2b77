import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { societyUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { endpointKey, useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { getSocietyAssessment } from '../../kit/contract.ts'
import { ActionDialog, AskButton } from '../../kit/web/ask.tsx'
import { nameOfAssessment, useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { Loaded } from '../../kit/web/loaded.tsx'
import { endOfDay, lastDay } from '../../kit/web/own-zone.ts'
import { Section, Top } from '../../kit/web/section.tsx'
import { ActButton, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneDay, zoneMoment } from '../../kit/zone-time.ts'
import { deleteAssessment, getSettings, setKeepUntil } from '../contract.ts'
import { LOOK_MS } from './checklist-links.tsx'
import { type Extent, type ReadSettings, SettingsForm } from './settings-form.tsx'

/** …/settings: name, window, duration, rules, deletion (product 7.8.6, 7.8.9, 7.21.1). */
export function AssessmentSettings() {
  const params = usePlace()
  const read = useEndpoint(getSettings, { params }, { staleTime: 0, every: LOOK_MS })
  return (
    <Loaded of={read} name="settings">
      {(settings) => <Settings read={settings} />}
    </Loaded>
  )
}

function Settings({ read }: { read: ReadSettings }) {
  const { may } = useSociety()
  const { code, timeZone } = useAssessment()
  const nowMs = useNowMs(10_000)
  const { startedCount, changed, kept } = read
  const started =
    startedCount === 1 ? 'One candidate has started' : `${startedCount} candidates have started`
  const [extent, headline, sentence]: [Extent, string, string] =
    startedCount === 0
      ? may('set_rules_before_start')
        ? [
            'everything',
            'No one has started, so you can change everything',
            'After the first start, name, duration, order and rules can’t change.',
          ]
        : ['nothing', 'You can view these settings', 'Your role can’t change them.']
      : may('set_rules_after_start')
        ? [
            'after_start',
            `${started}; the window can still change`,
            'Name, session, duration, order and rules are the same for all candidates, so they can’t change. Candidates who have started keep their full time.',
          ]
        : ['nothing', `${started}; an owner can change the window`, 'Your role can’t change them.']
  return (
    <>
      <Top title="Settings" headline={headline}>
        {sentence}
        {changed && ` Last changed by ${changed.by}, ${zoneMoment(changed.at, timeZone, nowMs)}.`}
      </Top>
      <SettingsForm key={code} read={read} extent={extent} nowMs={nowMs} />
      {kept && <KeptSection kept={kept} nowMs={nowMs} />}
      {may('delete_test') && <DeleteSection />}
    </>
  )
}

/** Shows how long answers and names are kept and why. Owners can change the date (product 7.21.1). */
function KeptSection(props: { kept: NonNullable<ReadSettings['kept']>; nowMs: number }) {
  const { until, hasOwnDay, warnedAt } = props.kept
  const { may } = useSociety()
  const assessment = useAssessment()
  const { timeZone } = assessment
  const params = usePlace()
  const [isAsking, setIsAsking] = useState(false)
  const close = () => setIsAsking(false)
  const reset = useAct(() => call(setKeepUntil, { params, body: { keepUntil: null } }), close)
  const day = (iso: string) => zoneDay(iso, timeZone, props.nowMs)
  return (
    <Section title="Answers and names" className="mt-14 max-w-[860px]">
      <p className="mt-4 max-w-[70ch] text-ink-2">
        {until === null ? (
          'This test has no start deadline and no candidates, so it has nothing to delete.'
        ) : (
          <span className={warnedAt ? 'amber font-semibold' : ''}>
            Answers and names are deleted on {day(until)}.
          </span>
        )}
        {hasOwnDay
          ? ' This test has its own date.'
          : until !== null && ' The date comes from the society’s settings.'}
        {warnedAt && ` Owners were notified on ${day(warnedAt)}.`}
        {until !== null && ' Statistics without names and the log are kept.'}
      </p>
      {may('edit_society') && (
        <button type="button" className="btn btn-ghost mt-4" onClick={() => setIsAsking(true)}>
          Change the day…
        </button>
      )}
      {isAsking && (
        <ActionDialog
          title={`How long to keep ${nameOfAssessment(assessment)}`}
          endpoint={setKeepUntil}
          input={{ params }}
          fields={{
            day: {
              kind: 'date',
              label: 'Last day of answers and names',
              hint: 'At least 14 days from now, so that all owners are notified first. Keep them for as long as candidates can appeal.',
              start: until ? lastDay(until, timeZone) : '',
              isNeeded: true,
              wrong: 'Choose a day.',
            },
          }}
          bodyOf={(typed) => ({ keepUntil: endOfDay(String(typed.day), timeZone).toISOString() })}
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

/** Deletes a test after re-authentication. Owners can restore it for seven days (product 7.8.9). */
function DeleteSection() {
  const { itemCount, candidateCount, runningCount, submittedCount } = useAssessment()
  const params = usePlace()
  const { society, code } = params
  const client = useQueryClient()
  const navigate = useNavigate()
  const all = [
    countOf(itemCount, 'question'),
    countOf(candidateCount, 'candidate'),
    countOf(submittedCount, 'finished test'),
  ].join(', ')
  return (
    <Section title="Delete" className="mt-14 max-w-[860px]">
      <p className="mt-4 max-w-[70ch] text-ink-2">
        {runningCount > 0
          ? `${countOf(runningCount, 'candidate is', 'candidates are')} taking the test. It can be deleted when everyone has finished.`
          : 'A deleted test disappears from the console immediately. Any owner can restore it for seven days. Then questions, candidates and answers are permanently deleted. The log is kept without names.'}
      </p>
      {runningCount === 0 && (
        <AskButton
          words="Delete the test…"
          className="btn btn-ghost mt-4"
          title={`Delete ${code}?`}
          text={`${all}. You can restore it for seven days, under Society.`}
          endpoint={deleteAssessment}
          input={{ params }}
          button={[`Delete ${code}`, 'Deleting…']}
          done={async () => {
            toast.success(`${code} is deleted`, 'It can be restored for seven days, under Society.')
            await navigate(societyUrl(society))
            // The refetch after the action must not request the deleted test.
            client.removeQueries({ queryKey: endpointKey(getSocietyAssessment, { params }) })
          }}
        />
      )}
    </Section>
  )
}
