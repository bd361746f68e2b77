import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { ResponseOf } from '../../../../platform/endpoint.ts'
import { URLS } from '../../../../platform/urls.ts'
import type { listMySocieties } from '../../contract.ts'
import { Loaded } from '../loaded.tsx'
import { mySocietiesQuery } from './queries.ts'

/** A page without a society around it. */
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

/** The foot of every organizer page: help, and support (product 7.12.9). */
export function Foot() {
  return (
    <footer className="border-line border-t text-[13px] text-ink-2 print:hidden">
      <nav
        aria-label="Help"
        className="wide flex flex-wrap gap-x-6 [&>a]:flex [&>a]:min-h-11 [&>a]:items-center hover:[&>a]:text-ink"
      >
        <Link to={URLS.organiseHelp}>How to run a test</Link>
        <Link to={URLS.organise}>Your societies</Link>
        <Link to={URLS.feedback}>Feedback & Support</Link>
      </nav>
    </footer>
  )
}

export function Wordmark() {
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

/** The list of one's societies; on a page without a society where it can't be loaded. */
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
