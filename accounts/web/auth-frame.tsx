import type { User } from '@supabase/auth-js'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../platform/urls.ts'
import { BackLink, useTitle } from '../../platform/web/ui/page.tsx'
import { ThemeSwitch } from '../../platform/web/ui/theme-switch.tsx'

const offers = [
  {
    title: 'Tests of ten questions',
    text: 'Five categories, from first terms to analyst level, and an explanation for each answer.',
  },
  {
    title: 'Mental math and logic',
    text: 'Percentages, multiples and puzzles in your head. No calculators allowed.',
  },
  {
    title: 'Progress you can see',
    text: 'By category and level, with a day streak and the questions you keep missing.',
  },
]

/** The page around the forms: the back link, the form, and the benefits next to it. */
export function AuthFrame({ children }: { children: ReactNode }) {
  return (
    <div className="running flex min-h-dvh flex-col">
      <header className="wrap flex h-16 items-center justify-between">
        <BackLink to={URLS.landing}>Back to home</BackLink>
        <span className="word">
          Super<span className="text-accent">day</span>
        </span>
      </header>
      <div className="wrap flex flex-1 flex-col gap-16 pt-6 pb-14 nav:flex-row nav:items-start nav:justify-between nav:pt-14">
        <main className="w-full min-w-0 border-line nav:order-last nav:max-w-[480px] nav:rounded-md nav:border nav:bg-surface nav:p-9">
          {children}
        </main>
        <Offers />
      </div>
      <footer className="border-line border-t">
        <div className="wrap flex justify-end py-6">
          <ThemeSwitch />
        </div>
      </footer>
    </div>
  )
}

function Offers() {
  return (
    <aside aria-label="What you get" className="hidden max-w-[480px] nav:block">
      <p className="text-balance font-medium font-serif text-[clamp(40px,4.4vw,60px)] leading-[1.08] tracking-[-0.02em]">
        Practice until the questions feel familiar.
      </p>
      <ol className="mt-12 border-ink border-t">
        {offers.map((offer, index) => (
          <li key={offer.title} className="flex gap-6 border-line border-b py-5">
            <span aria-hidden className="w-8 flex-none font-serif text-[18px] text-ink-2">
              0{index + 1}
            </span>
            <span>
              <span className="block font-medium font-serif text-[20px]">{offer.title}</span>
              <span className="mt-1 block text-[15px] text-ink-2">{offer.text}</span>
            </span>
          </li>
        ))}
      </ol>
    </aside>
  )
}

/** Another tab of this browser signed in while this one showed the forms. */
export function SignedInElsewhere({ user }: { user: User }) {
  useTitle('Signed in')
  return (
    <div role="status">
      <h1 className="text-[34px] sm:text-[42px]">You are signed in</h1>
      <p className="mt-4 mb-7 text-ink-2">
        {user.email ? `As ${user.email}, in another tab.` : 'As a guest, in another tab.'}
      </p>
      <Link to={URLS.dashboard} className="btn">
        Go to the dashboard
      </Link>
    </div>
  )
}
