import { useSyncExternalStore } from 'react'
import { localDay } from '../local-day.ts'
import { deviceTimeZone } from './dates.ts'

/** Upper limit, because timers stop while a laptop sleeps and the time zone may change. */
const LONGEST_WAIT_MS = 60_000

function msToMidnight(): number {
  const midnight = new Date()
  midnight.setHours(24, 0, 0, 0)
  return midnight.getTime() - Date.now()
}

function subscribe(onChange: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const wait = () => {
    timer = setTimeout(
      () => {
        onChange()
        wait()
      },
      Math.min(msToMidnight(), LONGEST_WAIT_MS),
    )
  }
  wait()
  document.addEventListener('visibilitychange', onChange)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', onChange)
  }
}

/** The device's local day (yyyy-mm-dd). Components that use it render again at midnight. */
export function useToday(): string {
  return useSyncExternalStore(subscribe, () => localDay(Date.now(), deviceTimeZone()))
}
