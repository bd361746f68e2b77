import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { Link } from 'react-router'
import { nameOf } from '../../accounts/person.ts'
import { YourAccount } from '../../accounts/web/personal-hub-your-account.tsx'
import { profileQuery } from '../../accounts/web/queries.ts'
import { SecondFactor } from '../../accounts/web/second-factor/hub-second-factor.tsx'
import { URLS } from '../../platform/urls.ts'
import { longDate } from '../../platform/web/dates.ts'
import { useUser } from '../../platform/web/session.tsx'
import { BackLink, useTitle } from '../../platform/web/ui/page.tsx'
import { HubSection } from '../../platform/web/ui/section.tsx'
import { Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { Trends } from '../../practice/web/charts/trends.tsx'
import { HubTopics } from '../../practice/web/hub-topics.tsx'
import { PastAttempts } from '../../practice/web/personal-hub-attempts.tsx'
import { UnfinishedTests } from '../../practice/web/personal-hub-unfinished.tsx'
import { ProgressTracker } from '../../practice/web/progress-tracker.tsx'
import { YourSlips } from '../../practice/web/slips/your-slips.tsx'
import { forgetPerson } from './forget-person.ts'
import { Settings } from './personal-hub-settings.tsx'

// Only guests need it, and the form library with it.
const CreateAccount = lazy(async () => ({
  default: (await import('../../accounts/web/personal-hub-create-account.tsx')).CreateAccount,
}))

/** /personal-hub: who one is here, and how far one has come (product 1.8). */
export function PersonalHub() {
  useTitle('Personal Hub', 'Your account, your progress and your settings.')
  const user = useUser()
  const top = useRef<HTMLHeadingElement>(null)
  return (
    <main className="wrap wrap-narrow pt-6">
      <div className="flex flex-wrap items-center justify-between gap-x-6">
        <BackLink to={URLS.dashboard}>Back to dashboard</BackLink>
        <Link to={URLS.plan} className="quiet-link">
          My plan
        </Link>
      </div>
      <h1 ref={top} tabIndex={-1} className="mt-3 outline-none">
        Personal Hub
      </h1>
      <PersonalInformation />
      {user.is_anonymous && (
        <Suspense fallback={<Skeleton className="mt-14 h-[640px]" />}>
          <CreateAccount onCreated={() => top.current?.focus()} />
        </Suspense>
      )}
      <UnfinishedTests />
      <ProgressTracker />
      <HubTopics />
      <YourSlips />
      <p className="mt-6">
        <Link to={URLS.drills} className="quiet-link">
          Drills, and your scores in them
        </Link>
      </p>
      <Trends />
      <PastAttempts />
      <Settings />
      {!user.is_anonymous && <SecondFactor />}
      <YourAccount forgetPerson={forgetPerson} />
      <section className="mt-16 rounded-md bg-sunken px-6 py-7">
        <h2 className="text-[22px]">More Features Coming Soon</h2>
        <p className="mt-2 text-[15px] text-ink-2">
          This is where new ways to follow your preparation will appear.
        </p>
      </section>
    </main>
  )
}

/** Name, e-mail, joined. What can't be read is a dash, never an error (product 1.8.2). */
function PersonalInformation() {
  const user = useUser()
  const profile = useQuery(profileQuery)
  const createdAt = profile.data?.createdAt
  const joined = createdAt ? longDate(createdAt) : '—'
  return (
    <HubSection title="Personal information">
      <dl>
        <Fact name="Name">{nameOf(user.email)}</Fact>
        <Fact name="E-mail">{user.email || 'Guest, no e-mail'}</Fact>
        <Fact name="Joined">
          {profile.isPending ? <Skeleton className="my-0.5 h-5 w-40" /> : joined}
        </Fact>
      </dl>
    </HubSection>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 border-line border-b py-3.5 sm:grid-cols-[160px_1fr]">
      <dt className="text-[15px] text-ink-2">{name}</dt>
      <dd className="running min-w-0 break-words">{children}</dd>
    </div>
  )
}
