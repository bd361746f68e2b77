import * as z from 'zod/mini'
import { type OptionLetter, optionLetterSchema } from '../../platform/options.ts'
import { type KeyValueStore, parseStored, tabStore } from '../../platform/web/storage.ts'
import { LONGEST_SECONDS } from '../contract.ts'

const revealedSchema = z.object({
  /** milliseconds since 1970 */
  revealedAtMs: z.number(),
  choice: z.optional(optionLetterSchema),
})
/** A revealed but unanswered brainteaser, as stored across reloads. */
type Revealed = z.infer<typeof revealedSchema>

const PREFIX = 'superday-daily:'

interface DailyTimerOptions {
  store: KeyValueStore
  /** the device's clock, milliseconds since 1970 */
  now: () => number
  /** a monotonic clock, milliseconds since the page was loaded */
  ticks: () => number
}

/**
 * Measures the time from Reveal to Submit (product 5.8, 5.10) by user and date: monotonic within a page, with the
 * device's clock across a reload:
 *     Reveal ──── monotonic ────╎ reload ──── monotonic ──── Submit
 *        └─ device clock: stored ╎ read: time since then
 */
export function createDailyTimers({ store, now, ticks }: DailyTimerOptions) {
  const keyOf = (userId: string, date: string) => `${PREFIX}${userId}:${date}`
  /** by key: the monotonic clock at Reveal; negative if that was before this page */
  const startTicks = new Map<string, number>()

  /** What was revealed on a date; null before Reveal. */
  function load(userId: string, date: string): Revealed | null {
    const key = keyOf(userId, date)
    const revealed = parseStored(store.get(key), revealedSchema)
    if (revealed && !startTicks.has(key)) {
      startTicks.set(key, ticks() - Math.max(0, now() - revealed.revealedAtMs))
    }
    return revealed
  }

  return {
    load,
    /** Starts the timer unless it is running. */
    reveal(userId: string, date: string): void {
      if (load(userId, date)) return
      const key = keyOf(userId, date)
      startTicks.set(key, ticks())
      store.set(key, JSON.stringify({ revealedAtMs: now() } satisfies Revealed))
    },
    /** Stores the chosen option before it is submitted. */
    choose(userId: string, date: string, choice: OptionLetter): void {
      const revealed = load(userId, date)
      if (revealed) store.set(keyOf(userId, date), JSON.stringify({ ...revealed, choice }))
    },
    /** Whole seconds since Reveal; 0 before it. */
    secondsOf(userId: string, date: string): number {
      const start = load(userId, date) && startTicks.get(keyOf(userId, date))
      if (typeof start !== 'number') return 0
      return Math.min(LONGEST_SECONDS, Math.max(0, Math.floor((ticks() - start) / 1000)))
    },
    /** Deletes what was stored for a date, because it is answered. */
    remove(userId: string, date: string): void {
      startTicks.delete(keyOf(userId, date))
      store.remove(keyOf(userId, date))
    },
    forget(userId: string): void {
      for (const key of store.keys(keyOf(userId, ''))) {
        startTicks.delete(key)
        store.remove(key)
      }
    },
  }
}

export const dailyTimers = createDailyTimers({
  store: tabStore,
  now: Date.now,
  ticks: () => performance.now(),
})
