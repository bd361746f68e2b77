import { Fragment } from 'react'
import { Link } from 'react-router'
import { formatMinutes } from '../../../platform/durations.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { blindNumber } from '../../kit/role-words.ts'
import { ActButton, useAct, usePlace } from '../../kit/web/use-act.tsx'
import { type NamedCandidate, showName } from '../contract.ts'
import { notedOf, pointsShown, rankShown } from './results-words.ts'
import type { Shown } from './view.ts'

const STANDINGS = {
  'clearly-above': ', clearly above the cut score',
  'just-above': ', just above the cut score',
  'just-below': ', just below the cut score',
  'clearly-below': ', clearly below the cut score',
}

/** One candidate under a number, with links to the name and the report. */
export function CandidateCard(props: {
  one: Shown
  /** when names are shown, or this one was */
  named: NamedCandidate | null
  onNamed: (named: NamedCandidate) => void
}) {
  const { one, named, onNamed } = props
  const place = usePlace()
  const show = useAct(() => call(showName, { params: { ...place, candidate: one.id } }), onNamed)
  const called = `Candidate ${blindNumber(one.number)}`
  const facts = [
    ['Number', named && blindNumber(one.number)],
    ['Username', named?.username],
    ['Room', named?.room],
    ['Form', one.form],
    ['Rank', `${rankShown(one.rank)} of ${one.people}`],
    [
      'Group',
      one.group === null
        ? 'none is supported'
        : `${one.group}${one.standing ? STANDINGS[one.standing] : ''}`,
    ],
    ['Time', `${formatMinutes(one.seconds * 1000)} of ${formatMinutes(one.allowedSeconds * 1000)}`],
    ['Seen', notedOf(one)],
  ].filter(([, text]) => text)
  return (
    <section
      aria-label={called}
      className="rounded-md border border-line bg-surface px-4 pt-3.5 pb-4"
    >
      <div className="flex items-baseline gap-3">
        <h3 className="flex-1">{named?.name ?? named?.username ?? called}</h3>
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
        {!named && (
          <ActButton act={show} className="quiet-link min-h-7 text-[12.5px]">
            Show the name (saved in the log)
          </ActButton>
        )}
      </div>
    </section>
  )
}
