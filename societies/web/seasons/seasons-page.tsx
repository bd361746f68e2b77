import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { countOf } from '../../number-words.ts'
import { useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { useNowMs } from '../console/use-now.ts'
import { CardOfSeason } from './card-of-season.tsx'
import { KeepDialog } from './keep-dialog.tsx'
import { type KeptAssessment, type Season, seasonsQuery } from './queries.ts'
import { headlineOf, keptWords, satWords } from './season-words.ts'

/** /organise/:society/seasons: until when answers and names are kept (product 7.21). */
export function Seasons() {
  const { society } = useSociety()
  const nowMs = useNowMs(60_000)
  const found = useQuery(seasonsQuery(society.id))
  const [asked, setAsked] = useState<KeptAssessment | null>(null)
  if (!found.data) {
    return found.isError ? (
      <Message
        isError
        title="The seasons could not be loaded"
        actions={<TryAgain onClick={() => void found.refetch()} isBusy={found.isFetching} />}
      />
    ) : (
      <Spinner />
    )
  }
  const { retentionMonths, seasons } = found.data
  return (
    <>
      <Top title="Seasons" headline={headlineOf(found.data, nowMs)}>
        Answers and names of candidates are kept {countOf(retentionMonths, 'month')} after the last
        moment to start, for appeals, and delete themselves then. Owners are told 14 days before.
      </Top>
      {seasons.length === 0 && <p className="text-ink-2">No assessment yet.</p>}
      {seasons.map((season) => (
        <SeasonPart key={season.season ?? ''} season={season} nowMs={nowMs} onAsk={setAsked} />
      ))}
      {asked && (
        <KeepDialog
          assessment={asked}
          retentionMonths={retentionMonths}
          onClose={() => setAsked(null)}
        />
      )}
    </>
  )
}

function SeasonPart(props: {
  season: Season
  nowMs: number
  onAsk: (assessment: KeptAssessment) => void
}) {
  const { society, may } = useSociety()
  const { season, nowMs } = props
  return (
    <section className="mb-9">
      <div className="head">
        <h2>{season.season ?? 'Without a season'}</h2>
        <CardOfSeason season={season} nowMs={nowMs} />
      </div>
      <ul>
        {season.assessments.map((one) => (
          <li
            key={one.code}
            className="border-line border-b py-3 text-[13.5px] md:grid md:grid-cols-[200px_140px_minmax(0,1fr)_130px] md:items-baseline md:gap-x-5"
          >
            <h3 className="truncate font-sans text-[14.5px]! tracking-normal">
              {one.deletedAt === null ? (
                <Link
                  to={assessmentUrl(society.id, one.code)}
                  className="font-semibold hover:underline"
                >
                  {one.name}
                </Link>
              ) : (
                <span className="text-ink-2">{one.name}</span>
              )}
            </h3>
            <p className="text-ink-2">{satWords(one)}</p>
            <p
              className={`text-pretty ${one.warnedAt && !one.deletedAt ? 'amber font-semibold' : ''}`}
            >
              {keptWords(one, nowMs)}
              {one.hasOwnDay && !one.deletedAt && (
                <span className="font-normal text-ink-2"> A day of its own.</span>
              )}
            </p>
            {may('edit_society') && isChangeable(one) && (
              <button
                type="button"
                className="quiet-link min-h-8 justify-self-end max-md:min-h-11"
                onClick={() => props.onAsk(one)}
              >
                Change the day
                <span className="sr-only"> of {one.name}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const isChangeable = (one: KeptAssessment) =>
  one.deletedAt === null && !one.isDraft && !one.isSample
