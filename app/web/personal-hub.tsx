import { useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useId, useRef } from 'react'
import { Link } from 'react-router'
import { nameOf } from '../../accounts/person.ts'
import { YourAccount } from '../../accounts/web/personal-hub-your-account.tsx'
import { profileQuery } from '../../accounts/web/queries.ts'
import { SecondFactor } from '../../accounts/web/second-factor/hub-second-factor.tsx'
import { dailyTimers } from '../../daily/web/daily-timer.ts'
import { URLS } from '../../platform/urls.ts'
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
import { ThemeSwitch } from '../../platform/web/ui/theme-switch.tsx'
import { createSpokenDrafts } from '../../practice/web/aloud/spoken-draft.ts'
import { caseSittings } from '../../practice/web/cases/case-sitting.ts'
import { Trends } from '../../practice/web/charts/trends.tsx'
import { drillRuns } from '../../practice/web/drill/drill-runs.ts'
import { dueSittings } from '../../practice/web/due/due-store.ts'
import { HubTopics } from '../../practice/web/hub-topics.tsx'
import { PastAttempts } from '../../practice/web/personal-hub-attempts.tsx'
import { UnfinishedTests } from '../../practice/web/personal-hub-unfinished.tsx'
import { ProgressTracker } from '../../practice/web/progress-tracker.tsx'
import { createDrafts } from '../../practice/web/quiz/quiz-draft.ts'
import { YourSlips } from '../../practice/web/slips/your-slips.tsx'
import { outbox } from '../../practice/web/use-outbox.tsx'
import {
  APPLE_HINT,
  INSTALL_HINT,
  isAppleTouch,
  isInstalled,
  useInstall,
} from './offline/install-prompt.ts'

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

/** Theme, sound, keys and confirming on this device. */
export function Settings() {
  const [isMuted, setMuted] = useMuted()
  const [areKeysEnabled, setKeysEnabled] = useKeysEnabled()
  const [confirms, setConfirms] = useConfirmsAnswers()
  return (
    <HubSection title="Settings" note="For this device">
      <HubRow name="Theme" hint="Light, dark, or as your device says.">
        <ThemeSwitch />
      </HubRow>
      <SwitchSetting
        name="Sound"
        hint="A short beep when you press something in a test."
        isOn={!isMuted}
        onChange={(on) => setMuted(!on)}
      />
      <SwitchSetting
        name="Single-key shortcuts"
        hint="In a test, A to D or 1 to 4 choose an answer."
        isOn={areKeysEnabled}
        onChange={setKeysEnabled}
      />
      <SwitchSetting
        name="Confirm answers"
        hint="Where an answer is judged at once, it counts after Enter or Check. Off: choosing is answering."
        isOn={confirms}
        onChange={setConfirms}
      />
      <Install />
    </HubSection>
  )
}

/** Where the browser can install the product, or its owner by hand (product 3.17.9). */
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
          // biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox says its state itself
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

/** What this device keeps of a person: unfinished tests and drills, unsent results, unchecked spoken answers, the daily timer. */
export function forgetPerson(userId: string): void {
  outbox.forget(userId)
  createDrafts(deviceStore, Date.now).forget(userId)
  createSpokenDrafts(deviceStore, Date.now).forget(userId)
  dueSittings.forget(userId)
  drillRuns.forget(userId)
  caseSittings.forget(userId)
  dailyTimers.forget(userId)
  deviceStore.remove(checkKeyOf(userId))
}
