import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { applyShift, REASON_LENGTH } from '../../contract/sessions.ts'
import { countOf } from '../../number-words.ts'
import { ReasonField } from '../console/reason-field.tsx'
import { usePlace } from '../console/use-act.ts'
import { type Comparison, pointsOf, signed } from './comparison-words.ts'
import { shiftPreviewQuery, useSessionsAct } from './queries.ts'

/** What a shift does, computed by the server, and again when it is pressed (product 7.19.11). */
export function ShiftDialog(props: { comparison: Comparison; onClose: () => void }) {
  const { comparison, onClose } = props
  const place = usePlace()
  const found = useQuery(shiftPreviewQuery(place, comparison.id))
  const key = useRef(crypto.randomUUID())
  const [reason, setReason] = useState('')
  const [isMissing, setIsMissing] = useState(false)
  const id = useId()
  const applying = useSessionsAct(
    ({ points, moved }: { points: number; moved: number }) =>
      call(applyShift, {
        params: { ...place },
        body: { id: key.current, comparison: comparison.id, points, moved, reason },
      }),
    onClose,
  )
  const preview = found.data
  const problem = applying.error ?? found.error
  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title="Bring both onto one scale"
      wide
    >
      {!preview ? (
        found.isError ? (
          <p role="alert">{found.error.message}</p>
        ) : (
          <Spinner />
        )
      ) : (
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault()
            if (reason.trim() === '') setIsMissing(true)
            else if (!applying.isPending) {
              applying.mutate({ points: preview.offer.points, moved: preview.moved })
            }
          }}
        >
          <p>
            {preview.offer.points > 0
              ? `${pointsOf(preview.offer.points)} would be added to each of the ${preview.moved} scores of ${preview.name}`
              : `${pointsOf(preview.offer.points)} would be taken from each of the ${preview.moved} scores of ${preview.name}`}
            , so that they stand on the scale of {preview.onto}. Unadjusted scores stay beside them
            for ever.
          </p>
          <p className="figures text-ink-2">
            Chained mean {signed(preview.offer.chainedMean, 2)}, rounded to the half point; 95%
            interval {signed(preview.offer.interval.low)} to {signed(preview.offer.interval.high)}{' '}
            by 1,000 resamples, seed {preview.offer.seed}. Tucker’s method gives{' '}
            {signed(preview.offer.tuckerMean, 2)}.
          </p>
          <Crossing {...preview} />
          <div>
            <label htmlFor={`${id}-reason`} className="label">
              Reason <span className="hint ml-2 font-normal">kept with it, and in the log</span>
            </label>
            <ReasonField
              id={`${id}-reason`}
              maxLength={REASON_LENGTH}
              value={reason}
              aria-invalid={isMissing || undefined}
              aria-describedby={`${id}-missing`}
              onChange={(text) => {
                setReason(text)
                setIsMissing(false)
              }}
            />
            <p id={`${id}-missing`} role="alert" className="amber mt-1 empty:hidden">
              {isMissing && 'Please write why.'}
            </p>
          </div>
          <p role="alert" className="empty:hidden">
            {problem?.message}
          </p>
          <div className="flex flex-wrap gap-2">
            <button type="submit" className="btn" aria-disabled={applying.isPending}>
              {applying.isPending
                ? 'Applying…'
                : `${preview.offer.points > 0 ? 'Add' : 'Take'} ${pointsOf(preview.offer.points)} ${preview.offer.points > 0 ? 'to' : 'from'} ${countOf(preview.moved, 'score')}`}
            </button>
            <button type="button" className="btn btn-ghost" onClick={onClose}>
              Adjust nothing
            </button>
          </div>
        </form>
      )}
    </Dialog>
  )
}

function Crossing(preview: {
  line: number | null
  crossing: { number: number; before: number; after: number; isIn: boolean }[]
}) {
  const { line, crossing } = preview
  if (line === null) return <p>No line is drawn under Results yet, so nobody crosses one.</p>
  if (crossing.length === 0) return <p>Nobody crosses the line at {pointsOf(line)}.</p>
  const isIn = crossing[0]?.isIn ?? false
  return (
    <div>
      <p>
        {countOf(crossing.length, 'candidate crosses', 'candidates cross')} the line at{' '}
        {pointsOf(line)} and {crossing.length === 1 ? 'is' : 'are'} {isIn ? 'in' : 'out'} then:
      </p>
      <ul className="figures mt-1 flex flex-wrap gap-x-5 gap-y-1 text-ink-2">
        {crossing.map(({ number, before, after }) => (
          <li key={number}>
            No. {number}: {before} to {after}
          </li>
        ))}
      </ul>
    </div>
  )
}
