import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatMinutes } from '../../../assessments/time-left.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { type NamedCandidate, showName } from '../../contract/results.ts'
import { blindNumber } from '../../number-words.ts'
import { sentenceOf, usePlace } from '../console/use-act.ts'
import { resultsKey } from './queries.ts'
import { notedOf, placeInWords, pointsShown, rankShown } from './results-words.ts'
import type { Shown } from './view.ts'

/** One number: what is known of it without the name, and the way to its file. */
export function CandidateCard(props: {
  one: Shown
  /** when names are shown, or this one was asked for */
  named: NamedCandidate | null
  onNamed: (named: NamedCandidate) => void
}) {
  const { one, named, onNamed } = props
  const place = usePlace()
  return (
    <section
      aria-label={`Candidate ${blindNumber(one.number)}`}
      className="rounded-md border border-line bg-surface px-4 pt-3.5 pb-4"
    >
      <div className="flex items-baseline gap-3">
        <h3 className="flex-1">
          {named?.name ?? named?.username ?? `Candidate ${blindNumber(one.number)}`}
        </h3>
        <span className="whitespace-nowrap font-medium font-serif text-[22px]">
          {pointsShown(one.points)}{' '}
          {one.error !== null && <small className="text-[15px]">± {one.error}</small>}
        </span>
      </div>
      <dl className="figures mt-2.5 grid grid-cols-[92px_1fr] gap-y-1 text-[13.5px] [&_dt]:text-ink-2">
        {named && (
          <>
            <dt>Number</dt>
            <dd>{blindNumber(one.number)}</dd>
            <dt>Username</dt>
            <dd className="break-words">{named.username}</dd>
            {named.room && (
              <>
                <dt>Room</dt>
                <dd>{named.room}</dd>
              </>
            )}
          </>
        )}
        {one.form && (
          <>
            <dt>Form</dt>
            <dd>{one.form}</dd>
          </>
        )}
        <dt>Rank</dt>
        <dd>
          {rankShown(one.rank)} of {one.people}
        </dd>
        <dt>Group</dt>
        <dd>{placeInWords(one)}</dd>
        <dt>Time</dt>
        <dd>
          {formatMinutes(one.seconds * 1000)} of {formatMinutes(one.allowedSeconds * 1000)}
        </dd>
        {notedOf(one) && (
          <>
            <dt>Seen</dt>
            <dd>{notedOf(one)}</dd>
          </>
        )}
      </dl>
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <Link
          to={assessmentUrl(place.society, place.code, `incidents/${one.id}`)}
          className="btn btn-ghost btn-small"
        >
          Open the file
        </Link>
        {!named && <ShowName id={one.id} onNamed={onNamed} />}
      </div>
    </section>
  )
}

function ShowName({ id, onNamed }: { id: string; onNamed: (named: NamedCandidate) => void }) {
  const place = usePlace()
  const client = useQueryClient()
  const showing = useMutation({
    mutationFn: () => call(showName, { params: { ...place, candidate: id } }),
    onSuccess: async (named) => {
      onNamed(named)
      await client.invalidateQueries({ queryKey: resultsKey(place), exact: true })
    },
  })
  return (
    <>
      <button
        type="button"
        className="quiet-link min-h-7 text-[12.5px]"
        aria-disabled={showing.isPending}
        onClick={() => !showing.isPending && showing.mutate()}
      >
        Show the name (goes into the log)
      </button>
      {showing.error && (
        <span role="alert" className="amber text-[12.5px]">
          {sentenceOf(showing.error)}
        </span>
      )}
    </>
  )
}
