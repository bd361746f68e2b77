import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { assessmentUrl, fairnessUrl } from '../../../platform/urls.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { countOf } from '../../number-words.ts'
import { useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { useNowMs } from '../console/use-now.ts'
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
  /** Where it is published, or where everybody reads it. */
  const reportUrl = (one: KeptAssessment): string => {
    const mayPublish = may('edit_society') && one.satCount > 0 && !one.deletedAt
    if (mayPublish) return assessmentUrl(society.id, one.code, 'fairness')
    return one.fairnessReport ? fairnessUrl(one.fairnessReport) : ''
  }
  return (
    <section className="mb-9">
      <div className="head">
        <h2>{season.season ?? 'Without a season'}</h2>
      </div>
      <ul>
        {season.assessments.map((one) => (
          <li
            key={one.code}
            className="border-line border-b py-3 text-[13.5px] md:grid md:grid-cols-[200px_140px_minmax(0,1fr)_230px] md:items-baseline md:gap-x-5"
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
            <p className="flex flex-wrap justify-end gap-x-4">
              {reportUrl(one) && (
                <Link to={reportUrl(one)} className={LINK}>
                  Fairness report
                  <span className="sr-only"> of {one.name}</span>
                </Link>
              )}
              {may('edit_society') && isChangeable(one) && (
                <button type="button" className={LINK} onClick={() => props.onAsk(one)}>
                  Change the day
                  <span className="sr-only"> of {one.name}</span>
                </button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </section>
  )
}

const LINK = 'quiet-link inline-flex min-h-8 items-center max-md:min-h-11'

const isChangeable = (one: KeptAssessment) =>
  one.deletedAt === null && !one.isDraft && !one.isSample
