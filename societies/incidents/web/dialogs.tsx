import { useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { listCandidates } from '../../candidates/contract.ts'
import { blindNumber, nameRoom } from '../../kit/role-words.ts'
import type { FieldSpec } from '../../kit/web/action-dialog.tsx'
import { ActionDialog } from '../../kit/web/ask.tsx'
import { useAssessment, useSociety } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { AreaField, type Option, SelectField } from '../../kit/web/fields.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Heads } from '../../kit/web/section.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { zoneTime } from '../../kit/zone-time.ts'
import {
  COMPARE_REASON_LENGTH,
  compareCandidates,
  getComparable,
  REPORT_LENGTH,
  writeReport,
} from '../contract.ts'
import { candidateName, type ListedCandidate } from './incident-headlines.ts'

function useNamed(isWanted = true) {
  const seesList = useSociety().may('manage_candidates')
  const list = useEndpoint(
    listCandidates,
    { params: usePlace() },
    { enabled: isWanted && seesList },
  )
  return seesList ? list.data?.candidates : undefined
}

/** Example: 'Ana, room 2.11'. */
const withRoom = (name: string, room: string | null) =>
  `${name}${room ? `, ${nameRoom(room)}` : ''}`

/** Choices in minutes ago. For older events, the note gives the time. */
const AGO = [0, 2, 5, 10, 20, 30, 60]

/** Reports an observation (product 7.16.8). @param props.about the only candidate it can be about */
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
  const people =
    useNamed(!about)
      ?.filter(({ room, isRevoked }) => !isRevoked && (ownRoom === null || room === ownRoom))
      .map(({ id, name, username, room }) => ({
        by: 'listed',
        id,
        room,
        name: name ?? username,
      })) ??
    candidates.map(({ id, number, room }) => ({ by: 'one', id, room, name: candidateName(number) }))
  const rooms = [...new Set(people.flatMap(({ room }) => room ?? []))].sort()
  const options: Option[] = [
    ...(ownRoom ? [] : [['all', 'all candidates'] as const]),
    ...rooms.map((room) => [`room ${room}`, `the whole of room ${room}`] as const),
    ...people.map(({ by, id, name, room }) => [`${by} ${id}`, withRoom(name, room)] as const),
  ]
  const start = ownRoom ? `room ${ownRoom}` : 'all'
  const whom: FieldSpec = { kind: 'select', label: 'About', start, options }
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
          hint: 'Another member must decide a report about one candidate.',
          placeholder: 'What happened, not what it means',
          maxLength: REPORT_LENGTH,
          wrong: 'Describe what you saw.',
        },
      }}
      bodyOf={({ whom = `one ${about?.id}`, ago, note }) => {
        const after = (start: string) =>
          String(whom).startsWith(start) ? String(whom).slice(start.length) : null
        const of = { candidate: after('one '), listed: after('listed '), room: after('room ') }
        const happenedAt = new Date(openedAtMs - Number(ago) * 60_000).toISOString()
        return { id, note, ...of, happenedAt }
      }}
      button={['Save the report', 'Saving…']}
      done="Report saved"
      onClose={props.onClose}
    />
  )
}

/** Compares the answers of two candidates, with a reason (product 7.16.15). */
export function CompareDialog(props: {
  candidates: readonly ListedCandidate[]
  onClose: () => void
}) {
  const place = usePlace()
  const comparable = useEndpoint(getComparable, { params: place })
  const people = usePeople(props.candidates)
  const [picked, setPicked] = useState({ first: '', second: '' })
  const [reason, setReason] = useState('')
  const compare = useAct(() => {
    const body = { first: pickedOf(picked.first), second: pickedOf(picked.second), reason }
    return call(compareCandidates, { params: place, body })
  })
  const isReady = picked.first !== '' && picked.second !== '' && reason.trim() !== ''
  return (
    <DialogFrame
      title="Compare two candidates"
      text="Compare only a pair that you have a reason to ask about. The reason is saved in the log."
      wide
      button={comparable.data?.refusal === null ? ['Compare', 'Comparing…'] : null}
      problem={compare.problem}
      isReady={isReady}
      isBusy={compare.isBusy}
      onAct={() => isReady && compare.run()}
      onClose={props.onClose}
    >
      <Loaded of={comparable} name="comparison" isPart>
        {({ refusal }) =>
          refusal ? (
            <p>{refusal}</p>
          ) : (
            <>
              <div className="grid gap-3.5 md:grid-cols-2">
                {(['first', 'second'] as const).map((which) => (
                  <SelectField
                    key={which}
                    label={which === 'first' ? 'Candidate' : 'Other candidate'}
                    options={[['', 'Choose…']]}
                    groups={people}
                    value={picked[which]}
                    onChange={(value) => {
                      setPicked({ ...picked, [which]: value })
                      // A previous result must not stay next to the new pair.
                      compare.reset()
                    }}
                  />
                ))}
              </div>
              <AreaField
                label="Reason"
                maxLength={COMPARE_REASON_LENGTH}
                value={reason}
                onChange={setReason}
              />
              <div role="status">{compare.done && <Agreement found={compare.done} />}</div>
            </>
          )
        }
      </Loaded>
    </DialogFrame>
  )
}

const pickedOf = (value: string) => {
  const [by, id] = value.split(' ') as ['name' | 'number', string]
  return by === 'name' ? { listed: id } : { candidate: id }
}

/** Returns the finished candidates to choose from, by name for members who see the list, and by number. */
function usePeople(candidates: readonly ListedCandidate[]) {
  const finished = candidates.filter(({ number, isInside }) => number !== null && !isInside)
  const listed = (useNamed() ?? []).filter(({ attempt }) => attempt === 'done')
  const group = (label: string, options: [value: string, words: string][]) => ({
    label,
    options: options.sort(([, a], [, b]) => a.localeCompare(b)),
  })
  const byName = group(
    'By name',
    listed.map(({ id, name, username, room }) => [`name ${id}`, withRoom(name ?? username, room)]),
  )
  const byNumber = group(
    'By number',
    finished.map(({ id, number }) => [`number ${id}`, blindNumber(number ?? 0)]),
  )
  return byName.options.length > 0 ? [byName, byNumber] : [byNumber]
}

function Agreement({ found }: { found: ResponseOf<typeof compareCandidates> }) {
  const { people, answered, same, sameWrong, usual } = found
  const rows = [
    ['Same answer', same, usual.same],
    ['Same wrong answer', sameWrong, usual.sameWrong],
  ] as const
  return (
    <section className="border-ink border-t pt-4">
      <h3>
        {same} of {countOf(answered, 'answer')} {same === 1 ? 'is' : 'are'} the same.{' '}
        {sameWrong === 0 ? 'None' : sameWrong} of these {sameWrong > 1 ? 'are' : 'is'} wrong.
      </h3>
      <table className="table mt-3">
        <Heads
          of={[
            ['Answers'],
            ['These two', 'text-end!'],
            ['Expected for these scores', 'text-end! whitespace-normal!'],
          ]}
        />
        <tbody>
          {rows.map(([name, theirs, others]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="text-end font-semibold">{theirs}</td>
              <td className="text-end">{Math.round(others)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-3.5 text-pretty">
        <b className="font-semibold">This proves nothing by itself.</b>{' '}
        <span className="text-ink-2">
          {people} candidates make {(people * (people - 1)) / 2} pairs, and one pair always agrees
          most. Friends who studied together also agree more. Talk to both before you decide.
        </span>
      </p>
      <p className="hint mt-2">
        Superday doesn’t know where they sat or what was on their screens.
      </p>
    </section>
  )
}
