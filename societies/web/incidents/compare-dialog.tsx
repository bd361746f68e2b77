import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { call } from '../../../platform/web/api.ts'
import { Dialog } from '../../../platform/web/ui/dialog.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { COMPARE_REASON_LENGTH, compareCandidates } from '../../contract/compare.ts'
import { blindNumber, countOf } from '../../number-words.ts'
import { nameRoom } from '../../role-words.ts'
import { candidatesQuery } from '../candidates/queries.ts'
import { useSociety } from '../console/console.tsx'
import { ReasonField } from '../console/reason-field.tsx'
import { sentenceOf, useAct, usePlace } from '../console/use-act.ts'
import { comparableQuery, type ListedCandidate } from './queries.ts'

type Found = ResponseOf<typeof compareCandidates>

/** Compares the answers of a pair that somebody has a reason to ask about (product 7.16.15). */
export function CompareDialog(props: {
  candidates: readonly ListedCandidate[]
  onClose: () => void
}) {
  const { candidates, onClose } = props
  const comparable = useQuery(comparableQuery(usePlace()))
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Compare two candidates"
      description="For a pair you have a reason to ask about. The reason is saved in the log."
      wide
    >
      {comparable.data ? (
        comparable.data.refusal ? (
          <p>{comparable.data.refusal}</p>
        ) : (
          <Asking candidates={candidates} onClose={onClose} />
        )
      ) : comparable.isError ? (
        <p role="alert">{sentenceOf(comparable.error)}</p>
      ) : (
        <Spinner />
      )}
    </Dialog>
  )
}

function Asking(props: { candidates: readonly ListedCandidate[]; onClose: () => void }) {
  const id = useId()
  const place = usePlace()
  const people = usePeople(props.candidates)
  const [picked, setPicked] = useState({ first: '', second: '' })
  const [reason, setReason] = useState('')
  const comparing = useAct((pair: { first: string; second: string }) =>
    call(compareCandidates, {
      params: place,
      body: { first: pickedOf(pair.first), second: pickedOf(pair.second), reason },
    }),
  )
  const isReady = picked.first !== '' && picked.second !== '' && reason.trim() !== ''
  function submit(event: FormEvent): void {
    event.preventDefault()
    if (isReady) comparing.run(picked)
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <div className="grid gap-3.5 md:grid-cols-2">
        {(['first', 'second'] as const).map((which) => (
          <div key={which}>
            <label htmlFor={`${id}-${which}`} className="label">
              {which === 'first' ? 'Candidate' : 'Other candidate'}
            </label>
            <select
              id={`${id}-${which}`}
              className="field w-full"
              value={picked[which]}
              onChange={(event) => {
                setPicked({ ...picked, [which]: event.target.value })
                // What was found is of the pair before.
                comparing.reset()
              }}
            >
              <option value="">Choose…</option>
              {people.map(({ label, options }) => (
                <optgroup key={label} label={label}>
                  {options.map(([value, text]) => (
                    <option key={value} value={value}>
                      {text}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          </div>
        ))}
      </div>
      <div>
        <label htmlFor={`${id}-reason`} className="label">
          Reason
        </label>
        <ReasonField
          id={`${id}-reason`}
          maxLength={COMPARE_REASON_LENGTH}
          value={reason}
          onChange={setReason}
        />
      </div>
      {comparing.problem && (
        <p role="alert" className="amber">
          {comparing.problem}
        </p>
      )}
      <div role="status">{comparing.done && <Agreement found={comparing.done} />}</div>
      <div className="flex justify-end gap-2">
        <button type="button" className="btn btn-ghost" onClick={props.onClose}>
          Close
        </button>
        <button type="submit" className="btn" aria-disabled={!isReady || comparing.isBusy}>
          {comparing.isBusy ? 'Comparing…' : 'Compare'}
        </button>
      </div>
    </form>
  )
}

/** What the two have in common, beside what is usual, and why that proves nothing. */
function Agreement({ found }: { found: Found }) {
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
        <thead>
          <tr>
            <td />
            <th scope="col" className="text-end!">
              These two
            </th>
            <th scope="col" className="text-end!">
              Usual for such scores
            </th>
          </tr>
        </thead>
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

/** Who can be picked: by name for those who see the list of candidates, and by number. */
function usePeople(candidates: readonly ListedCandidate[]) {
  const seesList = useSociety().may('manage_candidates')
  const list = useQuery({ ...candidatesQuery(usePlace()), enabled: seesList })
  const finished = candidates.filter(({ number, isInside }) => number !== null && !isInside)
  const ids = new Set(finished.map(({ id }) => id))
  const names = (seesList ? (list.data?.candidates ?? []) : [])
    .filter(({ id }) => ids.has(id))
    .map(({ id, name, username, room }): [string, string] => [
      `name ${id}`,
      `${name ?? username}${room ? `, ${nameRoom(room)}` : ''}`,
    ])
  const numbers = finished.map(({ id, number }): [string, string] => [
    `number ${id}`,
    blindNumber(number ?? 0),
  ])
  const sorted = (options: [string, string][]) => options.sort(([, a], [, b]) => a.localeCompare(b))
  return [
    ...(names.length > 0 ? [{ label: 'By name', options: sorted(names) }] : []),
    { label: 'By number', options: sorted(numbers) },
  ]
}

function pickedOf(value: string) {
  const [by, id = ''] = value.split(' ')
  return { id, by: by === 'name' ? ('name' as const) : ('number' as const) }
}
