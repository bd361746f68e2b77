import { useCallback } from 'react'
import { formatMinutes } from '../../../platform/durations.ts'
import { blindNumber } from '../../blind-number.ts'
import type { NamedCandidate } from '../../contract/results.ts'
import { type Column, DataTable } from '../kit/data-table.tsx'
import { useListBar } from '../kit/list-bar.tsx'
import { notedOf, pointsShown, rankShown } from './results-words.ts'
import { isNear, type Shown } from './view.ts'

/** Those of whom most was seen stand first. */
const weightOf = ({ strikes, isEndedByStrikes, upheld, isUnwatched }: Shown): number =>
  Number(isEndedByStrikes) * 1_000 + strikes * 10 + upheld + Number(isUnwatched) / 2

const FILTERS = [
  { id: 'all', label: 'All', fits: () => true },
  { id: 'near', label: 'Too close to call', fits: isNear },
  {
    id: 'strikes',
    label: 'With strikes',
    fits: (one: Shown) => one.strikes > 0 || one.isEndedByStrikes,
  },
  {
    id: 'unwatched',
    label: 'Not watched throughout',
    fits: (one: Shown) => one.isUnwatched,
  },
]

const GROUP: Column<Shown> = { id: 'group', head: 'Group', cell: (one) => one.group }

const COLUMNS: readonly Column<Shown>[] = [
  {
    id: 'score',
    head: 'Score',
    className: 'whitespace-nowrap',
    sortBy: (one) => -one.points,
    isFalling: true,
    cell: (one) => (
      <>
        {pointsShown(one.points)}
        {one.error !== null && <small className="text-ink-2"> ± {one.error}</small>}
      </>
    ),
  },
  { id: 'rank', head: 'Rank', className: 'max-md:hidden', cell: (one) => rankShown(one.rank) },
  {
    id: 'time',
    head: 'Time',
    sortBy: (one) => one.seconds,
    cell: (one) => formatMinutes(one.seconds * 1000),
  },
  {
    id: 'noted',
    head: 'What was seen',
    className: 'text-pretty',
    sortBy: (one) => -weightOf(one),
    isFalling: true,
    cell: notedOf,
  },
]
const [SCORE, ...OTHERS] = COLUMNS as [Column<Shown>, ...Column<Shown>[]]
const WITH_GROUPS = [SCORE, GROUP, ...OTHERS]

/**
 * Everybody as a row; by score with the cut score between those above and below it.
 * @param props.line points; null: none is drawn
 */
export function ScoreList(props: {
  candidates: readonly Shown[]
  names: ReadonlyMap<string, NamedCandidate>
  line: number | null
  filter: string
  onFilter: (filter: string) => void
  chosenId: string | null
  onChoose: (id: string) => void
}) {
  const { candidates, names, line } = props
  const textOf = useCallback(
    ({ id, number }: Shown) => {
      const { name, username, email, room } = names.get(id) ?? {}
      return [blindNumber(number), name, username, email, room].join(' ')
    },
    [names],
  )
  const list = useListBar(candidates, {
    by: names.size > 0 ? 'Name or number' : 'Number',
    textOf,
    filters: FILTERS,
    told: [props.filter, props.onFilter],
  })
  const hasGroups = candidates.some(({ group }) => group !== null)
  return (
    <>
      {list.bar}
      <DataTable
        label="Candidates, by score"
        rows={list.shown}
        view={list.view}
        sort="score"
        empty="No candidates match."
        chosen={props.chosenId}
        onChoose={props.onChoose}
        name={{
          id: 'number',
          head: 'Number',
          sortBy: ({ number }) => number,
          text: ({ id, number }) => {
            const named = names.get(id)
            return named?.name ?? named?.username ?? blindNumber(number)
          },
          cell: ({ form }) => form && <small className="ml-2 text-ink-2">form {form}</small>,
        }}
        columns={hasGroups ? WITH_GROUPS : COLUMNS}
        rowClass={(one) => (isNear(one) ? 'bg-mid-soft' : '')}
        above={(one, before, by) =>
          line !== null &&
          by === 'score' &&
          one.points < line &&
          (before?.points ?? line) >= line && (
            <tr className="border-ink border-t-2">
              <td colSpan={6} className="font-[550] text-[12.5px]">
                Cut-off {pointsShown(line)}:{' '}
                {candidates.filter(({ points }) => points >= line).length} at or above
              </td>
            </tr>
          )
        }
      />
    </>
  )
}
