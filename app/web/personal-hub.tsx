import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useId, useRef } from 'react'
import { Link, useLocation, useSearchParams } from 'react-router'
import { nameOf } from '../../accounts/email.ts'
import { YourAccount } from '../../accounts/web/personal-hub-your-account.tsx'
import { profileQuery } from '../../accounts/web/queries.ts'
import { SecondFactor } from '../../accounts/web/second-factor/hub-second-factor.tsx'
import { dailyTimers } from '../../daily/web/daily-timer.ts'
import { type HubTab, hubUrl, URLS } from '../../platform/urls.ts'
import { longDate } from '../../platform/web/dates.ts'
import {
  checkKeyOf,
  useConfirmsAnswers,
  useKeysEnabled,
  useMuted,
} from '../../platform/web/preferences.ts'
import { useUser } from '../../platform/web/session.tsx'
import { deviceStore } from '../../platform/web/storage.ts'
import { BackLink, useTitle } from '../../platform/web/ui/page.tsx'
import { HubRow, HubSection } from '../../platform/web/ui/section.tsx'
import { Skeleton } from '../../platform/web/ui/skeleton.tsx'
import { PastAttempts } from '../../practice/web/attempts.tsx'
import { Trends } from '../../practice/web/charts/trends.tsx'
import { forgetSittings } from '../../practice/web/person-store.ts'
import { UnfinishedTests } from '../../practice/web/personal-hub-unfinished.tsx'
import { ProgressTracker } from '../../practice/web/progress-tracker.tsx'
import { YourMistakes } from '../../practice/web/slips/your-slips.tsx'
import { outbox } from '../../practice/web/use-outbox.tsx'
import {
  APPLE_HINT,
  INSTALL_HINT,
  isAppleTouch,
  isInstalled,
  useInstall,
} from './offline/install-prompt.ts'

// Only guests need it, with its form library.
const CreateAccount = lazy(async () => ({
  default: (await import('../../accounts/web/personal-hub-create-account.tsx')).CreateAccount,
}))

const TABS = [
  ['progress', 'Progress'],
  ['mistakes', 'Mistakes'],
  ['history', 'History'],
  ['account', 'Account'],
] as const satisfies readonly (readonly [HubTab, string])[]

/** /personal-hub: profile, progress and settings, in four tabs (product 1.8). */
export function PersonalHub() {
  useTitle('Personal Hub', 'Your account, your progress and your settings.')
  const user = useUser()
  const top = useRef<HTMLHeadingElement>(null)
  const [params] = useSearchParams()
  // Some parts of the account have a fragment instead of a tab: #create-account, #second-factor.
  const { hash } = useLocation()
  const asked = TABS.find(([tab]) => tab === params.get('tab'))?.[0]
  const shown = asked ?? (hash ? 'account' : 'progress')
  return (
    <main className="wrap pt-6">
      <BackLink to={URLS.dashboard}>Back to dashboard</BackLink>
      <h1 ref={top} tabIndex={-1} className="mt-1 outline-none nav:mt-3">
        Personal Hub
      </h1>
      <PersonalInformation />
      <nav
        aria-label="Personal Hub"
        className="mt-5 flex justify-between border-ink border-b sm:justify-start sm:gap-7"
      >
        {TABS.map(([tab, label]) => (
          <Link
            key={tab}
            to={hubUrl(tab)}
            aria-current={tab === shown ? 'page' : undefined}
            className="flex min-h-12 items-center text-ink-2 hover:text-ink aria-[current]:font-medium aria-[current]:text-ink aria-[current]:shadow-[inset_0_-3px_0_var(--ink)]"
          >
            {label}
          </Link>
        ))}
      </nav>
      {shown === 'progress' && (
        <>
          <ProgressTracker />
          <Trends />
        </>
      )}
      {shown === 'mistakes' && (
        <>
          <YourMistakes />
          <p className="mt-6">
            <Link to={URLS.build} className="quiet-link">
              Your weakest topics
            </Link>
          </p>
        </>
      )}
      {shown === 'history' && (
        <>
          <UnfinishedTests />
          <PastAttempts />
          <p className="mt-6">
            <Link to={URLS.drills} className="quiet-link">
              Drills, and your scores in them
            </Link>
          </p>
        </>
      )}
      {shown === 'account' && (
        <>
          {user.is_anonymous && (
            <Suspense fallback={<Skeleton className="mt-14 h-[640px]" />}>
              <CreateAccount onCreated={() => top.current?.focus()} />
            </Suspense>
          )}
          <Settings />
          {!user.is_anonymous && <SecondFactor />}
          <YourAccount forgetPerson={forgetPerson} />
        </>
      )}
      <section className="mt-12 rounded-md bg-sunken px-6 py-5">
        <h2 className="text-[22px]">More Features Coming Soon</h2>
        <p className="mt-1 text-[15px] text-ink-2">
          This is where new ways to follow your preparation will appear.
        </p>
      </section>
    </main>
  )
}

/** Name, email and join date. Anything that can't be read is a dash, not an error (product 1.8.2). */
function PersonalInformation() {
  const user = useUser()
  const profile = useQuery(profileQuery)
  const createdAt = profile.data?.createdAt
  const joined = createdAt ? longDate(createdAt) : '—'
  return (
    <section aria-labelledby="personal-information" className="mt-3">
      <h2 id="personal-information" className="eyebrow font-sans">
        Personal information
      </h2>
      <dl className="mt-1 text-[15px] text-ink-2">
        <Fact name="Name">{nameOf(user.email)}</Fact>
        <Fact name="Email" className="before:content-['·_']">
          {user.email || 'Guest, no email'}
        </Fact>
        <Fact name="Joined" className="sm:before:content-['·_'] max-sm:block" isNamed>
          {profile.isPending ? '' : joined}
        </Fact>
      </dl>
    </section>
  )
}

function Fact(props: { name: string; isNamed?: boolean; className?: string; children: ReactNode }) {
  return (
    <div className={`inline break-words ${props.className ?? ''}`}>
      <dt className={props.isNamed ? 'inline' : 'sr-only'}>{props.name} </dt>
      <dd className="inline">{props.children} </dd>
    </div>
  )
}

export function Settings() {
  const [isMuted, setMuted] = useMuted()
  const [areKeysEnabled, setKeysEnabled] = useKeysEnabled()
  const [confirms, setConfirms] = useConfirmsAnswers()
  return (
    <HubSection title="Settings" note="For this device">
      <SwitchSetting
        name="Sound"
        hint="A short beep when you tap an answer."
        isOn={!isMuted}
        onChange={(on) => setMuted(!on)}
      />
      <SwitchSetting
        name="Single-key shortcuts"
        hint="A to D or 1 to 4 in a test."
        isOn={areKeysEnabled}
        onChange={setKeysEnabled}
      />
      <SwitchSetting
        name="Ask before checking"
        hint="Off: tapping an option checks it immediately."
        isOn={confirms}
        onChange={setConfirms}
      />
      <Install />
    </HubSection>
  )
}

/** Shown where the browser can install the product, or the user by hand (product 3.17.9). */
function Install() {
  const install = useInstall()
  if (isInstalled()) return null
  if (install) {
    return (
      <HubRow name="Install Superday" hint={INSTALL_HINT}>
        <button type="button" className="btn btn-ghost" onClick={() => void install()}>
          Install
        </button>
      </HubRow>
    )
  }
  return isAppleTouch() ? (
    <HubRow name="Install Superday" hint={APPLE_HINT}>
      {null}
    </HubRow>
  ) : null
}

function SwitchSetting(props: {
  name: string
  hint: string
  isOn: boolean
  onChange: (on: boolean) => void
}) {
  const id = useId()
  return (
    <HubRow
      name={<label htmlFor={id}>{props.name}</label>}
      hint={<span id={`${id}-hint`}>{props.hint}</span>}
    >
      <span className="flex items-center gap-3">
        <span aria-hidden className="hint w-6 text-end">
          {props.isOn ? 'On' : 'Off'}
        </span>
        <input
          id={id}
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox reports its own state
          role="switch"
          aria-describedby={`${id}-hint`}
          checked={props.isOn}
          onChange={(event) => props.onChange(event.target.checked)}
          className="switch"
        />
      </span>
    </HubRow>
  )
}

/** Deletes a person's data on this device: unfinished tests and drills, unsent results, recordings, daily timer. */
export function forgetPerson(userId: string): void {
  outbox.forget(userId)
  forgetSittings(userId)
  dailyTimers.forget(userId)
  deviceStore.remove(checkKeyOf(userId))
}
