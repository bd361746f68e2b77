import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'

/** The quiet foot of every organiser page: help, and whom to write to (product 7.12.9). */
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
