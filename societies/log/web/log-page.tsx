import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { Link, useSearchParams } from 'react-router'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import { assessmentUrl } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { saveAsFile } from '../../../platform/web/save-file.ts'
import { endpointKey } from '../../../platform/web/use-endpoint.ts'
import { countOf } from '../../../platform/words.ts'
import { candidateName } from '../../incidents/web/incident-headlines.ts'
import { useSociety } from '../../kit/web/console/console.tsx'
import { useNowMs } from '../../kit/web/console/use-now.ts'
import { SelectField } from '../../kit/web/fields.tsx'
import { Loaded } from '../../kit/web/loaded.tsx'
import { Top } from '../../kit/web/section.tsx'
import { ActButton, useAct } from '../../kit/web/use-act.tsx'
import { zoneDay, zoneSecond, zoneTime } from '../../kit/zone-time.ts'
import { exportSocietyLog, readSocietyLog } from '../contract.ts'

type LogPart = ResponseOf<typeof readSocietyLog>
type LogEntry = LogPart['entries'][number]

const FILTERS = ['assessment', 'actor', 'action'] as const
type LogFilters = Partial<Record<(typeof FILTERS)[number], string>>

/** /organise/:society/log shows who did what, newest first, for the society or one test (product 7.20). */
export function LogPage() {
  const { society } = useSociety()
  const [search] = useSearchParams()
  const filters: LogFilters = Object.fromEntries(
    FILTERS.map((name) => [name, search.get(name) ?? '']).filter(([, value]) => value !== ''),
  )
  const params = { society: society.id }
  const log = useInfiniteQuery({
    queryKey: endpointKey(readSocietyLog, { params, query: filters }),
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, ...(pageParam !== null && { before: String(pageParam) }) }
      return call(readSocietyLog, { params, query }, { signal })
    },
    initialPageParam: null as number | null,
    getNextPageParam: (last: LogPart) => (last.hasOlder ? (last.entries.at(-1)?.id ?? null) : null),
    placeholderData: keepPreviousData,
    // Recent actions on other pages must show immediately.
    staleTime: 0,
  })
  return (
    <Loaded of={log} name="log">
      {({ pages }) => {
        const first = pages[0] as LogPart
        const entries = pages.flatMap((page) => page.entries)
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
            {first.actors.length > 0 && <Filters filters={filters} choices={first} />}
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
      }}
    </Loaded>
  )
}

/** '120 entries'; '3 entries by you' for a member who only sees their own. */
function headlineOf({ count, isAll }: LogPart): string {
  if (count === 0) return 'No entries'
  return `${countOf(count, 'entry', 'entries')}${isAll ? '' : ' by you'}`
}

/** Actions whose stored name isn't the one on the screens. */
const ACTION_NAMES: Readonly<Record<string, string>> = {
  'fix-line': 'Lock the cut score',
  'set-line': 'Change the cut score',
  regrade: 'Rule on a question',
  slips: 'Print credential sheets',
  load: 'Load questions',
  purge: 'Delete for good',
}

/** 'extra-time' becomes 'Extra time'. */
const nameOf = (filter: keyof LogFilters, value: string) =>
  filter === 'action' ? (ACTION_NAMES[value] ?? upperFirst(value.replaceAll('-', ' '))) : value
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function Filters({ filters, choices }: { filters: LogFilters; choices: LogPart }) {
  const [, setSearch] = useSearchParams()
  const choose = (name: keyof LogFilters, value: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        next.delete(name)
        if (value) next.set(name, value)
        return next
      },
      { replace: true },
    )
  const selects = [
    ['assessment', 'Test', 'Whole society', choices.assessments],
    ['actor', 'Who', 'Everyone', choices.actors],
    ['action', 'What', 'Everything', choices.actions],
  ] as const
  return (
    <search className="mb-4 flex flex-wrap items-end gap-x-5 gap-y-3">
      {selects.map(([name, label, all, options]) => {
        const value = filters[name] ?? ''
        // The address can name a test without entries.
        const listed = [...new Set(['', ...options, value])]
        return (
          <SelectField
            key={name}
            className="w-56 max-md:w-full"
            label={label}
            options={listed.map((one) => [one, one === '' ? all : nameOf(name, one)])}
            value={value}
            onChange={(next) => choose(name, next)}
          />
        )
      })}
    </search>
  )
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
        {entry.about.length > 0 && (
          <ul>
            {entry.about.map((one) => (
              <li key={`${one.candidate} ${one.incident?.name}`}>
                <About one={one} entry={entry} />
              </li>
            ))}
          </ul>
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

/** Links to the incident of a verdict, a revealed name or a strike (product 7.20.1). */
function About({ one, entry }: { one: LogEntry['about'][number]; entry: LogEntry }) {
  const { society } = useSociety()
  const { candidate, incident } = one
  const words = aboutWords(one, society.timeZone)
  if (candidate === null || entry.assessment === null) return words
  return (
    <Link
      className="link underline underline-offset-3 inline-flex min-h-6 items-center max-md:min-h-11"
      to={{
        pathname: assessmentUrl(society.id, entry.assessment, `incidents/${candidate}`),
        hash: encodeURIComponent(incident?.name ?? ''),
      }}
    >
      {words}
    </Link>
  )
}

/** 'Candidate 021, strike 3 at 09:12:03: Away for 14 s'; without the number if the entry has the name. */
function aboutWords({ candidate, number, incident }: LogEntry['about'][number], timeZone: string) {
  if (!incident) return candidateName(number)
  const whose = [candidate && candidateName(number), incident.strike && `strike ${incident.strike}`]
  const what = upperFirst(whose.filter(Boolean).join(', '))
  return `${what} at ${zoneSecond(incident.at, timeZone)}: ${incident.lead}`
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
