import { Link } from 'react-router'
import { URLS } from '../../platform/urls.ts'

/** The navigation's links in order (product 1.6.2). */
export const NAVIGATION_LINKS = [
  { to: URLS.landing, label: 'Dashboard' },
  { to: URLS.careerHub, label: 'Career Hub' },
  { to: URLS.recruitmentResources, label: 'Recruitment' },
  { to: URLS.faq, label: 'FAQ' },
  { to: URLS.about, label: 'About Us' },
]

/** Whether a link leads to the current page. Dashboard is also /dashboard. Pages below a link don't highlight it. */
export function isCurrent(to: string, pathname: string): boolean {
  const path = pathname.length > 1 ? pathname.replace(/\/$/, '') : pathname
  return path === to || (to === URLS.landing && path === URLS.dashboard)
}

export function Wordmark() {
  return (
    <Link to={URLS.landing} aria-label="Superday, home" className="word flex min-h-11 items-center">
      Super<span className="text-accent">day</span>
    </Link>
  )
}
