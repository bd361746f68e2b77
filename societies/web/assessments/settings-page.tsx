import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { getSettings } from '../../contract/lifecycle.ts'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { useNowMs } from '../console/use-now.ts'
import { Loaded } from '../kit/loaded.tsx'
import { LOOK_MS, type ReadSettings } from './checklist-links.ts'
import { DeleteAssessment } from './delete-assessment.tsx'
import { KeptSection } from './kept.tsx'
import { type Extent, SettingsForm } from './settings-form.tsx'

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
  return (
    <>
      <Top title="Settings" headline={HEADLINES[extent](startedCount)}>
        {SENTENCES[extent](startedCount)}
        {changed && ` Last changed by ${changed.by}, ${zoneMoment(changed.at, timeZone, nowMs)}.`}
      </Top>
      <SettingsForm key={code} read={read} extent={extent} nowMs={nowMs} />
      {kept && <KeptSection kept={kept} nowMs={nowMs} />}
      {may('delete_test') && <DeleteAssessment />}
    </>
  )
}

const startedWords = (count: number) =>
  count === 1 ? 'One candidate has started' : `${count} candidates have started`

const HEADLINES: Record<Extent, (started: number) => string> = {
  everything: () => 'Nobody has started; everything may change',
  after_start: (started) => `${startedWords(started)}; the window may still change`,
  nothing: (started) =>
    started === 0
      ? 'You may read these settings'
      : `${startedWords(started)}; an owner may change the window`,
}

const SENTENCES: Record<Extent, (started: number) => string> = {
  everything: () =>
    'From the first start on, name, duration, order and rules are the same for everybody, and stay.',
  after_start: () =>
    'Name, session, duration, order and rules are the same for everybody who sits it, so they stay. Who has started keeps the whole time.',
  nothing: () => 'Your role does not change them.',
}
