import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isReady } from '../../../assessments/rehearsal.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { zoneMoment } from '../../zone-time.ts'
import { useAssessment } from '../console/console.tsx'
import { useNowMs } from '../console/use-now.ts'
import { CopyLink } from './copy-link.tsx'
import { findingsText } from './finding-words.ts'
import { type Of, type RehearsedPeople, rehearsedPeopleQuery } from './queries.ts'

type Person = RehearsedPeople['candidates'][number]
type Shown = 'all' | 'ready' | 'to_mend' | 'not_tried'
const FILTERS: readonly [Shown, string][] = [
  ['all', 'All'],
  ['to_mend', 'With something to mend'],
  ['not_tried', 'Have not tried'],
  ['ready', 'Ready'],
]

function stateOf({ checkedAt, findings }: Pick<Person, 'checkedAt' | 'findings'>): Shown {
  if (checkedAt === null) return 'not_tried'
  return isReady(findings) ? 'ready' : 'to_mend'
}

/** The list, with what each rehearsal found (product 7.11.7). */
export function RehearsedCandidates({ of }: { of: Of }) {
  const found = useQuery(rehearsedPeopleQuery(of))
  const [shown, setShown] = useState<Shown>('all')
  const [search, setSearch] = useState('')
  const people = found.data?.candidates
  if (found.isError && !people) {
    return (
      <div className="mt-10">
        <Message
          isError
          title="The list could not be loaded"
          actions={<TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />}
        />
      </div>
    )
  }
  if (!people || people.length === 0) return null
  const wanted = search.trim().toLowerCase()
  const rows = people.filter(
    (one) =>
      (shown === 'all' || stateOf(one) === shown) &&
      `${one.name ?? ''} ${one.username} ${one.room ?? ''}`.toLowerCase().includes(wanted),
  )
  return (
    <section aria-labelledby="candidates-title" className="mt-10">
      <div className="head">
        <h2 id="candidates-title">Candidates</h2>
      </div>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <div className="filters">
          {FILTERS.map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={shown === name}
              className="max-md:min-h-11!"
              onClick={() => setShown(name)}
            >
              {label}
              <small>
                {name === 'all'
                  ? people.length
                  : people.filter((one) => stateOf(one) === name).length}
              </small>
            </button>
          ))}
        </div>
        <input
          type="search"
          aria-label="Search candidates"
          placeholder="Name, username, room"
          className="field w-60 max-md:w-full"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </div>
      <table className="table mt-2">
        <thead className="max-md:sr-only">
          <tr>
            <th scope="col">Candidate</th>
            <th scope="col">Found</th>
            <th scope="col">Tried</th>
            <th scope="col">Own link</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((one) => (
            <tr
              key={one.username}
              className="max-md:block max-md:border-line max-md:border-b max-md:py-2"
            >
              <td className={CELL}>
                <span className="font-medium">{one.name ?? one.username}</span>
                {one.name && <span className="hint ml-2">{one.username}</span>}
                {one.room && <span className="hint ml-2">{one.room}</span>}
              </td>
              <td className={CELL}>
                <Found {...one} />
              </td>
              <td className={CELL}>
                <Tried at={one.checkedAt} />
              </td>
              <td className={CELL}>
                <CopyLink isSmall link={one.link} label="Copy link" of={one.name ?? one.username} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="mt-4 text-ink-2">Nobody of these.</p>}
    </section>
  )
}

/** A cell is a line of its own on a phone. */
const CELL = 'max-md:block max-md:h-auto! max-md:border-0! max-md:py-1!'

/** Who helps on the day, and whether they know what candidates see. */
export function RehearsedHelpers({ of }: { of: Of }) {
  const { data } = useQuery(rehearsedPeopleQuery(of))
  if (!data || data.helpers.length === 0) return null
  return (
    <section aria-labelledby="helpers-title" className="mt-10">
      <div className="head">
        <h2 id="helpers-title">Helpers</h2>
        <span className="hint">Who has a role for this test, signed in as themselves</span>
      </div>
      <table className="table">
        <thead className="max-md:sr-only">
          <tr>
            <th scope="col">Helper</th>
            <th scope="col">Roles</th>
            <th scope="col">Found</th>
            <th scope="col">Tried</th>
          </tr>
        </thead>
        <tbody>
          {data.helpers.map((one) => (
            <tr
              key={one.email}
              className="max-md:block max-md:border-line max-md:border-b max-md:py-2"
            >
              <td className={`${CELL} break-all font-medium`}>{one.email}</td>
              <td className={CELL}>{one.roles.join(', ')}</td>
              <td className={CELL}>
                <Found {...one} />
              </td>
              <td className={CELL}>
                <Tried at={one.checkedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Found(one: Pick<Person, 'checkedAt' | 'findings'>) {
  const state = stateOf(one)
  if (state === 'not_tried') return <span className="text-ink-2">Has not tried</span>
  const words = findingsText(one.findings)
  if (state === 'ready') return <span>Ready{words && `, ${words}`}</span>
  return <span className="amber">To mend: {words}</span>
}

function Tried({ at }: { at: string | null }) {
  const { timeZone } = useAssessment()
  const nowMs = useNowMs(60_000)
  if (!at) return null
  return <time dateTime={at}>{zoneMoment(Date.parse(at), timeZone, nowMs)}</time>
}
