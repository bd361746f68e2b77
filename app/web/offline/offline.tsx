import { type ComponentProps, useEffect, useState } from 'react'
import { useSession } from '../../../platform/web/session.tsx'
import { isQuiet } from './from-cache.ts'
import './install-prompt.ts'
import type { Keeper as KeeperPart } from './keeper.tsx'
import { keepOnly } from './person-cache.ts'

/** Milliseconds after the page has loaded: what keeps the next visit quick must not slow this one. */
const WAIT_MS = 3_000

/**
 * What every page needs of offline use (product 3.17): signing out clears the cache. The rest comes when the page is
 * idle, and not for candidates: a hall does not fetch the whole application.
 */
export function Offline({ router }: Pick<ComponentProps<typeof KeeperPart>, 'router'>) {
  const session = useSession()
  const userId = session.status === 'loading' ? undefined : (session.user?.id ?? null)
  const [Keeper, setKeeper] = useState<typeof KeeperPart>()

  useEffect(() => {
    if (userId === undefined) return
    // Refused by the browser: then nothing is kept either.
    keepOnly(userId).catch(() => {})
    if (userId === null) endPush().catch(() => {})
  }, [userId])

  useEffect(() => {
    // In development there is no worker.
    if (!import.meta.env.PROD || !userId || !('serviceWorker' in navigator)) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const begin = () => {
      // Who signs in comes from a page that is none of these: asked again until they are on one.
      if (!isQuiet(location.pathname)) {
        timer = setTimeout(begin, WAIT_MS)
        return
      }
      import('./keeper.tsx').then(
        (part) => !isOver && setKeeper(() => part.Keeper),
        // Without the network it is here already, or comes the next time.
        () => {},
      )
    }
    timer = setTimeout(begin, WAIT_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [userId])

  return Keeper && userId ? <Keeper key={userId} userId={userId} router={router} /> : null
}

/** Reminders on this device are of who asked for them. */
async function endPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}
