import { Flag, type LucideIcon, MonitorDot, MoreHorizontal, Users } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'

/** A page of an assessment or a society. */
export interface Tab {
  to: string
  label: string
  count?: number
}

/** Pages needed during the test, in reach of the thumb; the others are under More. */
const FIRST: Readonly<Record<string, LucideIcon>> = {
  Live: MonitorDot,
  Candidates: Users,
  Incidents: Flag,
}

/** On a phone, in place of the tabs of an assessment's pages. */
export function PhoneBar({ tabs, current }: { tabs: readonly Tab[]; current: string | undefined }) {
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
  const first = Object.keys(FIRST).flatMap((name) => tabs.find(({ label }) => label === name) ?? [])
  const rest = tabs.filter(({ label }) => !(label in FIRST))
  const look =
    'grid min-h-16 justify-items-center content-center gap-1 text-[12px] text-ink-2 aria-[current]:font-semibold aria-[current]:text-ink aria-[current]:shadow-[inset_0_2px_0_var(--ink)]'
  return (
    <nav
      aria-label="Pages"
      className="phone-bar fixed inset-x-0 bottom-0 z-20 md:hidden print:hidden"
    >
      {isOpen && (
        <ul id="more-pages" className="border-ink border-t bg-paper px-4.5">
          {rest.map(({ to, label }) => (
            <li key={to} className="border-line border-b last:border-b-0">
              <Link
                to={to}
                aria-current={to === current ? 'page' : undefined}
                className="flex min-h-11 items-center aria-[current]:font-semibold"
              >
                {label}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <div className="grid auto-cols-fr grid-flow-col border-ink border-t bg-paper">
        {first.map(({ to, label }) => {
          const Icon = FIRST[label] as LucideIcon
          return (
            <Link
              key={to}
              to={to}
              aria-current={to === current ? 'page' : undefined}
              className={look}
            >
              <Icon size={20} aria-hidden />
              {label}
            </Link>
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
