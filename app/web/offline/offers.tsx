import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import { URLS } from '../../../platform/urls.ts'
import { deviceStore } from '../../../platform/web/storage.ts'
import { useToday } from '../../../platform/web/use-today.ts'
import { streakQuery } from '../../../practice/web/queries.ts'
import {
  APPLE_HINT,
  INSTALL_HINT,
  isAppleTouch,
  isInstalled,
  useInstall,
} from './install-prompt.ts'
import { offerOf } from './offer.ts'

const REFUSED = { install: 'superday-no-install', reminders: 'superday-no-reminders' }

/** Offers at the end of the dashboard, one at a time and unobtrusive (product 3.17.9). */
export function Offers() {
  const today = useToday()
  const { data: streak } = useQuery(streakQuery())
  const install = useInstall()
  const [, drawAgain] = useState(0)
  const refuse = (what: keyof typeof REFUSED) => {
    deviceStore.set(REFUSED[what], today)
    drawAgain((count) => count + 1)
  }
  const offer = offerOf(
    today,
    {
      practicedDays: streak?.recentDays.length ?? 0,
      isInstalled: isInstalled(),
      canInstall: install !== null,
      isAppleTouch: isAppleTouch(),
      mayAskToNotify: mayAskToNotify(),
    },
    {
      install: deviceStore.get(REFUSED.install),
      reminders: deviceStore.get(REFUSED.reminders),
    },
  )
  if (offer === null) return null
  if (offer === 'reminders') {
    return (
      <Offered
        title="Want a reminder?"
        text="At most once a day, only on planned days you haven't practiced yet."
        onRefuse={() => refuse('reminders')}
      >
        <Link to={URLS.plan} className="btn btn-ghost">
          Open your plan
        </Link>
      </Offered>
    )
  }
  return (
    <Offered
      title="Superday also works without a connection"
      text={offer === 'install' ? INSTALL_HINT : APPLE_HINT}
      onRefuse={() => refuse('install')}
    >
      {install && (
        <button type="button" className="btn btn-ghost" onClick={() => void install()}>
          Install
        </button>
      )}
    </Offered>
  )
}

function mayAskToNotify(): boolean {
  return (
    'PushManager' in window && 'Notification' in window && Notification.permission === 'default'
  )
}

function Offered(props: {
  title: string
  text: string
  onRefuse: () => void
  children: ReactNode
}) {
  return (
    <section
      aria-labelledby="offered"
      className="mt-12 flex flex-wrap items-center justify-between gap-x-10 gap-y-4 border-line border-t pt-6"
    >
      <div className="max-w-[56ch]">
        <h2 id="offered" className="text-[20px]">
          {props.title}
        </h2>
        <p className="mt-1 text-ink-2">{props.text}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {props.children}
        <button type="button" className="btn btn-flat" onClick={props.onRefuse}>
          No, thanks
        </button>
      </div>
    </section>
  )
}
