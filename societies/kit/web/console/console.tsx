import './console.css'
import { useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { createContext, type ReactNode, use, useLayoutEffect } from 'react'
import { Link, Outlet, useLocation, useParams } from 'react-router'
import { nameOf } from '../../../../accounts/person.ts'
import { spanUntil } from '../../../../platform/durations.ts'
import { assessmentUrl, societyUrl, URLS } from '../../../../platform/urls.ts'
import { useSession } from '../../../../platform/web/session.tsx'
import { Message } from '../../../../platform/web/ui/message.tsx'
import { useEndpoint } from '../../../../platform/web/use-endpoint.ts'
import { STATE_WORDS, stateOf } from '../../assessment-state.ts'
import { getSocietyAssessment } from '../../contract.ts'
import type { Act } from '../../roles.ts'
import { zoneDay, zoneMoment, zoneName, zoneSecond, zoneTime } from '../../zone-time.ts'
import { Loaded } from '../loaded.tsx'
import { useLostLine } from './lost-line.ts'
import { PhoneBar, type Tab } from './phone-bar.tsx'
import { ProofPlace, type Proving } from './proof.tsx'
import {
  type ListedAssessment,
  type MySociety,
  mayBy,
  mySocietiesQuery,
  rolesFor,
  windowOf,
} from './queries.ts'
import { Foot, MineLoaded, Standing, Wordmark } from './standing.tsx'
import { useNowMs } from './use-now.ts'

/** Where one is in the console. */
interface Place {
  society: MySociety
  /** whether one of one's roles allows an act at all; the server decides (societies/kit/roles.ts) */
  may: (act: Act) => boolean
}
const PlaceContext = createContext<Place | null>(null)
const AssessmentContext = createContext<ListedAssessment | null>(null)

/** The society whose pages these are. */
export function useSociety(): Place {
  const place = use(PlaceContext)
  if (!place) throw new Error('Used outside of a society’s pages.')
  return place
}

/** The assessment whose pages these are. */
export function useAssessment(): ListedAssessment {
  const assessment = use(AssessmentContext)
  if (!assessment) throw new Error('Used outside of an assessment’s pages.')
  return assessment
}

/** Everything below /organise: its styles hold as long as one of its pages is shown. */
export function ConsoleRoot(proving: Proving) {
  useLayoutEffect(() => {
    document.documentElement.classList.add('console')
    return () => document.documentElement.classList.remove('console')
  }, [])
  return (
    <ProofPlace {...proving}>
      <Outlet />
    </ProofPlace>
  )
}

/** A society's pages. */
export function SocietyPages() {
  const { society: id } = useParams()
  return (
    <MineLoaded>
      {({ societies }) => {
        const society = societies.find((one) => one.id === id)
        return society ? (
          <PlaceContext value={{ society, may: mayBy(society.roles) }}>
            <Outlet />
          </PlaceContext>
        ) : (
          <Standing>
            <Message
              isError
              title="There is no such society, or you have no role in it"
              actions={
                <Link to={URLS.organise} className="btn">
                  Your societies
                </Link>
              }
            >
              If your role has just ended, an owner of the society can invite you again.
            </Message>
          </Standing>
        )
      }}
    </MineLoaded>
  )
}

/** The pages that belong to no assessment. */
export function SocietyFrame() {
  const { society, may } = useSociety()
  return (
    <Frame
      tabs={[
        { to: societyUrl(society.id), label: 'Assessments' },
        ...(may('manage_members') ? [{ to: societyUrl(society.id, 'team'), label: 'Team' }] : []),
        { to: societyUrl(society.id, 'log'), label: 'Log' },
        { to: societyUrl(society.id, 'settings'), label: 'Society' },
      ]}
      zone={society.timeZone}
    >
      <Outlet />
    </Frame>
  )
}

/** The pages of an assessment, and what a role must allow to see each. */
const PAGES: readonly {
  page: string
  label: string
  act?: Act
  count?: 'itemCount' | 'candidateCount'
}[] = [
  { page: '', label: 'Overview' },
  { page: 'questions', label: 'Questions', act: 'read_questions', count: 'itemCount' },
  { page: 'candidates', label: 'Candidates', act: 'manage_candidates', count: 'candidateCount' },
  { page: 'live', label: 'Live', act: 'watch_live' },
  { page: 'incidents', label: 'Incidents', act: 'report_incident' },
  { page: 'results', label: 'Results', act: 'see_scores' },
  { page: 'analysis', label: 'Analysis', act: 'see_scores' },
  { page: 'settings', label: 'Settings', act: 'write_questions' },
]

/** The pages of one assessment, with what one may in it. */
export function AssessmentFrame() {
  const { society: whole } = useSociety()
  const { code = '' } = useParams()
  const society = { ...whole, roles: rolesFor(whole, code) }
  const may = mayBy(society.roles)
  const found = useEndpoint(getSocietyAssessment, { params: { society: society.id, code } })
  const loaded = (
    <Loaded
      of={found}
      name="assessment"
      refused={({ status, message }) =>
        status === 404 && (
          <Message
            isError
            title="There is no such assessment"
            actions={
              <Link to={societyUrl(society.id)} className="btn">
                All assessments
              </Link>
            }
          >
            {message}
          </Message>
        )
      }
    >
      {(assessment) => (
        <PlaceContext value={{ society, may }}>
          <AssessmentContext value={assessment}>
            <Frame
              name={nameBeside(society.name, assessment)}
              tabs={PAGES.filter(({ act }) => !act || may(act)).map(({ page, label, count }) => ({
                to: assessmentUrl(society.id, code, page),
                label,
                ...(count && { count: assessment[count] }),
              }))}
              state={<StateLine assessment={assessment} />}
              zone={assessment.timeZone}
            >
              <Outlet />
            </Frame>
          </AssessmentContext>
        </PlaceContext>
      )}
    </Loaded>
  )
  if (!found.isLoadingError) return loaded
  return (
    <Frame tabs={[{ to: societyUrl(society.id), label: 'Assessments' }]} zone={society.timeZone}>
      {loaded}
    </Frame>
  )
}

/** 'Autumn 2026, Morning'; the name that candidates read where neither was given. */
export function nameOfAssessment({
  society,
  session,
  season,
}: Pick<ListedAssessment, 'society' | 'session' | 'season'>): string {
  return [season, session].filter(Boolean).join(', ') || society
}

/** The assessment's name after the society's in the mast: never the same name twice. */
const nameBeside = (society: string, assessment: ListedAssessment): string => {
  const name = nameOfAssessment(assessment)
  return name === society ? assessment.code : name
}

/** On a phone the tabs are wider than the screen. */
function intoSight(link: HTMLAnchorElement | null): void {
  const bar = link?.parentElement
  if (link && bar) bar.scrollLeft = link.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2
}

function Frame(props: {
  /** the assessment's */
  name?: string
  tabs: Tab[]
  state?: ReactNode
  zone: string
  children: ReactNode
}) {
  const { pathname } = useLocation()
  // The deepest tab that one is below: the first page of all is above every other.
  const { tabs } = props
  const current = tabs
    .filter(({ to }) => pathname === to || pathname.startsWith(`${to}/`))
    .sort((a, b) => b.to.length - a.to.length)[0]
  return (
    <div className="flex min-h-dvh flex-col print:block print:min-h-0">
      <a
        href="#content"
        className="btn sr-only z-50 print:hidden focus:not-sr-only focus:absolute focus:top-2.5 focus:left-2.5"
      >
        Skip to content
      </a>
      <Mast name={props.name} zone={props.zone} />
      <section aria-label="Pages and state" className="border-line border-b print:hidden">
        <div className="wide flex flex-wrap items-stretch justify-between gap-x-8">
          <nav
            aria-label="Pages"
            className={`flex min-h-11 gap-6.5 overflow-x-auto ${props.name ? 'max-md:hidden' : ''}`}
          >
            {tabs.map((tab) => (
              <Link
                key={tab.to}
                to={tab.to}
                ref={tab === current ? intoSight : undefined}
                aria-current={tab === current ? 'page' : undefined}
                className="flex flex-none items-center gap-1.5 text-ink-2 hover:text-ink aria-[current]:font-medium aria-[current]:text-ink aria-[current]:shadow-[inset_0_-2px_0_var(--ink)]"
              >
                {tab.label}
                {tab.count !== undefined && <small className="text-[12px]">{tab.count}</small>}
              </Link>
            ))}
          </nav>
          {props.state && <div className="flex items-center">{props.state}</div>}
        </div>
      </section>
      <main
        id="content"
        tabIndex={-1}
        className="wide flex-1 pt-7.5 pb-18 outline-none print:py-0!"
      >
        {props.children}
      </main>
      <Foot />
      {props.name && <PhoneBar tabs={tabs} current={current?.to} />}
    </div>
  )
}

function Mast({ name, zone }: { name?: string | undefined; zone: string }) {
  const { society } = useSociety()
  const session = useSession()
  const nowMs = useNowMs(1_000)
  const lostMs = useLostLine()
  const mine = useQuery(mySocietiesQuery)
  const hasOthers = (mine.data?.societies.length ?? 0) > 1
  return (
    <header className="border-line border-b print:hidden">
      <div className="wide flex min-h-13 items-center gap-3.5">
        <Wordmark />
        <Link
          to={societyUrl(society.id)}
          className={`min-w-0 truncate ${name ? 'text-ink-2 hover:text-ink max-md:hidden' : ''}`}
        >
          {society.name}
        </Link>
        {hasOthers && !name && (
          <Link to={URLS.organise} className="flex items-center gap-1 text-ink-2 hover:text-ink">
            <span className="sr-only">Another society</span>
            <ChevronDown size={14} aria-hidden />
          </Link>
        )}
        {name && (
          <>
            <span aria-hidden className="text-line-strong max-md:hidden">
              /
            </span>
            <span className="min-w-0 truncate font-medium">{name}</span>
          </>
        )}
        <span className="flex-1" />
        {lostMs === null ? (
          <span className="figures whitespace-nowrap font-medium">
            {/* On a phone the test's name needs the place more. */}
            <span className="max-md:hidden">
              {zoneDay(nowMs, zone, nowMs).replace(/^\w+ /, '')},{' '}
            </span>
            {zoneTime(nowMs, zone)}
            <small className="ml-1.5 font-normal text-[12.5px] text-ink-2">{zoneName(zone)}</small>
          </span>
        ) : (
          <span role="status" className="figures amber text-end font-medium">
            last update {zoneSecond(lostMs, zone)}, trying again
          </span>
        )}
        <Link
          to={URLS.personalHub}
          className="border-line border-l pl-4 text-ink-2 hover:text-ink max-md:hidden"
        >
          {nameOf(session.user?.email)}
        </Link>
      </div>
    </header>
  )
}

/** 'Preparing  opens Wed 25 Nov, 09:00 · in 1 d 21 h': what it is, and what comes next. */
function StateLine({ assessment }: { assessment: ListedAssessment }) {
  const nowMs = useNowMs(1_000)
  const { timeZone } = assessment
  const { opensAtMs, closesAtMs } = windowOf(assessment)
  const state = stateOf(assessment, nowMs)
  const next =
    (state === 'draft' || state === 'preparing') && opensAtMs !== null && opensAtMs > nowMs
      ? `opens ${zoneMoment(opensAtMs, timeZone, nowMs)} · in ${spanUntil(opensAtMs - nowMs)}`
      : state === 'running' && closesAtMs !== null
        ? closesAtMs > nowMs
          ? `last start ${zoneTime(closesAtMs, timeZone)} · in ${spanUntil(closesAtMs - nowMs)}`
          : `${assessment.runningCount} still inside`
        : state === 'closed' && closesAtMs !== null
          ? `since ${zoneMoment(closesAtMs, timeZone, nowMs)}`
          : null
  return (
    <p className="figures flex items-center gap-2 py-2 text-[13px] text-ink-2">
      <StateDot state={state} />
      <b className="font-semibold text-ink">{STATE_WORDS[state]}</b>
      {next}
    </p>
  )
}

/** The mark beside a state's word. */
export function StateDot({ state }: { state: ReturnType<typeof stateOf> }) {
  const look =
    state === 'running' ? '' : state === 'draft' || state === 'preparing' ? 'dot-open' : 'dot-over'
  return <i aria-hidden className={`dot ${look}`} />
}
