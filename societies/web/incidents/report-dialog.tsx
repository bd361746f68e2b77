import { useState } from 'react'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { listCandidates } from '../../contract/candidates.ts'
import { REPORT_LENGTH, writeReport } from '../../contract/incidents.ts'
import { nameRoom } from '../../role-words.ts'
import { zoneTime } from '../../zone-time.ts'
import { useAssessment, useSociety } from '../console/console.tsx'
import type { FieldSpec } from '../kit/action-dialog.tsx'
import { ActionDialog } from '../kit/ask.tsx'
import type { Option } from '../kit/fields.tsx'
import { usePlace } from '../kit/use-act.tsx'
import { candidateName, type ListedCandidate } from './incident-headlines.ts'

/** Minutes ago that something may be said to have happened; older things are told with their time in words. */
const AGO = [0, 2, 5, 10, 20, 30, 60]

/**
 * Something that a member saw: of one candidate, of a room, or of all (product 7.16.8).
 * @param props.about about this one alone
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
    ...(ownRoom ? [] : [['all', 'everybody'] as const]),
    ...rooms.map((room) => [`room ${room}`, `the whole of room ${room}`] as const),
    ...people.map(
      (one) =>
        [`one ${one.id}`, `${one.name}${one.room ? `, ${nameRoom(one.room)}` : ''}`] as const,
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
          hint: 'A report on one candidate asks for a verdict by another member.',
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

/** Whom one may report: by name for those who see the list of candidates, else by number. */
function usePeople(
  candidates: readonly ListedCandidate[],
  ownRoom: string | null,
  isWanted: boolean,
) {
  const place = usePlace()
  const seesList = useSociety().may('manage_candidates')
  const list = useEndpoint(listCandidates, { params: place }, { enabled: isWanted && seesList })
  if (seesList && list.data) {
    return list.data.candidates
      .filter(({ room, isRevoked }) => !isRevoked && (ownRoom === null || room === ownRoom))
      .map(({ id, name, username, room }) => ({ id, room, name: name ?? username }))
  }
  return candidates.map(({ id, number, room }) => ({ id, room, name: candidateName(number) }))
}
