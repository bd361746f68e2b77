import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { Top } from '../../kit/web/section.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { Loaded } from '../../kit/web/loaded.tsx'
import { zoneMoment } from '../../kit/zone-time.ts'
import { getSettings } from '../contract.ts'
import { LOOK_MS, type ReadSettings } from './checklist-links.tsx'
import { DeleteAssessment } from './delete-assessment.tsx'
import { KeptSection } from './kept.tsx'
import type { Extent } from './settings-fields.tsx'
import { SettingsForm } from './settings-form.tsx'

/** …/settings: name, window, duration, rules, deletion (product 7.8.6, 7.8.9, 7.21.1). */
export function AssessmentSettings() {
  const { society } = useSociety()
  const assessment = useAssessment()
  const read = useEndpoint(
    getSettings,
    { params: { society: society.id, code: assessment.code } },
    { staleTime: 0, every: LOOK_MS },
  )
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
  const extent: Extent =
    startedCount === 0
      ? may('set_rules_before_start')
        ? 'everything'
        : 'nothing'
      : may('set_rules_after_start')
        ? 'after_start'
        : 'nothing'
  const started =
    startedCount === 1 ? 'One candidate has started' : `${startedCount} candidates have started`
  const words: Record<Extent, [headline: string, sentence: string]> = {
    everything: [
      'No one has started, so you can change everything',
      'After the first start, name, duration, order and rules stay as they are for everybody.',
    ],
    after_start: [
      `${started}; the window may still change`,
      'Name, session, duration, order and rules are the same for everybody, so they stay. Candidates who have started keep their whole time.',
    ],
    nothing: [
      startedCount === 0
        ? 'You can view these settings'
        : `${started}; an owner can change the window`,
      'Your role can’t change them.',
    ],
  }
  const [headline, sentence] = words[extent]
  return (
    <>
      <Top title="Settings" headline={headline}>
        {sentence}
        {changed && ` Last changed by ${changed.by}, ${zoneMoment(changed.at, timeZone, nowMs)}.`}
      </Top>
      <SettingsForm key={code} read={read} extent={extent} nowMs={nowMs} />
      {kept && <KeptSection kept={kept} nowMs={nowMs} />}
      {may('delete_test') && <DeleteAssessment />}
    </>
  )
}
