import { Fragment, useCallback, useMemo } from 'react'
import { Link } from 'react-router'
import { describeDuration } from '../../../platform/durations.ts'
import { countOf } from '../../../platform/words.ts'
import { blindNumber } from '../../kit/role-words.ts'
import { AskButton, REASON } from '../../kit/web/ask.tsx'
import { type Column, DataTable } from '../../kit/web/data-table.tsx'
import { type Filter, useListBar } from '../../kit/web/list-bar.tsx'
import { Section } from '../../kit/web/section.tsx'
import { usePlace, useUrlOf } from '../../kit/web/use-act.tsx'
import {
  excludeFromRanking,
  type FormResults,
  type NamedCandidate,
  type Results,
} from '../contract.ts'
import {
  coefficient,
  excludedOf,
  hiddenOf,
  isNear,
  notedOf,
  pointsShown,
  rankShown,
  type Shown,
} from './results-words.ts'

/** Counts a candidate's notes by severity, for sorting. */
const weightOf = (one: Shown): number =>
  (one.open + Number(one.isFast)) * 10_000 +
  Number(one.isEndedByStrikes) * 1_000 +
  one.strikes * 10 +
  one.upheld +
  Number(one.isUnwatched) / 2

const FILTERS: readonly Filter<Shown>[] = [
  { id: 'all', label: 'All', fits: () => true },
  { id: 'near', label: 'Too close to call', fits: isNear },
  {
    id: 'strikes',
    label: 'With strikes',
    fits: (one) => one.strikes > 0 || one.isEndedByStrikes,
  },
  { id: 'fast', label: 'Too fast', fits: ({ isFast }) => isFast },
  { id: 'unwatched', label: 'Not fully monitored', fits: (one) => one.isUnwatched },
]

const COLUMNS: readonly Column<Shown>[] = [
  {
    id: 'score',
    head: 'Score',
    className: 'whitespace-nowrap',
    sortBy: (one) => -one.right,
    isFalling: true,
    cell: (one) => (
      <>
        {one.right}
        {one.error !== null && <small className="text-ink-2"> ± {one.error}</small>}
      </>
    ),
  },
  { id: 'group', head: 'Group', cell: (one) => one.group },
  { id: 'rank', head: 'Rank', className: 'max-md:hidden', cell: (one) => rankShown(one.rank) },
  {
    id: 'time',
    head: 'Time',
    className: 'whitespace-nowrap',
    sortBy: (one) => one.seconds,
    cell: (one) => describeDuration(one.seconds),
  },
  {
    id: 'noted',
    head: 'Flags',
    className: 'text-pretty',
    sortBy: (one) => -weightOf(one),
    isFalling: true,
    cell: (one) => (
      <span className={one.open > 0 || one.isFast ? 'amber font-medium' : ''}>{notedOf(one)}</span>
    ),
  },
]
const WITHOUT_GROUPS = COLUMNS.filter(({ id }) => id !== 'group')

/**
 * Lists candidates by score, with the cut score in between.
 * @param props.line null: none
 */
export function ScoreList(props: {
  results: Results
  candidates: readonly Shown[]
  names: ReadonlyMap<string, NamedCandidate>
  line: number | null
  filter: string
  onFilter: (filter: string) => void
  isOwner: boolean
  chosenId: string | null
  onChoose: (id: string) => void
}) {
  const { results, candidates, names, line } = props
  const filters = useMemo(() => {
    const rooms = new Set([...names.values()].flatMap(({ room }) => room ?? []))
    if (!results.names.shownAt || rooms.size < 2) return FILTERS
    const byRoom = [...rooms].sort().map(
      (room): Filter<Shown> => ({
        id: `room ${room}`,
        label: /room/i.test(room) ? room : `Room ${room}`,
        fits: ({ id }) => names.get(id)?.room === room,
      }),
    )
    return [...FILTERS, ...byRoom]
  }, [names, results.names.shownAt])
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
    filters,
    told: [props.filter, props.onFilter],
  })
  return (
    <Section title="Every candidate, by score">
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
          head: names.size > 0 ? 'Candidate' : 'Number',
          sortBy: ({ number }) => number,
          text: ({ id, number }) => {
            const named = names.get(id)
            return named?.name ?? named?.username ?? blindNumber(number)
          },
          cell: ({ form }) => form && <small className="ml-2 text-ink-2">form {form}</small>,
        }}
        columns={candidates.some(({ group }) => group !== null) ? COLUMNS : WITHOUT_GROUPS}
        rowClass={(one) => (isNear(one) ? 'bg-mid-soft' : '')}
        above={(one, before, by) =>
          line !== null &&
          by === 'score' &&
          one.right < line &&
          (before?.right ?? line) >= line && (
            <tr className="border-ink border-t-2">
              <td colSpan={6} className="font-[550] text-[12.5px]">
                Cut score {pointsShown(line)}:{' '}
                {candidates.filter(({ right }) => right >= line).length} at or above
              </td>
            </tr>
          )
        }
      />
      <UnderReview hidden={hiddenOf(results)} />
      <Excluded all={excludedOf(results.forms)} isOwner={props.isOwner} />
      {results.forms.map((form) => (
        <Legend key={form.form} form={form} />
      ))}
    </Section>
  )
}

/** Lists candidates with scores hidden until their incidents are decided, with links (product 7.16.13). */
function UnderReview({ hidden }: { hidden: FormResults['underReview'] }) {
  const urlOf = useUrlOf()
  if (hidden.length === 0) return null
  return (
    <p className="mt-4 max-w-[90ch]">
      <span className="amber font-[550]">
        {countOf(hidden.length, 'score is', 'scores are')} hidden
      </span>{' '}
      until the incidents are decided, so that scores don’t influence the decisions:{' '}
      {hidden.map(({ id, number }, at) => (
        <Fragment key={id}>
          {at > 0 && ', '}
          <Link
            className="link underline underline-offset-3 max-md:inline-flex max-md:min-h-11 max-md:items-center"
            to={urlOf(`incidents/${id}`)}
          >
            {blindNumber(number)}
          </Link>
        </Fragment>
      ))}
      .
    </p>
  )
}

/** Lists candidates excluded by an owner, with the reason and a button to include them again (product 7.17.3). */
function Excluded(props: { all: ReturnType<typeof excludedOf>; isOwner: boolean }) {
  const place = usePlace()
  if (props.all.length === 0) return null
  return (
    <Section title="Excluded from the ranking" className="mt-8.5">
      <ul>
        {props.all.map((one) => (
          <li key={one.id} className="border-line border-b py-2.5 text-ink-2">
            <b className="font-medium">{blindNumber(one.number)}</b>, {countOf(one.right, 'point')}:{' '}
            <span className="whitespace-pre-line break-words">“{one.excluded.reason}”</span>{' '}
            {one.excluded.by}{' '}
            {props.isOwner && (
              <AskButton
                words={`Put ${blindNumber(one.number)} back…`}
                className="quiet-link max-md:min-h-11"
                title={`Put candidate ${blindNumber(one.number)} back into the ranking?`}
                endpoint={excludeFromRanking}
                input={{ params: { ...place, candidate: one.id }, body: { isExcluded: false } }}
                fields={{ reason: REASON }}
                button={['Put back into the ranking', 'Putting back…']}
              />
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Legend({ form: { form, reliability, margin } }: { form: FormResults }) {
  if (reliability === null) return null
  return (
    <p className="hint mt-3 text-ink-2">
      {form && `Form ${form}: `}
      {margin !== null && '± is the 90% margin of error, in points. '}KR-20{' '}
      {coefficient(reliability)}.
    </p>
  )
}
