import { Fragment, useDeferredValue, useMemo, useState } from 'react'
import { formatMinutes } from '../../../assessments/time-left.ts'
import type { NamedCandidate } from '../../contract/results.ts'
import { blindNumber, countOf } from '../../number-words.ts'
import { SearchField } from '../console/search-field.tsx'
import { notedOf, pointsShown, rankShown } from './results-words.ts'
import { isNear, type Shown } from './view.ts'

const SORTS = {
  number: { label: 'Number', of: (one: Shown) => one.number },
  score: { label: 'Score', of: (one: Shown) => -one.points },
  time: { label: 'Time', of: (one: Shown) => one.seconds },
  noted: { label: 'What was seen', of: (one: Shown) => -weightOf(one) },
}
/** Those of whom most was seen stand first. */
const weightOf = ({ strikes, isEndedByStrikes, upheld, isUnwatched }: Shown): number =>
  Number(isEndedByStrikes) * 1_000 + strikes * 10 + upheld + Number(isUnwatched) / 2

type Sort = keyof typeof SORTS

export const LIST_FILTERS = {
  all: { label: 'All', fits: () => true },
  near: { label: 'Too close to call', fits: isNear },
  strikes: { label: 'With strikes', fits: (one: Shown) => one.strikes > 0 || one.isEndedByStrikes },
  unwatched: { label: 'Not watched throughout', fits: (one: Shown) => one.isUnwatched },
}
export type ListFilter = keyof typeof LIST_FILTERS

/** Rows at first, and as many more each time that they are asked for. */
const ROWS = 200

/** Everybody as a row, searched and sorted; by score with the line between those above and below it. */
export function ScoreList(props: {
  candidates: readonly Shown[]
  names: ReadonlyMap<string, NamedCandidate>
  /** points; null: none is drawn */
  line: number | null
  filter: ListFilter
  onFilter: (filter: ListFilter) => void
  chosenId: string | null
  onChoose: (id: string) => void
}) {
  const { candidates, names, line, filter, onFilter, chosenId, onChoose } = props
  const [search, setSearch] = useState('')
  const [sort, setSort] = useState<Sort>('score')
  const [isReversed, setIsReversed] = useState(false)
  const [most, setMost] = useState(ROWS)
  const searched = useDeferredValue(search)
  const shown = useMemo(() => {
    const wanted = searched.trim().toLowerCase()
    const { of } = SORTS[sort]
    const sorted = candidates
      .filter(LIST_FILTERS[filter].fits)
      .filter((one) => wanted === '' || textOf(one, names.get(one.id)).includes(wanted))
      .sort((a, b) => of(a) - of(b) || a.number - b.number)
    return isReversed ? sorted.reverse() : sorted
  }, [candidates, names, filter, searched, sort, isReversed])
  const hasGroups = candidates.some(({ group }) => group !== null)
  // Where the line is drawn: only where the rows are in the order of scores.
  const firstBelow =
    line === null || sort !== 'score' || isReversed
      ? -1
      : shown.findIndex(({ points }) => points < line)

  return (
    <>
      <div className="flex flex-wrap items-center gap-x-5.5 gap-y-2 pt-3 pb-1">
        <SearchField
          by={names.size > 0 ? 'Name or number' : 'Number'}
          className="w-56"
          value={search}
          onChange={setSearch}
        />
        <fieldset className="filters">
          <legend className="sr-only">Show</legend>
          {(Object.keys(LIST_FILTERS) as ListFilter[]).map((id) => (
            <button
              key={id}
              type="button"
              aria-pressed={id === filter}
              className="max-md:min-h-11"
              onClick={() => onFilter(id)}
            >
              {LIST_FILTERS[id].label}
              <small>{candidates.filter(LIST_FILTERS[id].fits).length}</small>
            </button>
          ))}
        </fieldset>
      </div>
      <table className="table">
        <caption className="sr-only">{countOf(shown.length, 'candidate')}, one row each</caption>
        <thead>
          <tr>
            <Heading id="number" {...{ sort, isReversed, setSort, setIsReversed }} />
            <Heading id="score" {...{ sort, isReversed, setSort, setIsReversed }} />
            {hasGroups && <th scope="col">Group</th>}
            <th scope="col" className="max-md:hidden">
              Rank
            </th>
            <Heading id="time" {...{ sort, isReversed, setSort, setIsReversed }} />
            <Heading id="noted" {...{ sort, isReversed, setSort, setIsReversed }} />
          </tr>
        </thead>
        <tbody>
          {shown.slice(0, most).map((one, index) => (
            <Fragment key={one.id}>
              {index === firstBelow && line !== null && (
                <tr className="border-ink border-t-2">
                  <td colSpan={hasGroups ? 6 : 5} className="font-[550] text-[12.5px]">
                    Cut-off {pointsShown(line)}:{' '}
                    {candidates.filter(({ points }) => points >= line).length} at or above
                  </td>
                </tr>
              )}
              <ScoreRow
                {...{ one, hasGroups, onChoose }}
                named={names.get(one.id)}
                isChosen={one.id === chosenId}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="py-4 text-ink-2">Nobody.</p>}
      {shown.length > most && (
        <button type="button" className="btn btn-ghost mt-4" onClick={() => setMost(most + ROWS)}>
          Show more of the {shown.length}
        </button>
      )}
    </>
  )
}

function ScoreRow(props: {
  one: Shown
  named: NamedCandidate | undefined
  hasGroups: boolean
  isChosen: boolean
  onChoose: (id: string) => void
}) {
  const { one, named, hasGroups, isChosen, onChoose } = props
  return (
    <tr className={isChosen ? 'is-chosen' : isNear(one) ? 'bg-mid-soft' : ''}>
      <td>
        <button
          type="button"
          className="min-h-9 text-start hover:underline max-md:min-h-11"
          aria-pressed={isChosen}
          onClick={() => onChoose(one.id)}
        >
          {named ? (named.name ?? named.username) : blindNumber(one.number)}
          {one.form && <small className="ml-2 text-ink-2">form {one.form}</small>}
        </button>
      </td>
      <td className="whitespace-nowrap">
        {pointsShown(one.points)}
        {one.error !== null && <small className="text-ink-2"> ± {one.error}</small>}
      </td>
      {hasGroups && <td>{one.group}</td>}
      <td className="max-md:hidden">{rankShown(one.rank)}</td>
      <td>{formatMinutes(one.seconds * 1000)}</td>
      <td className="text-pretty">{notedOf(one)}</td>
    </tr>
  )
}

const textOf = (one: Shown, named: NamedCandidate | undefined) =>
  [blindNumber(one.number), named?.name, named?.username, named?.email, named?.room]
    .join(' ')
    .toLowerCase()

function Heading(props: {
  id: Sort
  sort: Sort
  isReversed: boolean
  setSort: (sort: Sort) => void
  setIsReversed: (isReversed: boolean) => void
}) {
  const { id, sort, isReversed, setSort, setIsReversed } = props
  const isHere = id === sort
  const isFalling = (id === 'score' || id === 'noted') !== isReversed
  return (
    <th scope="col" aria-sort={isHere ? (isFalling ? 'descending' : 'ascending') : undefined}>
      <button
        type="button"
        className={`min-h-6 max-md:min-h-11 ${isHere ? 'font-[550] text-ink' : ''}`}
        onClick={() => {
          setIsReversed(isHere ? !isReversed : false)
          setSort(id)
        }}
      >
        {SORTS[id].label}
        {isHere && <span aria-hidden> {isFalling ? '↓' : '↑'}</span>}
      </button>
    </th>
  )
}
