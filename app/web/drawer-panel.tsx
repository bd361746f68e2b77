import { Dialog } from '@base-ui/react/dialog'
import type { User } from '@supabase/auth-js'
import { CircleUserRound, X } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { nameOf } from '../../accounts/email.ts'
import { SignOutButton } from '../../accounts/web/sign-out-button.tsx'
import { URLS } from '../../platform/urls.ts'
import { BackCloses } from '../../platform/web/ui/back.tsx'
import { isCurrent, NAVIGATION_LINKS } from './navigation-links.tsx'

const links = [...NAVIGATION_LINKS, { to: URLS.feedback, label: 'Feedback Hub' }]

/** The drawer from the right, 300 px wide, 400 px on larger screens (product 1.6.7). */
export function DrawerPanel({ user, open, onOpenChange }: DrawerPanelProps) {
  const { pathname } = useLocation()
  return (
    <Dialog.Root open={open} onOpenChange={onOpenChange}>
      {open && <BackCloses close={() => onOpenChange(false)} />}
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-black/50 transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-y-0 right-0 z-50 flex w-[300px] max-w-full flex-col overflow-y-auto overscroll-contain border-line border-l bg-paper px-6 pb-6 transition-transform duration-150 ease-out data-ending-style:translate-x-full data-starting-style:translate-x-full sm:w-[400px]">
          <div className="flex h-16 flex-none items-center justify-between">
            <Dialog.Title className="eyebrow font-sans">Menu</Dialog.Title>
            <Dialog.Close
              aria-label="Close menu"
              className="-mr-2.5 grid size-11 place-items-center rounded-md text-ink-2 hover:text-ink"
            >
              <X size={22} aria-hidden />
            </Dialog.Close>
          </div>
          <div className="border-ink border-t pt-5 pb-6">
            <p className="break-words font-serif text-[24px] leading-tight">
              Hi, {nameOf(user.email)}
            </p>
            <p className="hint running mt-1 break-all">{user.email || 'Guest, no email'}</p>
          </div>
          <nav aria-label="Main">
            <ul>
              {links.map(({ to, label }) => (
                <DrawerLink key={to} to={to} label={label} pathname={pathname} />
              ))}
            </ul>
          </nav>
          <div className="mt-auto flex flex-col gap-3 pt-8">
            <Link to={URLS.personalHub} className="btn btn-ghost">
              <CircleUserRound size={18} aria-hidden />
              Personal Hub
            </Link>
            <SignOutButton className="btn btn-quiet" />
            <Link to={URLS.organize} className="flex min-h-11 items-center text-[15px] text-ink-2">
              For societies
            </Link>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function DrawerLink(props: { to: string; label: string; pathname: string }) {
  const isHere = isCurrent(props.to, props.pathname)
  return (
    <li className="border-line border-t last:border-b">
      <Link
        to={props.to}
        aria-current={isHere ? 'page' : undefined}
        className={`flex min-h-[52px] items-center justify-between text-[17px] ${isHere ? 'font-medium text-ink' : 'text-ink-2'}`}
      >
        {props.label}
        {isHere && <span aria-hidden className="size-1.5 rounded-full bg-accent" />}
      </Link>
    </li>
  )
}
interface DrawerPanelProps {
  user: User
  open: boolean
  onOpenChange: (open: boolean) => void
}
