import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { exportSocietyLog, readSocietyLog } from '../../contract/log.ts'
import { zoneDay, zoneTime } from '../../zone-time.ts'
import { useSociety } from '../console/console.tsx'
import { Top } from '../console/top.tsx'
import { useNowMs } from '../console/use-now.ts'
import { SelectField } from '../kit/fields.tsx'
import { Loaded } from '../kit/loaded.tsx'
import { ActButton, useAct } from '../kit/use-act.tsx'
import { aboutWords, actionName, headlineOf, type LogEntry, type LogPart } from './log-words.ts'

/** What is left in: a test, a name, a kind of act, a candidate. */
interface LogFilters {
  assessment?: string
  actor?: string
  action?: string
  about?: string
}

/** /organise/:society/log: who did what, newest first, in the whole society or with one test (product 7.20). */
export function LogPage() {
  const { society } = useSociety()
  const [search, setSearch] = useSearchParams()
  const filters: LogFilters = {}
  for (const name of ['assessment', 'actor', 'action', 'about'] as const) {
    const value = search.get(name)
    if (value) filters[name] = value
  }
  const log = useLog(society.id, filters)
  const first = log.data?.pages[0]
  if (!first) {
    return (
      <Loaded of={{ ...log, data: undefined }} name="log">
        {() => null}
      </Loaded>
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
        acts={first.count > 0 && first.isAll && <Export filters={filters} />}
      >
        {first.isAll
          ? 'What organizers did, newest first. Entries can’t be changed or deleted.'
          : 'What you did, newest first. Owners and reviewers can read the whole log.'}
      </Top>
      {first.actors.length > 0 && (
        <search className="mb-2 flex flex-wrap items-end gap-x-5 gap-y-3">
          <Choice
            label="Test"
            all="Whole society"
            value={filters.assessment}
            options={first.assessments}
            onChoose={(value) => choose('assessment', value)}
          />
          <Choice
            label="Who"
            all="Everyone"
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
          {first.actors.length === 0 ? 'No entries yet.' : 'No entries match.'}
        </p>
      ) : (
        <ol className="border-ink border-t" aria-label="Entries, newest first">
          {entries.map((entry) => (
            <Entry key={entry.id} entry={entry} namesTest={!filters.assessment} />
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
          {log.isFetchingNextPage ? 'Loading…' : 'Older entries'}
        </button>
      )}
    </>
  )
}

/** The log, a page at a time. */
function useLog(society: string, filters: LogFilters) {
  return useInfiniteQuery({
    queryKey: endpointKey(readSocietyLog, { params: { society }, query: filters }),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam === null ? {} : { before: String(pageParam) }) }
      return call(readSocietyLog, { params: { society }, query }, { signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last: LogPart) => (last.hasOlder ? (last.entries.at(-1)?.id ?? null) : null),
    placeholderData: keepPreviousData,
    // What was just done on another page shows at once.
    staleTime: 0,
  })
}

function Entry({ entry, namesTest }: { entry: LogEntry; namesTest: boolean }) {
  const { timeZone } = useSociety().society
  const nowMs = useNowMs(60_000)
  return (
    <li className="grid gap-x-4 border-line border-b py-2.5 text-[13.5px] md:grid-cols-[170px_minmax(0,1fr)]">
      <time dateTime={entry.at} className="figures text-ink-2">
        {zoneDay(entry.at, timeZone, nowMs)}, {zoneTime(entry.at, timeZone)}
      </time>
      <div className="min-w-0">
        <p className="break-words">
          <b className="font-medium">{entry.isYou ? 'You' : entry.by}</b> {entry.what}
          {namesTest && entry.assessment && (
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
              className="link underline underline-offset-3 inline-flex min-h-6 items-center max-md:min-h-11"
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
  const { value, options, nameOf = (option: string) => option } = props
  // An address can name a test that has no entries.
  const isMissing = value !== undefined && !options.includes(value)
  return (
    <SelectField
      className="w-56 max-md:w-full"
      label={props.label}
      options={[
        ['', props.all],
        ...(isMissing ? [value, ...options] : options).map((one) => [one, nameOf(one)] as const),
      ]}
      value={value ?? ''}
      onChange={props.onChoose}
    />
  )
}

function Export({ filters }: { filters: LogFilters }) {
  const { society } = useSociety()
  const make = useAct(
    () => call(exportSocietyLog, { params: { society: society.id }, body: filters }),
    ({ csv }) =>
      saveAsFile(`${filters.assessment ?? 'society'}-log.csv`, csv, 'text/csv;charset=utf-8'),
  )
  return (
    <ActButton act={make} busy="Downloading…">
      <Download size={15} aria-hidden /> Download CSV
    </ActButton>
  )
}
