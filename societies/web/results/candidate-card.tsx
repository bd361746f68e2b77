import { Fragment } from 'react'
import { Link } from 'react-router'
import { formatMinutes } from '../../../platform/durations.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { blindNumber } from '../../blind-number.ts'
import { type NamedCandidate, showName } from '../../contract/results.ts'
import { ActButton, useAct, usePlace } from '../kit/use-act.tsx'
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
  const facts = [
    ['Number', named && blindNumber(one.number)],
    ['Username', named?.username],
    ['Room', named?.room],
    ['Form', one.form],
    ['Rank', `${rankShown(one.rank)} of ${one.people}`],
    ['Group', placeInWords(one)],
    ['Time', `${formatMinutes(one.seconds * 1000)} of ${formatMinutes(one.allowedSeconds * 1000)}`],
    ['Seen', notedOf(one)],
  ].filter(([, text]) => text)
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
        {facts.map(([term, text]) => (
          <Fragment key={term}>
            <dt>{term}</dt>
            <dd className="break-words">{text}</dd>
          </Fragment>
        ))}
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
  const show = useAct(() => call(showName, { params: { ...place, candidate: id } }), onNamed)
  return (
    <ActButton act={show} className="quiet-link min-h-7 text-[12.5px]">
      Show the name (goes into the log)
    </ActButton>
  )
}
