import { useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { CANDIDATE_LENGTHS } from '../../candidate-limits.ts'
import {
  type CandidateFacts,
  changeCandidates,
  removeCandidates,
} from '../../contract/candidates.ts'
import { countOf } from '../../number-words.ts'
import { useProof } from '../console/proof.tsx'
import { useAct, usePlace } from '../kit/use-act.tsx'

interface DialogProps {
  ticked: readonly CandidateFacts[]
  onClose: () => void
  onDone: () => void
}

/** Puts the ticked ones into a room. */
export function RoomDialog({ ticked, onClose, onDone }: DialogProps) {
  const place = usePlace()
  const [room, setRoom] = useState('')
  const save = useAct(
    () =>
      call(changeCandidates, {
        params: place,
        body: { candidates: ticked.map(({ id }) => id), room: room.trim() || null },
      }),
    ({ changed }) => {
      toast.success(`${countOf(changed, 'candidate')}: ${room.trim() || 'no room'}`)
      onDone()
    },
  )
  return (
    <Asking
      title={`A room for ${countOf(ticked.length, 'candidate')}`}
      field={{
        ...{ label: 'Room', maxLength: CANDIDATE_LENGTHS.room },
        ...{ value: room, onChange: setRoom },
      }}
      button={
        room.trim()
          ? `Put ${ticked.length} in ${room.trim()}`
          : `Take ${ticked.length} out of their room`
      }
      act={save}
      onClose={onClose}
    />
  )
}

/** Takes the ticked ones off the list. */
export function RemoveDialog({ ticked, onClose, onDone }: DialogProps) {
  const place = usePlace()
  const withProof = useProof()
  const started = ticked.filter(({ attempt }) => attempt !== 'none').length
  const gone = ticked.length - started
  const remove = useAct(
    () =>
      withProof(() =>
        call(removeCandidates, {
          params: place,
          body: { candidates: ticked.map(({ id }) => id) },
        }),
      ),
    ({ removed, shutOut }) => {
      toast.success(`${removed} taken off the list${shutOut > 0 ? `, ${shutOut} shut out` : ''}`)
      onDone()
    },
  )
  const what = [
    gone > 0 && `${countOf(gone, 'candidate')} will be gone, with what is written about them.`,
    started > 0 &&
      `${countOf(started, 'candidate has', 'candidates have')} started: the answers stay, and nobody gets in by ${started === 1 ? 'this name' : 'these names'} any more.`,
    'Their passwords open nothing from then on.',
  ].filter(Boolean)
  return (
    <Asking
      title={`Take ${countOf(ticked.length, 'candidate')} off the list?`}
      note={what.join(' ')}
      button={`Remove ${ticked.length}`}
      act={remove}
      onClose={onClose}
    />
  )
}

/** A dialog with a field at most, and one button. */
function Asking(props: {
  title: string
  field?: { label: string; maxLength: number; value: string; onChange: (text: string) => void }
  note?: string
  button: string
  isReady?: boolean
  act: { run: (given: undefined) => void; isBusy: boolean; problem: string | null }
  onClose: () => void
}) {
  const { field, act, isReady = true } = props
  const id = useId()
  return (
    <Dialog open onOpenChange={props.onClose} title={props.title}>
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) act.run(undefined)
        }}
      >
        {props.note && <p>{props.note}</p>}
        {field && (
          <div>
            <label htmlFor={id} className="label">
              {field.label}
            </label>
            <input
              id={id}
              className="field w-full"
              autoComplete="off"
              maxLength={field.maxLength}
              value={field.value}
              onChange={(event) => field.onChange(event.target.value)}
            />
          </div>
        )}
        {act.problem && (
          <p role="alert" className="amber">
            {act.problem}
          </p>
        )}
        <div className="mt-2 flex flex-wrap justify-end gap-2">
          <button type="button" className="btn btn-ghost" onClick={props.onClose}>
            Cancel
          </button>
          <button type="submit" className="btn" aria-disabled={!isReady || act.isBusy}>
            {act.isBusy ? 'One moment…' : props.button}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
