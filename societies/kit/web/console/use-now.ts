import { useEffect, useState, useSyncExternalStore } from 'react'

/** The moment, again and again: for clocks and times until something. */
export function useNowMs(everyMs: number): number {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}

// A page that follows something tells here that it cannot, and the mast says so in place of its clock.
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

/** The moment of the last update while the line is lost, milliseconds since 1970; null while all is well. */
export const useLostLine = (): number | null => useSyncExternalStore(subscribe, () => lastMs)

/** Tells as long as a page is there. @param sinceMs null while all is well */
export function useTellLostLine(sinceMs: number | null): void {
  useEffect(() => {
    set(sinceMs)
    return () => set(null)
  }, [sinceMs])
}
