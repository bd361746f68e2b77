import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { publishAssessment, takeBackAssessment } from '../../contract/lifecycle.ts'
import { STRIKES_FOR_SOCIETIES } from '../../exemptions.ts'
import { describeDuration } from '../../minutes.ts'
import { countOf } from '../../number-words.ts'
import { describePublicationError } from '../../publication.ts'
import { zoneMoment, zoneName } from '../../zone-time.ts'
import { Refusal } from '../kit/fields.tsx'
import { publicationQuery } from '../assessments/lifecycle-queries.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { societyKey } from '../console/queries.ts'
import { useNowMs } from '../console/use-now.ts'

interface Props {
  open: boolean
  onClose: () => void
}

/** @param finding of the checklist, while something of it is missing */
type PublishProps = Props & { finding: string | null }

/** What publishing makes visible to whom, computed when it is opened (product 7.8.4). */
export function PublishDialog({ open, onClose, finding }: PublishProps) {
  return (
    <Dialog open={open} onOpenChange={(isOpen) => !isOpen && onClose()} title="Publish it?">
      {open && <Publish onClose={onClose} finding={finding} />}
    </Dialog>
  )
}

function Publish({ onClose, finding }: Omit<PublishProps, 'open'>) {
  const { society } = useSociety()
  const assessment = useAssessment()
  const { code, timeZone, session, durationSeconds } = assessment
  const client = useQueryClient()
  const nowMs = useNowMs(10_000)
  const facts = useQuery(publicationQuery(society.id, code))
  const publishing = useMutation({
    mutationFn: (version: number) =>
      call(publishAssessment, { params: { society: society.id, code }, body: { version } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: societyKey(society.id) })
      toast.success('Published', 'Candidates see it on the recruitment page.')
      onClose()
    },
    // Somebody changed it meanwhile: the facts are read anew, and told again.
    onError: () => void facts.refetch(),
  })
  if (!facts.data) {
    return <Refusal error={facts.error} />
  }
  const { errors, opensAt, closesAt, candidateCount, withPasswordCount, version } = facts.data
  const moment = (iso: string) => zoneMoment(iso, timeZone, nowMs)
  const isOpenNow = !opensAt || Date.parse(opensAt) <= nowMs
  const window = opensAt
    ? `${moment(opensAt)}${closesAt ? ` to ${moment(closesAt)}` : ''}, ${zoneName(timeZone)}`
    : closesAt
      ? `until ${moment(closesAt)}, ${zoneName(timeZone)}`
      : 'at any time'
  const isStopped = errors.length > 0
  return (
    <>
      <dl className="space-y-3.5">
        {finding && (
          <div>
            <dt className="amber font-medium">{finding}</dt>
            <dd className="mt-0.5 text-ink-2">
              You can publish it all the same: the checklist stays, and everything can be changed
              until somebody has started.
            </dd>
          </div>
        )}
        <div>
          <dt className="font-medium">Everybody who is signed in reads on the recruitment page</dt>
          <dd className="mt-0.5 text-ink-2">
            {assessment.society}
            {session && ` - ${session}`}: {window}, {describeDuration(durationSeconds)},{' '}
            {countOf(facts.data.questionCount, 'question')}, and the rules.
          </dd>
          {facts.data.forms && <dd className="mt-0.5 text-ink-2">{facts.data.forms}.</dd>}
        </div>
        <div>
          <dt className="font-medium">
            {countOf(candidateCount, 'candidate')} may sign in with the credentials
          </dt>
          <dd className="mt-0.5 text-ink-2">
            {candidateCount === 0
              ? 'Nobody is on the list yet.'
              : withPasswordCount === candidateCount
                ? 'All have a password.'
                : `${candidateCount - withPasswordCount} have no password yet; they can be handed out later.`}
          </dd>
        </div>
        <div>
          <dt className="font-medium">The questions are for who starts, and for nobody before</dt>
          <dd className="mt-0.5 text-ink-2">
            {!opensAt && !closesAt
              ? 'It has no window: whoever has credentials can start at once, and it never closes by itself.'
              : isOpenNow
                ? 'Its window is open: candidates can start at once.'
                : 'Nobody can start before it opens. While nobody has started, you can take it back.'}
          </dd>
        </div>
        <div>
          <dt className="font-medium">Strikes are counted, and the third one hands a test in</dt>
          <dd className="mt-0.5 text-ink-2">{STRIKES_FOR_SOCIETIES}</dd>
        </div>
      </dl>
      {isStopped && (
        <p className="warning mt-5" role="alert">
          <TriangleAlert size={17} aria-hidden />
          <span>{errors.map(describePublicationError).join(' ')}</span>
        </p>
      )}
      <Refusal error={publishing.error} />
      <div className="mt-6 flex flex-wrap gap-2">
        <button
          type="button"
          className="btn"
          aria-disabled={isStopped || publishing.isPending}
          onClick={() => !isStopped && !publishing.isPending && publishing.mutate(version)}
        >
          {publishing.isPending
            ? 'Publishing…'
            : isStopped
              ? 'Cannot be published yet'
              : `Publish to ${countOf(candidateCount, 'candidate')}`}
        </button>
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Not yet
        </button>
      </div>
    </>
  )
}

/** Makes it a draft again, while nobody has started. */
export function TakeBackDialog({ open, onClose, version }: Props & { version: number }) {
  const { society } = useSociety()
  const { code } = useAssessment()
  const client = useQueryClient()
  const taking = useMutation({
    mutationFn: () =>
      call(takeBackAssessment, { params: { society: society.id, code }, body: { version } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: societyKey(society.id) })
      onClose()
    },
    onError: () => void client.invalidateQueries({ queryKey: societyKey(society.id) }),
  })
  return (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Take it back to a draft?"
      description="It leaves the recruitment page, and nobody can sign in or start. Passwords stay as they are: when it is published again, they work."
    >
      <Refusal error={taking.error} />
      <div className="mt-2 flex flex-wrap gap-2">
        <button
          type="button"
          className="btn"
          aria-disabled={taking.isPending}
          onClick={() => !taking.isPending && taking.mutate()}
        >
          {taking.isPending ? 'One moment…' : 'Take it back'}
        </button>
        <button type="button" className="btn btn-ghost" onClick={onClose}>
          Leave it published
        </button>
      </div>
    </Dialog>
  )
}
