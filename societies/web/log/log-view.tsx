import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useId, useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { Message, TryAgain } from '../../../platform/web/ui/message.tsx'
import { Spinner } from '../../../platform/web/ui/spinner.tsx'
import { exportAssessmentLog, exportSocietyLog } from '../../contract/log.ts'
import { zoneDay, zoneTime } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { useNowMs } from '../console/use-now.ts'
import { aboutWords, actionName, headlineOf } from './log-words.ts'
import { type LogEntry, type LogFilters, type LogPlace, logQuery } from './queries.ts'

/**
 * Who did what, newest first: of an assessment, or of the whole society (product 7.20).
 * @param props.timeZone in which its times are told
 */
export function LogView({ place, timeZone }: { place: LogPlace; timeZone: string }) {
  const [search, setSearch] = useSearchParams()
  const filters: LogFilters = {}
  for (const name of ['actor', 'action', 'about'] as const) {
    const value = search.get(name)
    if (value) filters[name] = value
  }
  const log = useInfiniteQuery(logQuery(place, filters))
  const first = log.data?.pages[0]
  if (!first) {
    return log.isError ? (
      <Message
        isError
        title="The log could not be loaded"
        actions={<TryAgain onClick={() => void log.refetch()} isBusy={log.isFetching} />}
      />
    ) : (
      <Spinner />
    )
  }
  const choose = (name: keyof LogFilters, value: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { replace: true },
    )
  const entries = log.data?.pages.flatMap((page) => page.entries) ?? []
  return (
    <>
      <Top
        title="Log"
        headline={headlineOf(first)}
        acts={first.count > 0 && first.chain && <Export place={place} filters={filters} />}
      >
        {first.chain
          ? `What organisers did, newest first. Entries are written once: each one is bound to the one before it, so that a gap or a change would show here.${place.code === null ? '' : ' Their numbers run through all tests of the society.'}`
          : 'What you did yourself, newest first. Owners and reviewers read the whole log.'}
      </Top>
      {first.chain?.brokenAt != null && (
        <p role="alert" className="warning">
          Somebody changed the log in the database itself. Please tell whoever runs the server, and
          keep a copy of this page: up to entry {first.chain.brokenAt - 1} it stands as it was
          written.
        </p>
      )}
      {first.count > 0 && (
        <search className="mb-2 flex flex-wrap items-end gap-x-5 gap-y-3">
          <Choice
            label="Who"
            all="Everybody"
            value={filters.actor}
            options={first.actors}
            onChoose={(value) => choose('actor', value)}
          />
          <Choice
            label="What"
            all="Everything"
            value={filters.action}
            options={first.actions}
            nameOf={actionName}
            onChoose={(value) => choose('action', value)}
          />
          {filters.about && (
            <button type="button" className="btn-small" onClick={() => choose('about', '')}>
              About {filters.about}: show all
            </button>
          )}
        </search>
      )}
      {entries.length === 0 ? (
        <p className="border-line border-t py-4 text-ink-2">
          {first.count === 0 ? 'What you do from now on stands here.' : 'No entry fits.'}
        </p>
      ) : (
        <ol className="border-ink border-t" aria-label="Entries, newest first">
          {entries.map((entry) => (
            <Entry key={entry.number} entry={entry} place={place} timeZone={timeZone} />
          ))}
        </ol>
      )}
      {log.hasNextPage && (
        <button
          type="button"
          className="btn mt-5"
          aria-disabled={log.isFetchingNextPage}
          onClick={() => {
            if (!log.isFetchingNextPage) void log.fetchNextPage()
          }}
        >
          {log.isFetchingNextPage ? 'Loading …' : 'Older entries'}
        </button>
      )}
    </>
  )
}

function Entry(props: { entry: LogEntry; place: LogPlace; timeZone: string }) {
  const { entry, place, timeZone } = props
  const nowMs = useNowMs(60_000)
  return (
    <li className="grid grid-cols-[64px_minmax(0,1fr)] gap-x-4 border-line border-b py-2.5 text-[13.5px] md:grid-cols-[48px_170px_minmax(0,1fr)]">
      <span className="figures text-ink-2 max-md:row-span-2">{entry.number}</span>
      <time dateTime={entry.at} className="figures text-ink-2">
        {zoneDay(entry.at, timeZone, nowMs)}, {zoneTime(entry.at, timeZone)}
      </time>
      <div className="min-w-0 max-md:col-start-2">
        <p className="break-words">
          <b className="font-medium">{entry.isYou ? 'You' : entry.by}</b> {entry.what}
          {place.code === null && entry.assessment && (
            <span className="text-ink-2"> · {entry.assessment}</span>
          )}
          {entry.via === 'command' && <span className="text-ink-2"> · at the command line</span>}
        </p>
        {entry.about.length > 0 && entry.assessment && (
          <About about={entry.about} code={entry.assessment} timeZone={timeZone} />
        )}
        {entry.reason && (
          <p className="whitespace-pre-line break-words text-ink-2">“{entry.reason}”</p>
        )}
        {entry.isEmptied && (
          <p className="text-ink-2">What it told of people was deleted with the test.</p>
        )}
        {entry.facts.length > 0 && (
          <details className="mt-0.5">
            <summary className="hint inline-block min-h-6 cursor-pointer leading-6 max-md:min-h-11 max-md:leading-[44px]">
              Details
            </summary>
            <dl className="mt-1 mb-1.5 grid grid-cols-[minmax(90px,auto)_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-[12.5px]">
              {entry.facts.map(({ name, before, after }) => (
                <div key={name} className="contents">
                  <dt className="text-ink-2">{name}</dt>
                  <dd className="break-words">
                    {before !== null && (
                      <>
                        <span className="text-ink-2">{before}</span>
                        <span aria-hidden> → </span>
                        <span className="sr-only"> became </span>
                      </>
                    )}
                    {after}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        )}
      </div>
    </li>
  )
}

/** What a verdict, an uncovering or a strike was about, with where it stands (product 7.20.1). */
function About(props: { about: LogEntry['about']; code: string; timeZone: string }) {
  const { society } = useSociety()
  return (
    <ul>
      {props.about.map(({ candidate, number, incident }) => (
        <li key={`${candidate} ${incident?.name}`}>
          {candidate === null ? (
            aboutWords({ candidate, number, incident }, props.timeZone)
          ) : (
            <Link
              className="link underline underline-offset-3 max-md:inline-flex max-md:min-h-11 max-md:items-center"
              to={{
                pathname: assessmentUrl(society.id, props.code, `incidents/${candidate}`),
                hash: incident ? encodeURIComponent(incident.name) : '',
              }}
            >
              {aboutWords({ candidate, number, incident }, props.timeZone)}
            </Link>
          )}
        </li>
      ))}
    </ul>
  )
}

function Choice(props: {
  label: string
  /** when nothing is chosen */
  all: string
  value: string | undefined
  options: readonly string[]
  nameOf?: (option: string) => string
  onChoose: (value: string) => void
}) {
  const id = useId()
  return (
    <div className="w-56 max-md:w-full">
      <label className="label" htmlFor={id}>
        {props.label}
      </label>
      <select
        id={id}
        className="field"
        value={props.value ?? ''}
        onChange={(event) => props.onChoose(event.target.value)}
      >
        <option value="">{props.all}</option>
        {props.options.map((option) => (
          <option key={option} value={option}>
            {props.nameOf ? props.nameOf(option) : option}
          </option>
        ))}
      </select>
    </div>
  )
}

function Export({ place, filters }: { place: LogPlace; filters: LogFilters }) {
  const { society } = useSociety()
  const [failure, setFailure] = useState<string | null>(null)
  const { code } = place
  const make = useMutation({
    mutationFn: () =>
      code === null
        ? call(exportSocietyLog, { params: { society: society.id }, body: filters })
        : call(exportAssessmentLog, { params: { society: society.id, code }, body: filters }),
    onSuccess: ({ csv }) => {
      setFailure(null)
      saveAsFile(`${code ?? 'society'}-log.csv`, csv, 'text/csv;charset=utf-8')
    },
    onError: (error) => setFailure(error.message),
  })
  return (
    <>
      <button
        type="button"
        className="btn btn-ghost"
        aria-disabled={make.isPending}
        onClick={() => {
          if (!make.isPending) make.mutate()
        }}
      >
        <Download size={15} aria-hidden />
        {make.isPending ? 'Making the CSV …' : 'CSV'}
      </button>
      {failure && <p role="alert">{failure}</p>}
    </>
  )
}
