import './styles.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode, useEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router/dom'
import { connectivity, followBrowser } from '../../platform/web/connection/connectivity.ts'
import { hourAndMinute, shortDate } from '../../platform/web/dates.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { SessionProvider } from '../../platform/web/session.tsx'
import { Toasts } from '../../platform/web/ui/toast.tsx'
import { RecordingsKeeper } from '../../practice/web/aloud/recordings-keeper.tsx'
import { OutboxRunner } from '../../practice/web/use-outbox.tsx'
import { Offline } from './offline/offline.tsx'
import { router } from './routes.tsx'

/** Milliseconds to wait for the first screen's code before showing a spinner. */
const PATIENCE_MS = 100

followBrowser()
const root = document.getElementById('root')
// Rendering the spinner first would cost a slow phone more time than waiting.
if (root) firstScreen().then(() => draw(root))

function firstScreen(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, PATIENCE_MS)
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
    if (router.state.initialized) resolve()
  })
}

function draw(root: HTMLElement): void {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={router} />
          <OutboxRunner />
          <RecordingsKeeper />
          <ConnectionNotice />
          <Offline router={router} />
          <Toasts />
        </SessionProvider>
      </QueryClientProvider>
    </StrictMode>,
  )
}

/** Milliseconds that 'back online' stays. */
const FOUND_STANDS_MS = 4_000

/** A small notice while the server is unreachable (product 1.5.6, 3.17.4), in a live region that always exists. */
function ConnectionNotice() {
  const { isOffline, asOf } = useSyncExternalStore(connectivity.subscribe, connectivity.get)
  const isOnline = !isOffline
  const [wasOffline, setWasOffline] = useState(!isOnline)
  if (!isOnline && !wasOffline) setWasOffline(true)

  const isFound = isOnline && wasOffline
  useEffect(() => {
    if (!isFound) return
    const timer = setTimeout(() => setWasOffline(false), FOUND_STANDS_MS)
    return () => clearTimeout(timer)
  }, [isFound])

  return (
    <div
      role="status"
      // A society's test shows this in its own header.
      className="pointer-events-none fixed inset-x-0 top-0 in-data-exam:hidden z-50 flex justify-center sm:inset-x-4 sm:top-auto sm:bottom-4 sm:max-nav:bottom-19 sm:justify-start print:hidden"
    >
      {wasOffline && (
        // On a phone it sits above the bar's labels, where it covers nothing.
        <p className="card flex items-center gap-2 border-line-strong px-2.5 py-0.5 font-medium text-[11.5px] leading-[17px] max-sm:mt-0.5 sm:min-h-9 sm:px-3 sm:text-[14px]">
          <span
            aria-hidden
            className={`size-2 flex-none rounded-full ${isOnline ? 'bg-right' : 'bg-mid'}`}
          />
          {isOnline
            ? 'Connected again'
            : `No connection${asOf === null ? '' : `, figures as of ${whenOf(asOf)}`}`}
        </p>
      )}
    </div>
  )
}

/** '6:12 PM' for today, otherwise 'Nov 20' */
function whenOf(asOf: string): string {
  const isToday = shortDate(asOf) === shortDate(new Date().toISOString())
  return isToday ? hourAndMinute(asOf) : shortDate(asOf)
}
