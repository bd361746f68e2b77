import { useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { useEndpoint } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { listCandidates } from '../../candidates/contract.ts'
import { blindNumber, nameRoom } from '../../kit/role-words.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { DialogFrame } from '../../kit/web/dialog-frame.tsx'
import { AreaField, SelectField } from '../../kit/web/fields.tsx'
import { Heads } from '../../kit/web/heads.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { useAct, usePlace } from '../../kit/web/use-act.tsx'
import { COMPARE_REASON_LENGTH, compareCandidates, getComparable } from '../contract-compare.ts'
import type { ListedCandidate } from './incident-headlines.ts'

/** Compares the answers of two candidates, with a reason (product 7.16.15). */
export function CompareDialog(props: {
  candidates: readonly ListedCandidate[]
  onClose: () => void
}) {
  const { candidates, onClose } = props
  const place = usePlace()
  const comparable = useEndpoint(getComparable, { params: place })
  const people = usePeople(candidates)
  const [picked, setPicked] = useState({ first: '', second: '' })
  const [reason, setReason] = useState('')
  const compare = useAct(() =>
    call(compareCandidates, {
      params: place,
      body: { first: pickedOf(picked.first), second: pickedOf(picked.second), reason },
    }),
  )
  const isReady = picked.first !== '' && picked.second !== '' && reason.trim() !== ''
  return (
    <DialogFrame
      title="Compare two candidates"
      text="For a pair you have a reason to ask about. The reason is saved in the log."
      wide
      button={comparable.data?.refusal === null ? ['Compare', 'Comparing…'] : null}
      problem={compare.problem}
      isReady={isReady}
      isBusy={compare.isBusy}
      onAct={() => isReady && compare.run()}
      onClose={onClose}
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
                      // The result is about the previous pair.
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

/** How many answers are the same, next to what is usual, and why that proves nothing. */
function Agreement({ found }: { found: ResponseOf<typeof compareCandidates> }) {
  const { people, answered, same, sameWrong, usual } = found
  const rows = [
    ['Same answer', same, usual.same],
    ['Same wrong answer', sameWrong, usual.sameWrong],
  ] as const
  return (
    <section className="border-ink border-t pt-4">
      <h3>
        {same} of {countOf(answered, 'answer')} {same === 1 ? 'is' : 'are'} the same,{' '}
        {sameWrong === 0 ? 'none' : sameWrong} of them the same wrong answer
      </h3>
      <table className="table mt-3">
        <Heads
          of={[['Answers'], ['These two', 'text-end!'], ['Usual for such scores', 'text-end!']]}
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
          {people} candidates make {(people * (people - 1)) / 2} pairs, and some pair always agrees
          most. Friends who studied together agree more, too. Talk to both before you decide.
        </span>
      </p>
      <p className="hint mt-2">Their seats and their screens are not known here.</p>
    </section>
  )
}

/** The candidates to choose from: by name for members who see the list, and by number. */
function usePeople(candidates: readonly ListedCandidate[]) {
  const seesList = useSociety().may('manage_candidates')
  const list = useEndpoint(listCandidates, { params: usePlace() }, { enabled: seesList })
  const finished = candidates.filter(({ number, isInside }) => number !== null && !isInside)
  const ids = new Set(finished.map(({ id }) => id))
  const group = (label: string, options: [value: string, words: string][]) => ({
    label,
    options: options.sort(([, a], [, b]) => a.localeCompare(b)),
  })
  const byName = group(
    'By name',
    (list.data?.candidates ?? [])
      .filter(({ id }) => ids.has(id))
      .map(({ id, name, username, room }) => [
        `name ${id}`,
        `${name ?? username}${room ? `, ${nameRoom(room)}` : ''}`,
      ]),
  )
  const byNumber = group(
    'By number',
    finished.map(({ id, number }) => [`number ${id}`, blindNumber(number ?? 0)]),
  )
  return byName.options.length > 0 ? [byName, byNumber] : [byNumber]
}

function pickedOf(value: string) {
  const [by, id = ''] = value.split(' ')
  return { id, by: by === 'name' ? ('name' as const) : ('number' as const) }
}
