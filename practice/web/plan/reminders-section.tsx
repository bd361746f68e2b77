import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import { verifyAddress } from '../../../accounts/contract.ts'
import { call } from '../../../platform/web/api.ts'
import { dayName, deviceTimeZone } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { useUser } from '../../../platform/web/session.tsx'
import { HubRow, HubSection } from '../../../platform/web/ui/section.tsx'
import {
  deleteReminders,
  putReminders,
  REMINDER_HOURS,
  type ReminderChannel,
} from '../../contract/plan.ts'
import { remindersQuery } from './plan-form.tsx'

const FIRST_HOUR = 18
const NAMES: Record<ReminderChannel, string> = { mail: 'By email', push: 'On this device' }

/** Reminders are off until a person turns them on here (product 3.16.7). */
export function RemindersSection() {
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
