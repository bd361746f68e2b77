import type { User } from '@supabase/auth-js'
import { CalendarDays, CircleUserRound, House, Menu, PencilLine } from 'lucide-react'
import { useState } from 'react'
import { Link, Outlet, useLocation } from 'react-router'
import { nameOf } from '../../accounts/email.ts'
import { SignOutButton } from '../../accounts/web/sign-out-button.tsx'
import { LegalDialog } from '../../pages/web/legal.tsx'
import { URLS } from '../../platform/urls.ts'
import { useSession } from '../../platform/web/session.tsx'
import { openedOnDemand } from '../../platform/web/ui/on-demand.ts'
import { ThemeSwitch } from '../../platform/web/ui/theme-switch.tsx'
import { isCurrent, NAVIGATION_LINKS, Wordmark } from './navigation-links.tsx'

/** Navigation, screen and footer. Each screen has its own <main>. */
export function Shell() {
  const { user } = useSession()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="btn sr-only z-50 print:hidden focus:not-sr-only focus:absolute focus:top-2.5 focus:left-2.5 focus:px-5"
      >
        Skip to content
      </a>
      <Navigation />
      {/* As high as the window, so that the footer stays below it while data loads and on short pages. */}
      <div
        id="content"
        tabIndex={-1}
        className="min-h-[calc(100dvh-65px)] flex-1 outline-none print:min-h-0"
      >
        <Outlet />
      </div>
      <Footer />
      {user && <PhoneBar />}
    </div>
  )
}

/** The bar on every screen except the quiz. Empty when signed out (product 1.6.1). */
function Navigation() {
  const session = useSession()
  const { pathname } = useLocation()
  if (!session.user) return null
  const name = nameOf(session.user.email)

  return (
    <header className="border-line border-b print:hidden">
      <div className="wrap flex h-16 short:h-12 items-center gap-5 lg:gap-7">
        <Wordmark />
        <nav aria-label="Main" className="hidden gap-2.5 text-[15px] text-ink-2 nav:flex lg:gap-6">
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

const DrawerPanel = openedOnDemand(async () => (await import('./drawer-panel.tsx')).DrawerPanel)

/** The navigation below 900 px. It closes on every page change. */
function Drawer({ user }: { user: User }) {
  const location = useLocation()
  const [openedOn, setOpenedOn] = useState<string | null>(null)
  const isOpen = openedOn === location.key

  return (
    <>
      <button
        type="button"
        aria-label="Menu"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpenedOn(location.key)}
        className="-mr-2.5 ml-auto grid size-11 place-items-center rounded-md nav:hidden"
      >
        <Menu size={22} aria-hidden />
      </button>
      <DrawerPanel
        user={user}
        open={isOpen}
        onOpenChange={(open) => setOpenedOn(open ? location.key : null)}
      />
    </>
  )
}

function Footer() {
  return (
    <footer className="mt-12 border-line nav:mt-20 border-t print:hidden">
      <div className="wrap flex flex-wrap items-center gap-x-8 gap-y-4 py-5 nav:py-8">
        <Wordmark />
        <nav
          aria-label="Footer"
          className="max-sm:order-last max-sm:w-full flex flex-wrap gap-x-6 text-[15px] text-ink-2"
        >
          <FooterLink to={URLS.about}>About</FooterLink>
          <FooterLink to={URLS.faq}>FAQ</FooterLink>
          <FooterLink to={URLS.feedback}>Feedback</FooterLink>
          <FooterLink to={URLS.organize}>For societies</FooterLink>
          <Legal />
        </nav>
        <div className="ml-auto">
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  )
}

/** Links to the terms accepted at sign-up (product 8.7.5). */
function Legal() {
  const [open, setOpen] = useState<'terms' | 'privacy' | null>(null)
  return (
    <>
      <button type="button" className="min-h-11 hover:text-ink" onClick={() => setOpen('terms')}>
        Terms
      </button>
      <button type="button" className="min-h-11 hover:text-ink" onClick={() => setOpen('privacy')}>
        Privacy
      </button>
      <LegalDialog text={open} onClose={() => setOpen(null)} />
    </>
  )
}

function FooterLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="flex min-h-11 items-center hover:text-ink">
      {children}
    </Link>
  )
}

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

/** Four links at the bottom below 900 px. A page's own bar (.page-bar) replaces it (product 1.6.9). */
function PhoneBar() {
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
