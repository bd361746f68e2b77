import { type ComponentProps, useEffect, useState } from 'react'
import { useSession } from '../../../platform/web/session.tsx'
import { isQuiet } from './from-cache.ts'
import './install-prompt.ts'
import type { Keeper as KeeperPart } from './keeper.tsx'
import { keepOnly } from './person-cache.ts'

/** Milliseconds after page load, so that preparing the next visit doesn't slow this one. */
const WAIT_MS = 3_000

/**
 * The part of offline use (product 3.17) that every page needs: signing out clears the cache. The rest is loaded when
 * the page is idle, but not for candidates, so that a hall doesn't download the whole application.
 */
export function Offline({ router }: Pick<ComponentProps<typeof KeeperPart>, 'router'>) {
  const session = useSession()
  const userId = session.status === 'loading' ? undefined : (session.user?.id ?? null)
  const [Keeper, setKeeper] = useState<typeof KeeperPart>()

  useEffect(() => {
    if (userId === undefined) return
    // If the browser refuses, it caches nothing anyway.
    keepOnly(userId).catch(() => {})
    if (userId === null) endPush().catch(() => {})
  }, [userId])

  useEffect(() => {
    // The development server has no worker.
    if (!import.meta.env.PROD || !userId || !('serviceWorker' in navigator)) return
    let isOver = false
    let timer: ReturnType<typeof setTimeout>
    const begin = () => {
      // Signing in happens on other pages, so this checks again until the user reaches one of these.
      if (!isQuiet(location.pathname)) {
        timer = setTimeout(begin, WAIT_MS)
        return
      }
      import('./keeper.tsx').then(
        (part) => !isOver && setKeeper(() => part.Keeper),
        // Offline it is already cached, or is loaded next time.
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

/** Ends this device's reminders when the user signs out. */
async function endPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await subscription?.unsubscribe()
}
