import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { toast } from '../../../platform/web/ui/toast.tsx'
import { REPORT_LENGTH, writeReport } from '../../contract/incidents.ts'
import { nameRoom } from '../../role-words.ts'
import { zoneTime } from '../../zone-time.ts'
import { candidatesQuery } from '../candidates/queries.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import { useAct, usePlace } from '../console/use-act.ts'
import { candidateName } from './incident-headlines.ts'
import type { ListedCandidate } from './queries.ts'

/** Minutes ago that something may be said to have happened; older things are told with their time in words. */
const AGO = [0, 2, 5, 10, 20, 30, 60] as const

/** Something that a member saw: of one candidate, of a room, or of all (product 7.16.8). */
export function ReportDialog(props: {
  /** about this one alone */
  about?: { id: string; name: string }
  candidates?: readonly ListedCandidate[]
  ownRoom?: string | null
  onClose: () => void
}) {
  const { about, candidates = [], ownRoom = null, onClose } = props
  const place = usePlace()
  const { timeZone } = useAssessment()
  const [id] = useState(() => crypto.randomUUID())
  const [openedAtMs] = useState(Date.now)
  const [whom, setWhom] = useState(about ? `one ${about.id}` : ownRoom ? `room ${ownRoom}` : 'all')
  const [ago, setAgo] = useState(0)
  const [note, setNote] = useState('')
  const fields = { whom: useId(), ago: useId(), note: useId() }
  const people = usePeople(candidates, ownRoom, !about)
  const rooms = [...new Set(people.flatMap(({ room }) => (room ? [room] : [])))].sort()
  const write = useAct(
    () =>
      call(writeReport, {
        params: place,
        body: {
          ...{ id, note: note.trim() },
          candidate: whom.startsWith('one ') ? whom.slice(4) : null,
          room: whom.startsWith('room ') ? whom.slice(5) : null,
          happenedAt: new Date(openedAtMs - ago * 60_000).toISOString(),
        },
      }),
    () => {
      toast.success('Your report is written down')
      onClose()
    },
  )
  const isReady = note.trim() !== ''
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={about ? `Report on ${about.name}` : 'Report something'}
    >
      <form className="grid gap-4" onSubmit={(event) => event.preventDefault()}>
        {!about && (
          <div>
            <label htmlFor={fields.whom} className="label">
              About
            </label>
            <select
              id={fields.whom}
              className="field w-full"
              value={whom}
              onChange={(event) => setWhom(event.target.value)}
            >
              {!ownRoom && <option value="all">everybody</option>}
              {rooms.map((room) => (
                <option key={room} value={`room ${room}`}>
                  the whole of room {room}
                </option>
              ))}
              {people.map((one) => (
                <option key={one.id} value={`one ${one.id}`}>
                  {one.name}
                  {one.room ? `, ${nameRoom(one.room)}` : ''}
                </option>
              ))}
            </select>
          </div>
        )}
        <div>
          <label htmlFor={fields.ago} className="label">
            When it happened
          </label>
          <select
            id={fields.ago}
            className="field w-full"
            value={ago}
            onChange={(event) => setAgo(Number(event.target.value))}
          >
            {AGO.map((minutes) => (
              <option key={minutes} value={minutes}>
                {minutes === 0 ? 'now' : `${minutes} minutes ago`},{' '}
                {zoneTime(openedAtMs - minutes * 60_000, timeZone)}
              </option>
            ))}
          </select>
        </div>
        <div>
          <label htmlFor={fields.note} className="label">
            What you saw
          </label>
          <textarea
            id={fields.note}
            rows={4}
            className="field w-full"
            maxLength={REPORT_LENGTH}
            placeholder="What happened, not what it means"
            value={note}
            onChange={(event) => setNote(event.target.value.replace(/[^\P{Cc}\n]/gu, ' '))}
          />
          <p className="hint mt-1 text-ink-2">
            A report on one candidate asks for a verdict by somebody else.
          </p>
        </div>
        {write.problem && (
          <p role="alert" className="amber">
            {write.problem}
          </p>
        )}
        <div className="flex justify-end gap-2">
          <button type="button" className="btn btn-ghost" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="btn"
            aria-disabled={!isReady || write.isBusy}
            onClick={() => isReady && write.run(undefined)}
          >
            {write.isBusy ? 'Writing…' : 'Write it down'}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** Whom one may report: by name for those who see the list of candidates, else by number. */
function usePeople(
  candidates: readonly ListedCandidate[],
  ownRoom: string | null,
  isWanted: boolean,
) {
  const place = usePlace()
  const { may } = useSociety()
  const seesList = may('manage_candidates')
  const list = useQuery({ ...candidatesQuery(place), enabled: isWanted && seesList })
  if (seesList && list.data) {
    return list.data.candidates
      .filter(({ room, isRevoked }) => !isRevoked && (ownRoom === null || room === ownRoom))
      .map(({ id, name, username, room }) => ({ id, room, name: name ?? username }))
  }
  return candidates.map(({ id, number, room }) => ({ id, room, name: candidateName(number) }))
}
