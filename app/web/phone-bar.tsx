import { CalendarDays, CircleUserRound, House, PencilLine } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { URLS } from '../../platform/urls.ts'

const PLACES = [
  { label: 'Today', to: URLS.dashboard, Icon: House, paths: [URLS.dashboard] },
  {
    label: 'Practice',
    to: URLS.practice,
    Icon: PencilLine,
    paths: [
      ...[URLS.practice, URLS.build, URLS.cases, URLS.drills, URLS.aloud, URLS.superday],
      ...[URLS.formulaSheet, URLS.dueDone, '/tests', '/results', '/error-practice'],
    ],
  },
  { label: 'Plan', to: URLS.plan, Icon: CalendarDays, paths: [URLS.plan] },
  { label: 'Me', to: URLS.personalHub, Icon: CircleUserRound, paths: [URLS.personalHub] },
]

/** The four places at the thumb, below 900 px; a page's own bar (.page-bar) takes its place (product 1.6.9). */
export function PhoneBar() {
  const { pathname } = useLocation()
  return (
    <nav aria-label="Places" className="phone-bar print:hidden">
      {PLACES.map(({ label, to, Icon, paths }) => (
        <Link
          key={label}
          to={to}
          aria-current={
            paths.some((path) => pathname === path || pathname.startsWith(`${path}/`))
              ? 'page'
              : undefined
          }
        >
          <Icon size={20} strokeWidth={1.75} aria-hidden />
          {label}
        </Link>
      ))}
    </nav>
  )
}
