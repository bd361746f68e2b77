import { useEffect, useState, useSyncExternalStore } from 'react'

/** Returns the current time and updates it, for clocks and countdowns. */
export function useNowMs(everyMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}

// A live page reports a lost connection here, and the header shows it instead of the clock.
let lastMs: number | null = null
const listeners = new Set<() => void>()

function set(next: number | null): void {
  if (next === lastMs) return
  lastMs = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns the time of the last update while the connection is lost, in milliseconds since 1970; otherwise null. */
export const useLostLine = (): number | null => useSyncExternalStore(subscribe, () => lastMs)

/** Reports a lost connection while the page is mounted. @param sinceMs null while connected */
export function useTellLostLine(sinceMs: number | null): void {
  useEffect(() => {
    set(sinceMs)
    return () => set(null)
  }, [sinceMs])
}
