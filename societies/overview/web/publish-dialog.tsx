import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { describeDuration } from '../../../platform/durations.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { describePublicationError } from '../../kit/assessment-state.ts'
import { useAssessment } from '../../kit/web/console/console.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneMoment, zoneName } from '../../kit/zone-time.ts'
import { getPublication, publishAssessment } from '../../setup/contract-overview.ts'
import { STRIKES_FOR_SOCIETIES } from '../../setup/exemptions.ts'

/**
 * Says what publishing makes visible (product 7.8.4).
 * @param props.finding describes open items
 */
export function PublishDialog(props: { finding: string | null; onClose: () => void }) {
  const params = usePlace()
  const found = useEndpoint(getPublication, { params }, { staleTime: 0 })
  const facts = found.data
  // Another organizer may have changed the test, so a refusal reloads the facts.
  const publish = useAct(
    (version: number) => call(publishAssessment, { params, body: { version } }),
    () => {
      toast.success('Published', 'Candidates see it on the recruitment page.')
      props.onClose()
    },
  )
  const isStopped = facts !== undefined && facts.errors.length > 0
  const label = isStopped
    ? 'Cannot be published yet'
    : `Publish to ${countOf(facts?.candidateCount ?? 0, 'candidate')}`
  return (
    <DialogFrame
      title="Publish this test?"
      button={[label, 'Publishing…']}
      problem={publish.problem}
      isReady={facts !== undefined && !isStopped}
      isBusy={publish.isBusy}
      onAct={() => facts && !isStopped && publish.run(facts.version)}
      onClose={props.onClose}
    >
      <Loaded of={found} name="facts" isPart>
        {(read) => <Facts facts={read} finding={props.finding} />}
      </Loaded>
    </DialogFrame>
  )
}

function Facts(props: { facts: ResponseOf<typeof getPublication>; finding: string | null }) {
  const { finding, facts } = props
  const { errors, opensAt, closesAt, candidateCount, questionCount, forms } = facts
  const without = candidateCount - facts.withPasswordCount
  const { society, session, timeZone, durationSeconds } = useAssessment()
  const nowMs = useNowMs(10_000)
  const moment = (iso: string) => zoneMoment(iso, timeZone, nowMs)
  const window = opensAt
    ? `${moment(opensAt)}${closesAt ? ` to ${moment(closesAt)}` : ''}, ${zoneName(timeZone)}`
    : closesAt
      ? `until ${moment(closesAt)}, ${zoneName(timeZone)}`
      : 'at any time'
  return (
    <>
      <dl className="space-y-3.5">
        {finding && (
          <Fact what={<span className="amber">{finding}</span>}>
            You can publish it anyway. The checklist stays, and you can change everything until a
            candidate has started.
          </Fact>
        )}
        <Fact what="Everyone who is signed in can see this on the recruitment page">
          {society}
          {session && ` - ${session}`}: {window}, {describeDuration(durationSeconds)},{' '}
          {countOf(questionCount, 'question')}, and the rules.{forms && ` ${forms}.`}
        </Fact>
        {facts.otherStartCount > 0 && (
          <Fact
            what={`${countOf(facts.otherStartCount, 'candidate starts', 'candidates start')} at a different time`}
          >
            Their email has the time. Results appear after all of them have finished.
          </Fact>
        )}
        <Fact what={`${countOf(candidateCount, 'candidate')} can sign in with their credentials`}>
          {candidateCount === 0
            ? 'No candidates are on the list yet.'
            : without === 0
              ? 'All have a password.'
              : `${countOf(without, 'candidate has', 'candidates have')} no password yet. You can hand them out later.`}
        </Fact>
        <Fact what="Candidates see the questions only after they start">
          {!opensAt && !closesAt
            ? 'It has no window. Candidates with credentials can start right away, and it never closes automatically.'
            : !opensAt || Date.parse(opensAt) <= nowMs
              ? 'Its window is open, so candidates can start right away.'
              : "Candidates can't start before it opens. Until the first one starts, you can return it to draft."}
        </Fact>
        <Fact what="Strikes are counted, and the third one submits the test">
          {STRIKES_FOR_SOCIETIES}
        </Fact>
      </dl>
      {errors.length > 0 && (
        <p className="warning" role="alert">
          <TriangleAlert size={17} aria-hidden />
          <span>{errors.map(describePublicationError).join(' ')}</span>
        </p>
      )}
    </>
  )
}

function Fact(props: { what: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt className="font-medium">{props.what}</dt>
      <dd className="mt-0.5 text-ink-2">{props.children}</dd>
    </div>
  )
}
