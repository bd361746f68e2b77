import { useEffect, useState, useSyncExternalStore } from 'react'

/** Milliseconds that the good news stands. */
const FOUND_STANDS_MS = 4_000

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}

/**
 * A quiet line while the device has no connection, and for a moment when it has one again. The live region
 * is always there, so that both are read out; a page that was never offline shows nothing.
 */
export function ConnectionNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
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
      // On a phone a test's own header stands there, and says what isn't saved.
      className="pointer-events-none fixed inset-x-0 top-[18px] in-data-exam:max-sm:hidden z-50 flex justify-center px-20 sm:inset-x-4 sm:top-auto sm:bottom-4 sm:justify-start sm:px-0"
    >
      {wasOffline && (
        <p className="card flex min-h-7 items-center gap-2 border-line-strong px-3 font-medium text-[13px] sm:min-h-9 sm:text-[14px]">
          <span
            aria-hidden
            className={`size-2 flex-none rounded-full ${isOnline ? 'bg-right' : 'bg-mid'}`}
          />
          {isOnline ? 'Connected again' : 'No connection'}
        </p>
      )}
    </div>
  )
}
