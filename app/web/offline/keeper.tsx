import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { localDay } from '../../../platform/local-day.ts'
import { connectivity } from '../../../platform/web/connection/connectivity.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { whenIdle } from '../../../platform/web/when-idle.ts'
import { prepareContent, prepareDue } from '../../../practice/web/prepare.ts'
import { outbox } from '../../../practice/web/use-outbox.tsx'
import type { router as appRouter } from '../routes.tsx'
import { isQuiet } from './from-cache.ts'
import { isShellKept, notePrepared, openCache, readPrepared } from './person-cache.ts'

/** Kept because `navigator` loses it when the page is being left. */
const { serviceWorker } = navigator

/** Milliseconds between checks for a new version on an open page. */
const LOOK_EVERY_MS = 3600_000
/** Milliseconds for which prepared due cards stay valid. Finishing anything prepares them again immediately. */
const DUE_FOR_MS = 6 * 3600_000
const CONTENT_FOR_MS = 20 * 3600_000

/** Passed as an argument, because an import from the application's entry would split that module. */
type Router = typeof appRouter

const usePath = (router: Router) =>
  useSyncExternalStore(
    (listener) => router.subscribe(listener),
    () => router.state.location.pathname,
  )

/** Caches the application and a person's day for offline use, and offers new versions. */
export function Keeper({ userId, router }: { userId: string; router: Router }) {
  const path = usePath(router)
  const waiting = useWorker(userId)
  usePrepared(userId, path)
  return waiting && isQuiet(path) ? <NewVersion waiting={waiting} /> : null
}

/** Registers the worker. @returns the next version's worker once it is ready */
function useWorker(userId: string): ServiceWorker | null {
  const [waiting, setWaiting] = useState<ServiceWorker | null>(null)
  useEffect(() => {
    let registration: ServiceWorkerRegistration | undefined
    let lookedAtMs = Date.now()
    const look = () => {
      // A first worker doesn't wait for an older one.
      if (registration?.waiting && serviceWorker.controller) {
        setWaiting(registration.waiting)
      }
    }
    const onFound = () => registration?.installing?.addEventListener('statechange', look)
    const onVisible = () => {
      if (document.visibilityState !== 'visible' || Date.now() - lookedAtMs < LOOK_EVERY_MS) return
      lookedAtMs = Date.now()
      registration?.update().catch(() => {})
    }
    openCache(userId)
      .then(() => serviceWorker.register('/sw.js'))
      .then((registered) => {
        registration = registered
        registration.addEventListener('updatefound', onFound)
        onFound()
        look()
      })
      // In a private window, without storage or offline, the product works without a worker.
      .catch(() => {})
    document.addEventListener('visibilitychange', onVisible)
    return () => {
      registration?.removeEventListener('updatefound', onFound)
      document.removeEventListener('visibilitychange', onVisible)
    }
  }, [userId])
  return waiting
}

/** Prepares the day ahead, on pages where it interrupts nothing (product 3.17.5). */
function usePrepared(userId: string, path: string): void {
  const hasFinished = useRef(false)
  useEffect(
    () =>
      outbox.subscribe(() => {
        hasFinished.current = true
      }),
    [],
  )
  useEffect(() => {
    if (!isQuiet(path)) return
    let takeBack = () => {}
    // Only requests through the worker are cached, and the first worker takes a moment to start.
    const start = () => {
      takeBack = whenIdle(() => {
        prepare(userId, hasFinished.current)
          .then(() => {
            hasFinished.current = false
          })
          // The network is gone. The next page tries again.
          .catch(() => {})
      })
    }
    if (serviceWorker.controller) start()
    else serviceWorker.addEventListener('controllerchange', start, { once: true })
    return () => {
      serviceWorker.removeEventListener('controllerchange', start)
      takeBack()
    }
  }, [userId, path])
}

async function prepare(userId: string, hasFinished: boolean): Promise<void> {
  if (connectivity.isOffline() || !(await isShellKept())) return
  const nowMs = Date.now()
  const day = localDay(nowMs, deviceTimeZone())
  const before = await readPrepared(userId)
  const now =
    before?.day === day ? before : { day, dueAtMs: 0, contentAtMs: before?.contentAtMs ?? 0 }
  if (hasFinished || nowMs - now.dueAtMs > DUE_FOR_MS) {
    await prepareDue(nowMs)
    if (connectivity.isOffline()) return
    now.dueAtMs = nowMs
    await notePrepared(userId, now)
  }
  if (nowMs - now.contentAtMs > CONTENT_FOR_MS) {
    await prepareContent(nowMs)
    if (connectivity.isOffline()) return
    now.contentAtMs = nowMs
    await notePrepared(userId, now)
  }
}

/** Offers a new version but never forces it (product 3.17.6). */
function NewVersion({ waiting }: { waiting: ServiceWorker }) {
  const [isPutOff, setPutOff] = useState(false)
  if (isPutOff) return null
  const take = () => {
    serviceWorker.addEventListener('controllerchange', () => location.reload(), {
      once: true,
    })
    waiting.postMessage('take over')
  }
  return (
    <div
      role="status"
      className="card fixed inset-x-4 bottom-4 z-50 flex flex-wrap items-center gap-x-4 gap-y-2 border-line-strong py-2 pr-2 pl-4 sm:left-auto print:hidden"
    >
      <p className="flex-1 font-medium text-[15px]">A new version is ready.</p>
      <button type="button" className="btn btn-ghost" onClick={take}>
        Reload
      </button>
      <button type="button" className="btn btn-flat" onClick={() => setPutOff(true)}>
        Later
      </button>
    </div>
  )
}
