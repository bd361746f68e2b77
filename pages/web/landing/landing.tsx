import type { ReactNode } from 'react'
import { page } from '../../../content/pages/landing.yaml'
import { signInUrl, signUpUrl } from '../../../platform/urls.ts'
import { ThemeSwitch } from '../../../platform/web/ui/theme-switch.tsx'
import { Carousel } from './carousel.tsx'

/**
 * / for visitors (product 1.4.1, 8.1): prerendered, and without the application's session, queries
 * and router. Its links load the application anew.
 */
export function Landing() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="wrap flex h-16 flex-none items-center justify-between">
        <Wordmark />
        <nav aria-label="Account" className="flex items-center gap-2.5">
          <a href={signInUrl} className="btn btn-quiet min-h-11 px-4">
            Log In
          </a>
          <a href={signUpUrl} className="btn btn-nav hidden min-h-10 px-5 sm:inline-flex">
            Get Started Free
          </a>
        </nav>
      </header>
      <main className="flex-1">
        <Hero />
        <Blurbs />
        <WhatYouGet />
        <CallToAction />
      </main>
      <footer className="border-line border-t">
        <div className="wrap flex flex-wrap items-center gap-x-8 gap-y-4 py-8">
          <Wordmark />
          <nav aria-label="Footer" className="flex flex-wrap gap-x-6 text-[15px] text-ink-2">
            <FooterLink href={signUpUrl}>Sign Up</FooterLink>
            <FooterLink href={signInUrl}>Sign In</FooterLink>
          </nav>
          <div className="sm:ml-auto">
            <ThemeSwitch />
          </div>
        </div>
      </footer>
    </div>
  )
}

function Wordmark() {
  return (
    <span className="word">
      Super<span className="text-accent">day</span>
    </span>
  )
}

function FooterLink({ href, children }: { href: string; children: string }) {
  return (
    <a href={href} className="flex min-h-11 items-center hover:text-ink">
      {children}
    </a>
  )
}

function Hero() {
  return (
    <div className="wrap grid gap-x-10 gap-y-14 pt-7 pb-16 nav:grid-cols-[minmax(0,1fr)_minmax(0,480px)] nav:items-center nav:pt-14 nav:pb-20">
      <div>
        <p className="eyebrow">Finance interview preparation</p>
        <h1 className="mt-3 max-w-[9.8em] text-[clamp(34px,4.9vw,66px)] nav:mt-4 nav:leading-[1.04]">
          {page.hero.title}
        </h1>
        <p className="running mt-5 max-w-[31em] text-[19px] text-ink-2 leading-[1.55] nav:mt-7">
          {page.hero.lead}
        </p>
        <div className="mt-7 flex flex-wrap gap-3">
          <a href={signUpUrl} className="btn min-h-[50px] px-[26px] text-[16px]">
            Get Started Free
          </a>
          <a href={signInUrl} className="btn btn-ghost min-h-[50px] px-[26px] text-[16px]">
            Log In
          </a>
        </div>
        <p className="hint mt-4">No card. Or look around as a guest.</p>
      </div>
      <Carousel />
    </div>
  )
}

/** What Superday is, in three. */
function Blurbs() {
  return (
    <section aria-label="What Superday is" className="wrap">
      <ol className="grid gap-x-9 gap-y-9 border-ink border-t pt-8 pb-20 nav:grid-cols-3">
        {page.blurbs.map((blurb, index) => (
          <li key={blurb.title}>
            <p aria-hidden className="font-serif text-[18px] text-ink-2">
              0{index + 1}
            </p>
            <h2 className="mt-2 text-[21px]">{blurb.title}</h2>
            <p className="running mt-2 max-w-[26em] text-ink-2">{blurb.text}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}

function WhatYouGet() {
  return (
    <section aria-labelledby="what-you-get" className="bg-sunken">
      <div className="wrap py-16 nav:py-20">
        <h2 id="what-you-get" className="border-ink border-b pb-4 text-[clamp(28px,3.2vw,40px)]">
          What You'll Get
        </h2>
        <ul className="grid gap-x-14 sm:grid-cols-2">
          {page.whatYouGet.map((item) => (
            <li
              key={item.title}
              className="border-line border-b py-6 last:border-b-0 sm:nth-last-2:border-b-0"
            >
              <h3>{item.title}</h3>
              <p className="running mt-1.5 max-w-[32em] text-ink-2">{item.text}</p>
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function CallToAction() {
  return (
    <section aria-labelledby="start" className="wrap py-20 nav:py-28">
      <h2 id="start" className="max-w-[11em] text-[clamp(32px,4.2vw,56px)]">
        {page.callToAction.title}
      </h2>
      <p className="running mt-5 max-w-[34em] text-[18px] text-ink-2">{page.callToAction.text}</p>
      <Buttons>
        <a href={signUpUrl} className="btn min-h-[50px] px-[26px] text-[16px]">
          Create Free Account
        </a>
      </Buttons>
    </section>
  )
}

function Buttons({ children }: { children: ReactNode }) {
  return <div className="mt-8 flex flex-wrap gap-3">{children}</div>
}
