import { useQuery } from '@tanstack/react-query'
import { ChevronDown, Flag, ListChecks, MonitorDot, MoreHorizontal, Users } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { nameOf } from '../../../../accounts/email.ts'
import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { societyUrl, URLS } from '../../../../platform/urls.ts'
import { useSession } from '../../../../platform/web/session.tsx'
import { Message } from '../../../../platform/web/ui/message.tsx'
import type { listMySocieties } from '../../contract.ts'
import { zoneDay, zoneName, zoneSecond, zoneTime } from '../../zone-time.ts'
import { Loaded } from '../loaded.tsx'
import { mySocietiesQuery } from './queries.ts'
import { useLostLine, useNowMs } from './use-now.ts'

interface Tab {
  to: string
  /** Other URLs that belong to the same tab. */
  also?: readonly string[]
  label: string
  count?: number
}

interface FrameProps {
  society: { id: string; name: string }
  name?: string
  tabs: readonly Tab[]
  state?: ReactNode
  zone: string
  children: ReactNode
}

/** The frame around organizer pages: two bars, the page, the footer, and a bottom bar on a phone. */
export function Frame(props: FrameProps) {
  const { pathname } = useLocation()
  const { tabs, name } = props
  // The most specific matching tab is current, because the first page's URL is a prefix of all others.
  const current = tabs
    .filter(({ to, also = [] }) =>
      [to, ...also].some((one) => pathname === one || pathname.startsWith(`${one}/`)),
    )
    .sort((a, b) => b.to.length - a.to.length)[0]
  return (
    <div className="flex min-h-dvh flex-col print:block print:min-h-0">
      <a
        href="#content"
        className="btn sr-only z-50 print:hidden focus:not-sr-only focus:absolute focus:top-2.5 focus:left-2.5"
      >
        Skip to content
      </a>
      <Mast {...props} />
      <section aria-label="Pages and state" className="border-line border-b print:hidden">
        <div className="wide flex flex-wrap items-stretch justify-between gap-x-8">
          <nav
            aria-label="Pages"
            className={`flex min-h-11 gap-6.5 overflow-x-auto ${name ? 'max-md:hidden' : ''}`}
          >
            {tabs.map((tab) => (
              <TabLink
                key={tab.to}
                tab={tab}
                current={current}
                className="flex flex-none items-center gap-1.5 text-ink-2 hover:text-ink aria-[current]:font-medium aria-[current]:text-ink aria-[current]:shadow-[inset_0_-2px_0_var(--ink)]"
              >
                {tab.label}
                {tab.count !== undefined && <small className="text-[12px]">{tab.count}</small>}
              </TabLink>
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
      {name && <PhoneBar tabs={tabs} current={current} />}
    </div>
  )
}

function TabLink(props: {
  tab: Tab
  current: Tab | undefined
  className: string
  children: ReactNode
}) {
  const isCurrent = props.tab === props.current
  return (
    <Link
      to={props.tab.to}
      ref={isCurrent ? intoSight : undefined}
      aria-current={isCurrent ? 'page' : undefined}
      className={props.className}
    >
      {props.children}
    </Link>
  )
}

/** Scrolls the current tab into view, because on a phone the tabs are wider than the screen. */
function intoSight(link: HTMLAnchorElement | null): void {
  const bar = link?.parentElement
  if (link && bar) bar.scrollLeft = link.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2
}

function Mast({ society, name, zone }: FrameProps) {
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
          className={`min-w-0 truncate max-md:leading-11 ${name ? 'text-ink-2 hover:text-ink max-md:hidden' : ''}`}
        >
          {society.name}
        </Link>
        {hasOthers && !name && (
          <Link to={URLS.organize} className="flex items-center gap-1 text-ink-2 hover:text-ink">
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
            {/* On a phone, the test's name needs the space. */}
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

/** Pages needed during the test are in the bottom bar. The others are under More. */
const FIRST = [
  ['Overview', ListChecks],
  ['Live', MonitorDot],
  ['Candidates', Users],
  ['Incidents', Flag],
] as const

/** On a phone, the bottom bar replaces the tabs of an assessment's pages. */
function PhoneBar({ tabs, current }: { tabs: readonly Tab[]; current: Tab | undefined }) {
  const [isOpen, setIsOpen] = useState(false)
  const more = useRef<HTMLButtonElement>(null)
  const { pathname } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes it
  useEffect(() => setIsOpen(false), [pathname])
  useEffect(() => {
    if (!isOpen) return
    const close = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setIsOpen(false)
      more.current?.focus()
    }
    document.addEventListener('keydown', close)
    return () => document.removeEventListener('keydown', close)
  }, [isOpen])
  const look =
    'grid min-h-16 justify-items-center content-center gap-1 text-[12px] text-ink-2 aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[inset_0_2px_0_var(--ink)]'
  return (
    <nav
      aria-label="Pages"
      className="test-bar fixed inset-x-0 bottom-0 z-20 md:hidden print:hidden"
    >
      {isOpen && (
        <ul id="more-pages" className="border-ink border-t bg-paper px-4.5">
          {tabs
            .filter(({ label }) => !FIRST.some(([first]) => first === label))
            .map((tab) => (
              <li key={tab.to} className="border-line border-b last:border-b-0">
                <TabLink
                  tab={tab}
                  current={current}
                  className="flex min-h-11 items-center aria-[current]:font-semibold"
                >
                  {tab.label}
                </TabLink>
              </li>
            ))}
        </ul>
      )}
      <div className="grid auto-cols-fr grid-flow-col border-ink border-t bg-paper">
        {FIRST.map(([first, Icon]) => {
          const tab = tabs.find(({ label }) => label === first)
          return (
            tab && (
              <TabLink key={first} tab={tab} current={current} className={look}>
                <Icon size={20} aria-hidden />
                {first}
              </TabLink>
            )
          )
        })}
        <button
          ref={more}
          type="button"
          aria-expanded={isOpen}
          aria-controls={isOpen ? 'more-pages' : undefined}
          className={look}
          onClick={() => setIsOpen((now) => !now)}
        >
          <MoreHorizontal size={20} aria-hidden />
          More
        </button>
      </div>
    </nav>
  )
}

export function Standing({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-line border-b print:hidden">
        <div className="wide flex min-h-13 items-center">
          <Wordmark />
        </div>
      </header>
      <main className="wide flex-1 py-12">{children}</main>
      <Foot />
    </div>
  )
}

export const DeadEnd = (props: {
  title: string
  to: string
  link: string
  isError?: boolean
  children: ReactNode
}) => (
  <Message
    isError={props.isError}
    title={props.title}
    actions={
      <Link to={props.to} className="btn min-w-0 whitespace-normal py-1 [overflow-wrap:anywhere]">
        {props.link}
      </Link>
    }
  >
    {props.children}
  </Message>
)

/** The footer of every organizer page, with help and support (product 7.12.9). */
function Foot() {
  return (
    <footer className="border-line border-t text-[13px] text-ink-2 print:hidden">
      <nav
        aria-label="Help"
        className="wide flex flex-wrap gap-x-6 [&>a]:flex [&>a]:min-h-11 [&>a]:items-center hover:[&>a]:text-ink"
      >
        <Link to={URLS.organizeHelp}>How to run a test</Link>
        <Link to={URLS.organize}>Your societies</Link>
        <Link to={URLS.feedback}>Feedback & Support</Link>
      </nav>
    </footer>
  )
}

function Wordmark() {
  return (
    <Link
      to={URLS.dashboard}
      aria-label="Superday, dashboard"
      className="word mr-2 flex min-h-11 items-center text-[22px]!"
    >
      Super<span className="text-accent">day</span>
    </Link>
  )
}

export function MineLoaded(props: {
  children: (mine: ResponseOf<typeof listMySocieties>) => ReactNode
}) {
  const mine = useQuery(mySocietiesQuery)
  const loaded = (
    <Loaded of={mine} name="list of your societies">
      {props.children}
    </Loaded>
  )
  return mine.isLoadingError ? <Standing>{loaded}</Standing> : loaded
}
