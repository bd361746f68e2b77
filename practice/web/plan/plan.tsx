import { Section } from '../kit.tsx'
import './plan.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { verifyAddress } from '../../../accounts/contract.ts'
import { daysBetween } from '../../../platform/local-day.ts'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { dayName, deviceTimeZone } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { BackLink, useTitle } from '../../../platform/web/ui/page.tsx'
import { HubRow, HubSection } from '../../../platform/web/ui/section.tsx'
import { Skeleton } from '../../../platform/web/ui/skeleton.tsx'
import { useToday } from '../../../platform/web/use-today.ts'
import { listOf } from '../../../platform/words.ts'
import {
  deleteReminders,
  putReminders,
  REMINDER_HOURS,
  type ReminderChannel,
} from '../../contract/plan.ts'
import { capacityOf, type Plan, phaseOf } from '../../schedule/plan.ts'
import { ROLE_NAMES, ROLES, type Role } from '../../schedule/plan-choices.ts'
import { readinessOf } from '../../schedule/tracks.ts'
import { masteryQuery } from '../build/built-test.ts'
import type { TodaysPlan } from '../dashboard/lead-content.ts'
import { questionCountsQuery, todayQuery } from '../queries.ts'
import { PlanCalendar } from './plan-calendar.tsx'
import { PlanForm, remindersQuery, useChangePlan } from './plan-form.tsx'
import {
  mixOf,
  PartRows,
  PHASE_SENTENCES,
  phaseSentence,
  StartNext,
  standOf,
  WEEKDAYS,
} from './todays-parts.tsx'

/** /plan: today's share, every day until the interview, and the plan itself (product 3.16). */
export function PlanPage() {
  useTitle('Your plan', 'What to practice each day until your interview.')
  const today = useToday()
  const top = useRef<HTMLHeadingElement>(null)
  const { data, isPending, isError, error } = useQuery(todayQuery())
  const todays = data?.plan
  const isOver = todays && phaseOf(todays.plan, today) === 'past'
  const focusTop = () => top.current?.focus()
  return (
    <main className="wrap plan pt-3 pb-20 nav:pt-6">
      <BackLink to={URLS.dashboard}>Dashboard</BackLink>
      <h1 ref={top} tabIndex={-1} className="text-[27px] outline-none">
        Your plan
      </h1>
      {isPending && <Skeleton className="mt-8 h-[420px]" />}
      {isError && !data && (
        <p role="alert" className="mt-8">
          {error.message}
        </p>
      )}
      {todays && !isOver && (
        <>
          <div className="plan-top">
            <Countdown plan={todays.plan} today={today} />
            <TodaysShare todays={todays} today={today} />
          </div>
          <PlanCalendar todays={todays} today={today} />
          <Readiness role={todays.plan.role} />
          <details key={JSON.stringify(todays.plan)} className="plan-fold">
            <summary>
              <span>
                <span className="font-[550]">Edit plan</span>
                <span className="hint block">{inShort(todays.plan)}</span>
              </span>
              <ChevronDown size={18} aria-hidden />
            </summary>
            <PlanForm plan={todays.plan} today={today} onSaved={focusTop}>
              <EndPlan>Delete plan</EndPlan>
            </PlanForm>
          </details>
          <RemindersSection />
        </>
      )}
      {(todays === null || isOver) && (
        <HubSection
          title={isOver ? 'How did it go?' : 'Set up your plan'}
          note={isOver && `Interview on ${dayName(todays.plan.interviewOn ?? today)}`}
        >
          <p className="running mt-4 max-w-[40em] text-ink-2">
            {isOver
              ? PHASE_SENTENCES.past
              : "Tell us the date and your time. Each day is planned around what you get wrong. Miss a day? The next ones don't get longer; you just meet fewer new questions."}
          </p>
          <PlanForm plan={null} today={today} onSaved={focusTop}>
            {isOver && <EndPlan>End plan</EndPlan>}
          </PlanForm>
        </HubSection>
      )}
    </main>
  )
}

function inShort({ minutesADay, role, daysOff }: Plan): string {
  const off = daysOff.map((day) => WEEKDAYS[day - 1] ?? '')
  return [
    `${minutesADay} minutes a day`,
    ROLE_NAMES[role],
    off.length > 0 ? `off on ${listOf(off)}` : 'no days off',
  ].join(' · ')
}

function Countdown({ plan, today }: { plan: Plan; today: string }) {
  const { interviewOn, role } = plan
  const left = interviewOn === null ? null : daysBetween(today, interviewOn)
  return (
    <section aria-label="Countdown" className="plan-count">
      {left !== null && <p className="fig">{left}</p>}
      <p className="serif text-[23px] leading-tight nav:mt-4 nav:text-[31px]">
        {left === null
          ? 'No interview date yet'
          : `${left === 1 ? 'day' : 'days'} to your interview`}
      </p>
      <p className="col-span-full mt-3 text-[15px] text-ink-2">
        {interviewOn && `${dayName(interviewOn)} · `}
        {ROLE_NAMES[role]}
      </p>
    </section>
  )
}

function TodaysShare({ todays, today }: { todays: TodaysPlan; today: string }) {
  const { plan } = todays
  const { data: counts = [] } = useQuery(questionCountsQuery)
  const bankSize = counts.reduce((sum, { count }) => sum + count, 0)
  const stand = standOf(todays, today)
  const { of, answered, tens } = stand
  const phase = phaseOf(plan, today)
  const capacity =
    bankSize > 0 && phase !== 'last-evening' ? capacityOf(plan, today, bankSize) : null
  return (
    <Section
      id="plan-today"
      title="Today"
      hint={of > 0 ? `${answered} of ${of} done` : 'Day off'}
      className="min-w-0"
    >
      <PartRows stand={stand} />
      <div className="mt-4 grid nav:justify-start">
        <StartNext stand={stand} />
      </div>
      <p className="mt-4 text-[15px] text-ink-2">
        {tens.length > 0 && `${mixOf(tens)} left today. `}
        {capacity &&
          plan.interviewOn &&
          `By ${dayName(plan.interviewOn)} you will have seen about ${capacity.seen} more questions and know about ${capacity.known}. `}
        {phaseSentence(plan, today)}{' '}
        {capacity && (
          <Link to={URLS.build} className="quiet-link">
            Choose topics
          </Link>
        )}
      </p>
    </Section>
  )
}

/** Ending needs no confirmation. A new plan takes a minute, and progress stays. */
function EndPlan({ children }: { children: string }) {
  const end = useChangePlan()
  return (
    <>
      <button
        type="button"
        aria-disabled={end.isPending}
        onClick={() => !end.isPending && end.mutate(null)}
        className="btn btn-quiet"
      >
        {children}
      </button>
      <span role="alert">{end.isError && end.error.message}</span>
    </>
  )
}

const percent = (share: number) => `${Math.round(100 * share)}%`

function Readiness({ role }: { role: Role }) {
  const { data: topics, isError } = useQuery(masteryQuery())
  if (isError) return null
  if (!topics) return <Skeleton className="mt-10 h-[180px]" />
  const { solid, shaky, new: unseen } = readinessOf(role, topics)
  return (
    <Section id="plan-ready" title="Readiness" hint={ROLE_NAMES[role]} className="mt-10">
      <p className="serif mt-4 text-[23px] leading-tight nav:text-[31px]">
        {percent(solid)} of what interviews ask is solid
      </p>
      <p className="mt-2 text-[15px] text-ink-2">
        {solid + shaky === 0
          ? "You haven't seen any of it yet. "
          : `${percent(shaky)} is shaky, and you haven't seen ${percent(unseen)} yet. `}
        The more often interviews ask about a topic, the more it counts.
      </p>
      <details className="plan-fold">
        <summary>
          Other roles <ChevronDown size={18} aria-hidden />
        </summary>
        <ul className="pb-3">
          {ROLES.filter((one) => one !== role).map((one) => {
            const of = readinessOf(one, topics)
            return (
              <li key={one} className="flex min-h-10 items-center justify-between gap-4">
                {ROLE_NAMES[one]}
                <span className="hint">
                  {percent(of.solid)} solid, {percent(of.new)} not seen
                </span>
              </li>
            )
          })}
        </ul>
      </details>
    </Section>
  )
}

const FIRST_HOUR = 18
const NAMES: Record<ReminderChannel, string> = { mail: 'By email', push: 'On this device' }

/** Reminders are off until a person turns them on here (product 3.16.7). */
function RemindersSection() {
  const user = useUser()
  const { data } = useQuery(remindersQuery)
  const hourId = useId()
  const [hour, setHour] = useState<number | null>(null)
  // null if this browser can't receive push, or while that's unknown
  const [isOnThisDevice, setOnThisDevice] = useState<boolean | null>(null)
  useEffect(() => {
    void isSubscribed().then(setOnThisDevice)
  }, [])

  const change = useMutation({
    mutationFn: async (to: {
      channel: ReminderChannel | null
      hour: number
      subscribes: boolean
    }) => {
      if (to.channel === null) return call(deleteReminders, {})
      const settings = { channel: to.channel, hour: to.hour, timeZone: deviceTimeZone() }
      const subscription = to.subscribes ? await subscribe(data?.pushKey ?? '') : undefined
      return call(putReminders, { body: { ...settings, subscription } })
    },
    onSuccess: (now, { subscribes }) => {
      queryClient.setQueryData(remindersQuery.queryKey, now)
      if (subscribes) setOnThisDevice(true)
    },
  })
  const verify = useMutation({ mutationFn: () => call(verifyAddress, {}) })

  if (!data) return null
  const channel = data.settings?.channel ?? null
  const shownHour = hour ?? data.settings?.hour ?? FIRST_HOUR
  const channels: ReminderChannel[] = [
    ...(user.is_anonymous ? [] : (['mail'] as const)),
    ...(isOnThisDevice !== null || data.settings?.channel === 'push' ? (['push'] as const) : []),
  ]
  // Push was chosen on another device, or a sign-out here ended it. It can be chosen again.
  const isElsewhere = channel === 'push' && isOnThisDevice === false
  // The hour applies to all devices, so changing it keeps them.
  const choose = (to: ReminderChannel | null, at = shownHour, subscribes = to === 'push') => {
    if (!change.isPending) change.mutate({ channel: to, hour: at, subscribes })
  }
  return (
    <HubSection
      title="Reminders"
      note={channel === null ? 'Off' : isElsewhere ? 'On another device' : NAMES[channel]}
    >
      <HubRow
        name="Remind me"
        hint="At most once a day, only on planned days you haven't practiced yet. They stop after three reminders in a row without practice."
      >
        <div className="flex flex-wrap gap-1.5">
          {[null, ...channels].map((one) => (
            <button
              key={one ?? 'off'}
              type="button"
              aria-pressed={channel === one && !isElsewhere}
              aria-disabled={change.isPending}
              onClick={() => (channel !== one || isElsewhere) && choose(one)}
              className="btn btn-ghost aria-pressed:border-ink aria-pressed:bg-sunken"
            >
              {one === null ? 'Off' : NAMES[one]}
            </button>
          ))}
        </div>
      </HubRow>
      {channel !== null && (
        <HubRow name={<label htmlFor={hourId}>At</label>} hint="This uses your device's time zone.">
          <select
            id={hourId}
            className="field w-auto"
            value={shownHour}
            onChange={(event) => {
              setHour(Number(event.target.value))
              choose(channel, Number(event.target.value), false)
            }}
          >
            {REMINDER_HOURS.map((one) => (
              <option key={one} value={one}>
                {clockHour(one)}
              </option>
            ))}
          </select>
        </HubRow>
      )}
      <p role="alert" className="mt-3 text-[15px] empty:hidden">
        {change.isError && sentenceOf(change.error)}
        {verify.isError && verify.error.message}
      </p>
      {data.isWaiting && (
        <div className="mt-4">
          <p>{`Reminders go to ${user.email} once you confirm the address.`}</p>
          <button
            type="button"
            className="btn btn-ghost mt-3"
            aria-disabled={verify.isPending || verify.isSuccess}
            onClick={() => !verify.isPending && !verify.isSuccess && verify.mutate()}
          >
            {verify.isSuccess ? 'Email sent. Open its link.' : 'Send confirmation email'}
          </button>
        </div>
      )}
      {data.sent.length > 0 && (
        <p className="hint mt-4">
          {`Sent so far: ${data.sent.map(({ day }) => dayName(day)).join('; ')}.`}
        </p>
      )}
    </HubSection>
  )
}

function clockHour(hour: number): string {
  return `${((hour + 11) % 12) + 1} ${hour < 12 ? 'AM' : 'PM'}`
}

function sentenceOf(error: Error): string {
  return error instanceof NoPermission
    ? 'Your browser blocks notifications from Superday. Allow them in its settings, or choose email.'
    : error.message
}

class NoPermission extends Error {}

/** Whether this browser is subscribed, or null if it can't be, which needs the offline worker. */
async function isSubscribed(): Promise<boolean | null> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) {
    return null
  }
  const { pushManager } = await navigator.serviceWorker.ready
  return (await pushManager.getSubscription()) !== null
}

/** Asks for permission, which needs a click, and subscribes with the product's key. Throws NoPermission. */
async function subscribe(key: string) {
  if ((await Notification.requestPermission()) !== 'granted') throw new NoPermission()
  const registration = await navigator.serviceWorker.ready
  const subscription = await registration.pushManager
    .subscribe({ userVisibleOnly: true, applicationServerKey: key })
    .catch(() => {
      throw new NoPermission()
    })
  const { endpoint, keys } = subscription.toJSON()
  return {
    endpoint: endpoint ?? '',
    keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' },
  }
}
