import type { Environment } from '../../assessments/web/attempt/environment.ts'
import { createStore, type RawStorage } from '../../platform/web/storage.ts'

/** A device whose time the test moves, for the tests of this folder. */
export interface TestEnvironment extends Environment {
  /** Moves both clocks, runs every due timer, and lets promises settle. */
  advance(ms: number): Promise<void>
  /** Moves only the device's clock, as if the user set it. */
  setWall(ms: number): void
  /** Moves the monotonic clock without running timers, as a throttled or sleeping page sees it. */
  sleep(monotonicMs: number, wallMs?: number): void
  raw: RawStorage
}

/** Lets all pending promises settle. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve()
}

function memoryStorage(): RawStorage {
  const items = new Map<string, string>()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
}

/** @param raw a storage to share with another page of the same device */
export function createTestEnvironment(raw: RawStorage = memoryStorage()): TestEnvironment {
  let now = 1_000
  let wall = 1_750_000_000_000
  let timers: { at: number; run: () => void }[] = []
  return {
    raw,
    now: () => now,
    wallNow: () => wall,
    random: () => 0,
    store: createStore(raw),
    setTimer(run, delayMs) {
      const timer = { at: now + delayMs, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    async advance(ms) {
      const until = now + ms
      await settle()
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
        if (!next) break
        timers = timers.filter((one) => one !== next)
        const step = Math.max(0, next.at - now)
        now += step
        wall += step
        next.run()
        await settle()
      }
      wall += until - now
      now = until
      await settle()
    },
    setWall(ms) {
      wall += ms
    },
    sleep(monotonicMs, wallMs = monotonicMs) {
      now += monotonicMs
      wall += wallMs
    },
  }
}
