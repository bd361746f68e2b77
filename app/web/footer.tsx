import { useState } from 'react'
import { Link } from 'react-router'
import { LegalDialog } from '../../pages/web/legal.tsx'
import { URLS } from '../../platform/urls.ts'
import { ThemeSwitch } from '../../platform/web/ui/theme-switch.tsx'
import { Wordmark } from './navigation-links.tsx'

/** The foot of every screen but the quiz. */
export function Footer() {
  return (
    <footer className="mt-20 border-line border-t print:hidden">
      <div className="wrap flex flex-wrap items-center gap-x-8 gap-y-4 py-8">
        <Wordmark />
        <nav aria-label="Footer" className="flex flex-wrap gap-x-6 text-[15px] text-ink-2">
          <FooterLink to={URLS.about}>About</FooterLink>
          <FooterLink to={URLS.faq}>FAQ</FooterLink>
          <FooterLink to={URLS.feedback}>Feedback</FooterLink>
          <FooterLink to={URLS.organise}>For societies</FooterLink>
          <Legal />
        </nav>
        <div className="sm:ml-auto">
          <ThemeSwitch />
        </div>
      </div>
    </footer>
  )
}

/** What was agreed to at sign-up can be read again anywhere (product 8.7.5). */
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
