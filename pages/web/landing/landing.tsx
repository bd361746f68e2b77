import type { ReactNode } from 'react'
import { page } from '../../../content/pages/landing.yaml'
import { signInUrl, signUpUrl, URLS } from '../../../platform/urls.ts'
import { ThemeSwitch } from '../../../platform/web/ui/theme-switch.tsx'
import { Carousel } from './carousel.tsx'
import { TryQuestion } from './try-question.tsx'

/** / for visitors (product 1.4.1, 8.1): prerendered, without the application's code. */
export function Landing() {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="wrap flex h-16 short:h-12 flex-none items-center justify-between">
        <Wordmark />
        <nav aria-label="Account" className="flex items-center gap-2.5">
          <a href={signInUrl} className="btn btn-quiet min-h-11 px-4">
            Log In
          </a>
          <a
            href={signUpUrl}
            className="btn btn-ghost hidden min-h-11 px-5 short:min-h-10 sm:inline-flex"
          >
            Get Started Free
          </a>
        </nav>
      </header>
      <main className="flex-1">
        <Hero />
        <TryQuestion />
        <Blurbs />
        <WhatYouGet />
        <Societies />
        <CallToAction />
      </main>
      <footer className="border-line border-t">
        <div className="wrap flex flex-wrap items-center gap-x-8 gap-y-4 py-8">
          <Wordmark />
          <nav aria-label="Footer" className="flex flex-wrap gap-x-6 text-[15px] text-ink-2">
            <FooterLink href={signUpUrl}>Sign Up</FooterLink>
            <FooterLink href={signInUrl}>Sign In</FooterLink>
            <FooterLink href="#societies">For societies</FooterLink>
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

/** The question below is the main attraction, so it starts on the first screen, even on a phone. */
function Hero() {
  return (
    <div className="wrap grid gap-x-16 gap-y-4 pt-4 short:pt-1 pb-6 short:pb-4 nav:grid-cols-[minmax(0,1fr)_348px] nav:items-end nav:pt-9 nav:pb-10">
      <div>
        <p className="eyebrow max-nav:hidden">Finance interview preparation</p>
        <h1 className="max-w-[16em] text-balance text-[clamp(30px,3.4vw,42px)] nav:mt-4 nav:leading-[1.06]">
          {page.hero.title}
        </h1>
        <p className="running mt-3 max-w-[38em] text-[16px] text-ink-2 leading-[1.5] nav:mt-5 nav:text-[18px] nav:leading-[1.55]">
          {page.hero.lead}
        </p>
      </div>
      <div>
        <div className="flex flex-wrap gap-3">
          <a href={signUpUrl} className="btn min-h-[50px] px-[26px] text-[16px]">
            Get Started Free
          </a>
          <a href={signInUrl} className="btn btn-ghost min-h-[50px] px-[26px] text-[16px]">
            Log In
          </a>
        </div>
        <p className="hint mt-3">
          No card. Or{' '}
          <a href={signUpUrl} className="link">
            look around as a guest
          </a>
          .
        </p>
      </div>
    </div>
  )
}

/** Superday in three points, next to screenshots. */
function Blurbs() {
  return (
    <section aria-label="What Superday is" className="wrap">
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-16 gap-y-10 border-ink border-t pt-8 pb-16 nav:grid-cols-[minmax(0,1fr)_minmax(0,540px)] nav:pb-20">
        <ol className="flex flex-col gap-8">
          {page.blurbs.map((blurb, index) => (
            <li key={blurb.title} className="grid grid-cols-[34px_minmax(0,1fr)]">
              <p aria-hidden className="font-serif text-[18px] text-ink-2 leading-[28px]">
                0{index + 1}
              </p>
              <div>
                <h2 className="text-[21px] leading-[28px]">{blurb.title}</h2>
                <p className="running mt-2 max-w-[27em] text-ink-2">{blurb.text}</p>
              </div>
            </li>
          ))}
        </ol>
        <Carousel />
      </div>
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

/** What the product does for societies, and how to start (product 8.1.7, 7.7.2). */
function Societies() {
  const { societies } = page
  return (
    <section id="societies" aria-labelledby="for-societies" className="wrap pt-16 nav:pt-20">
      <div className="grid gap-x-16 gap-y-5 border-ink border-t pt-8 nav:grid-cols-2">
        <h2 id="for-societies" className="max-w-[15em] text-balance text-[clamp(26px,3vw,38px)]">
          {societies.title}
        </h2>
        <p className="running max-w-[36em] text-[17px] text-ink-2">{societies.text}</p>
      </div>
      <ul className="mt-8 grid gap-x-9 nav:grid-cols-3">
        {societies.does.map((part) => (
          <li key={part.title} className="border-line border-t py-6">
            <h3>{part.title}</h3>
            <p className="running mt-1.5 text-ink-2">{part.text}</p>
          </li>
        ))}
      </ul>
      <div className="grid gap-x-16 gap-y-5 border-line border-t pt-6 nav:grid-cols-[minmax(0,1fr)_auto]">
        <div>
          <h3>Get started</h3>
          <ol className="mt-3 flex max-w-[42em] list-decimal flex-col gap-1.5 pl-5 marker:text-ink-2">
            {societies.begin.map((step) => (
              <li key={step} className="running pl-1.5 text-ink-2">
                {step}
              </li>
            ))}
          </ol>
        </div>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-2 nav:flex-col nav:items-start nav:gap-y-0">
          <a href={URLS.organize} className="btn btn-ghost">
            Set up your society
          </a>
          <a href={URLS.organizeHelp} className="link inline-flex min-h-11 items-center">
            How to run a test
          </a>
        </div>
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
