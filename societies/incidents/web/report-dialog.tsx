import { useState } from 'react'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { listCandidates } from '../../candidates/contract.ts'
import { nameRoom } from '../../kit/role-words.ts'
import type { FieldSpec } from '../../kit/web/action-dialog.tsx'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import type { Option } from '../../kit/web/fields.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import { REPORT_LENGTH, writeReport } from '../contract.ts'
import { candidateName, type ListedCandidate } from './incident-headlines.ts'

/** Minutes ago to choose from. For older events, the note gives the time. */
const AGO = [0, 2, 5, 10, 20, 30, 60]

/**
 * Reports what a member saw of a candidate, a room, or all candidates (product 7.16.8).
 * @param props.about the only candidate it can be about
 */
export function ReportDialog(props: {
  about?: { id: string; name: string }
  candidates?: readonly ListedCandidate[]
  ownRoom?: string | null
  onClose: () => void
}) {
  const { about, candidates = [], ownRoom = null } = props
  const place = usePlace()
  const { timeZone } = useAssessment()
  const [id] = useState(() => crypto.randomUUID())
  const [openedAtMs] = useState(Date.now)
  const people = usePeople(candidates, ownRoom, !about)
  const rooms = [...new Set(people.flatMap(({ room }) => room ?? []))].sort()
  const options: Option[] = [
    ...(ownRoom ? [] : [['all', 'all candidates'] as const]),
    ...rooms.map((room) => [`room ${room}`, `the whole of room ${room}`] as const),
    ...people.map(
      ({ id, name, room }) => [`one ${id}`, `${name}${room ? `, ${nameRoom(room)}` : ''}`] as const,
    ),
  ]
  const whom: FieldSpec = {
    kind: 'select',
    label: 'About',
    start: ownRoom ? `room ${ownRoom}` : 'all',
    options,
  }
  return (
    <ActionDialog
      title={about ? `Report on ${about.name}` : 'Report something'}
      endpoint={writeReport}
      input={{ params: place }}
      fields={{
        ...(!about && { whom }),
        ago: {
          kind: 'select',
          label: 'When it happened',
          start: '0',
          options: AGO.map((minutes) => [
            String(minutes),
            `${minutes === 0 ? 'now' : `${minutes} minutes ago`}, ${zoneTime(openedAtMs - minutes * 60_000, timeZone)}`,
          ]),
        },
        note: {
          kind: 'area',
          label: 'What you saw',
          hint: 'Another member decides a report on one candidate.',
          placeholder: 'What happened, not what it means',
          maxLength: REPORT_LENGTH,
          wrong: 'Say what you saw.',
        },
      }}
      bodyOf={({ whom = `one ${about?.id}`, ago, note }) => ({
        id,
        note,
        candidate: String(whom).startsWith('one ') ? String(whom).slice(4) : null,
        room: String(whom).startsWith('room ') ? String(whom).slice(5) : null,
        happenedAt: new Date(openedAtMs - Number(ago) * 60_000).toISOString(),
      })}
      button={['Save the report', 'Saving…']}
      done="Report saved"
      onClose={props.onClose}
    />
  )
}

/** The candidates to choose from: by name for members who see the list, or by number. */
function usePeople(
  candidates: readonly ListedCandidate[],
  ownRoom: string | null,
  isWanted: boolean,
) {
  const seesList = useSociety().may('manage_candidates')
  const list = useEndpoint(
    listCandidates,
    { params: usePlace() },
    { enabled: isWanted && seesList },
  )
  if (seesList && list.data) {
    return list.data.candidates
      .filter(({ room, isRevoked }) => !isRevoked && (ownRoom === null || room === ownRoom))
      .map(({ id, name, username, room }) => ({ id, room, name: name ?? username }))
  }
  return candidates.map(({ id, number, room }) => ({ id, room, name: candidateName(number) }))
}
