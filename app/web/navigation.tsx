import { CircleUserRound } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { nameOf } from '../../accounts/person.ts'
import { SignOutButton } from '../../accounts/web/sign-out-button.tsx'
import { URLS } from '../../platform/urls.ts'
import { useSession } from '../../platform/web/session.tsx'
import { Drawer } from './drawer.tsx'
import { isCurrent, NAVIGATION_LINKS, Wordmark } from './navigation-links.tsx'

/** The bar over every screen but the quiz; nothing when signed out (product 1.6.1). */
export function Navigation() {
  const session = useSession()
  const { pathname } = useLocation()
  if (!session.user) return null
  const name = nameOf(session.user.email)

  return (
    <header className="border-line border-b print:hidden">
      <div className="wrap flex h-16 short:h-12 items-center gap-5 lg:gap-7">
        <Wordmark />
        <nav aria-label="Main" className="hidden gap-4 text-[15px] text-ink-2 nav:flex lg:gap-6">
          {NAVIGATION_LINKS.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              aria-current={isCurrent(to, pathname) ? 'page' : undefined}
              className="nav-link"
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="ml-auto hidden items-center gap-3 nav:flex lg:gap-5">
          <span
            className="max-w-[9ch] truncate text-[15px] text-ink-2 lg:max-w-[18ch]"
            title={name}
          >
            Hi, {name}
          </span>
          <Link
            to={URLS.personalHub}
            aria-current={isCurrent(URLS.personalHub, pathname) ? 'page' : undefined}
            className="btn btn-ghost btn-nav"
          >
            <CircleUserRound size={18} aria-hidden className="hidden lg:block" />
            Personal Hub
          </Link>
          <SignOutButton className="btn btn-quiet btn-nav -mr-2.5" />
        </div>
        <Drawer user={session.user} />
      </div>
    </header>
  )
}
