import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'

/** What the assessment takes from the device; tests pass their own. */
export interface Environment {
  /** milliseconds on a clock that nobody can set */
  now(): number
  /** the device's own clock: only to notice that the device slept or that somebody set it */
  wallNow(): number
  /** @returns a function that cancels */
  setTimer(run: () => void, delayMs: number): () => void
  /** 0 ≤ n < 1 */
  random(): number
  store: KeyValueStore
}

/** The browser's. */
export const browserEnvironment: Environment = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  setTimer: (run, delayMs) => {
    const timer = setTimeout(run, delayMs)
    return () => clearTimeout(timer)
  },
  random: Math.random,
  store: deviceStore,
}
