import { Fragment, useCallback, useState } from 'react'
import { Link } from 'react-router'
import { formatMinutes } from '../../../platform/durations.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { countOf } from '../../../platform/words.ts'
import { blindNumber } from '../../kit/role-words.ts'
import { coefficient } from '../../kit/statistics/figures.ts'
import { type Column, DataTable } from '../../kit/web/data-table.tsx'
import { useListBar } from '../../kit/web/list-bar.tsx'
import { Section } from '../../kit/web/section.tsx'
import { usePlace } from '../../kit/web/use-act.tsx'
import type { FormResults, NamedCandidate } from '../contract.ts'
import { notedOf, pointsShown, rankShown } from './results-words.ts'
import { isNear, type Results, type Shown } from './view.ts'

/** How much was seen of a candidate, for sorting. */
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
  { id: 'unwatched', label: 'Not watched throughout', fits: (one: Shown) => one.isUnwatched },
]

const SCORE: Column<Shown> = {
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
}
const GROUP: Column<Shown> = { id: 'group', head: 'Group', cell: (one) => one.group }
const OTHERS: readonly Column<Shown>[] = [
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
const COLUMNS = [SCORE, ...OTHERS]
const WITH_GROUPS = [SCORE, GROUP, ...OTHERS]

/**
 * A row for each candidate, sorted by score with the cut score between those above and below it.
 * @param props.line the cut score in points; null: there is none
 */
export function ScoreList(props: {
  results: Results
  candidates: readonly Shown[]
  names: ReadonlyMap<string, NamedCandidate>
  line: number | null
  filter: string
  onFilter: (filter: string) => void
  chosenId: string | null
  onChoose: (id: string) => void
}) {
  const { results, names, line } = props
  const [room, setRoom] = useState('')
  const rooms = [...new Set([...names.values()].flatMap((one) => one.room ?? []))].sort()
  // The rooms go with the names.
  const asked = rooms.includes(room) ? room : ''
  const candidates = props.candidates.filter(
    ({ id }) => asked === '' || names.get(id)?.room === asked,
  )
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
  return (
    <Section
      title="Every candidate, by score"
      hint={
        results.names.shownAt &&
        rooms.length > 1 && (
          <label>
            Room{' '}
            <select
              className="field w-auto!"
              value={room}
              onChange={(event) => setRoom(event.target.value)}
            >
              <option value="">all</option>
              {rooms.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
        )
      }
    >
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
        columns={candidates.some(({ group }) => group !== null) ? WITH_GROUPS : COLUMNS}
        rowClass={(one) => (isNear(one) ? 'bg-mid-soft' : '')}
        above={(one, before, by) =>
          line !== null &&
          by === 'score' &&
          one.points < line &&
          (before?.points ?? line) >= line && (
            <tr className="border-ink border-t-2">
              <td colSpan={6} className="font-[550] text-[12.5px]">
                Cut score {pointsShown(line)}:{' '}
                {candidates.filter(({ points }) => points >= line).length} at or above
              </td>
            </tr>
          )
        }
      />
      <UnderReview covered={results.forms.flatMap(({ underReview }) => underReview)} />
      {results.forms.map((form) => (
        <Legend key={form.form} form={form} />
      ))}
    </Section>
  )
}

/** Candidates whose score is hidden until their incidents are decided, with links (product 7.16.13). */
function UnderReview({ covered }: { covered: FormResults['underReview'] }) {
  const place = usePlace()
  if (covered.length === 0) return null
  return (
    <p className="mt-4 max-w-[90ch]">
      <span className="amber font-[550]">
        {countOf(covered.length, 'score is', 'scores are')} hidden
      </span>{' '}
      until the incidents are decided, so that the score doesn’t influence the decision:{' '}
      {covered.map(({ id, number }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Link
            className="link max-md:inline-flex max-md:min-h-11 max-md:items-center"
            to={assessmentUrl(place.society, place.code, `incidents/${id}`)}
          >
            {blindNumber(number)}
          </Link>
        </Fragment>
      ))}
      .
    </p>
  )
}

function Legend({ form: { form, middle, reliability, errors } }: { form: FormResults }) {
  const sentences = [
    errors && '± is one standard error at that score.',
    middle &&
      `Half of all candidates have ${pointsShown(middle.low)} to ${pointsShown(middle.high)} right; median ${pointsShown(middle.median)}, mean ${middle.mean.toFixed(1)}.`,
    reliability !== null && `KR-20 ${coefficient(reliability)}.`,
  ].filter(Boolean)
  if (sentences.length === 0) return null
  return (
    <p className="hint mt-3 text-ink-2">
      {form && `Form ${form}: `}
      {sentences.join(' ')}
    </p>
  )
}
