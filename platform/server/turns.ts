import { setTimeout as wait } from 'node:timers/promises'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ApiError, type EnterTurn } from './api.ts'
import { secondsToWait } from './quota.ts'

/** Calls of one person that wait for their turn; a page of ours has four under way at most, in one tab. */
const WAITING_LIMIT = 8
/** Calls of one person in a minute, on one node: a page of ours makes some thirty. */
const PER_MINUTE = 300

/** How long who is sent away waits, milliseconds: a script that calls again at once would cost the processor. */
const REFUSAL_MS = 500

/**
 * Lets each person's calls in one after the other, before their bodies are read and without a database
 * connection in hand: whoever sends a hundred at once waits for themselves, and nobody else does.
 * Errors: 429 too_many_calls with Retry-After.
 * @param options.rateLimits whether calls are counted by the minute too
 * @param options.waitingLimit how many of one person may wait
 */
export function createTurns({
  rateLimits,
  waitingLimit = WAITING_LIMIT,
}: {
  rateLimits: boolean
  waitingLimit?: number
}): EnterTurn {
  /** who waits, of each person with a call under way */
  const waitingOf = new Map<string, (() => void)[]>()
  const perMinute = new RateLimiterMemory({ points: PER_MINUTE, duration: 60 })

  function leave(id: string): void {
    const next = waitingOf.get(id)?.shift()
    if (next) next()
    else waitingOf.delete(id)
  }

  return async ({ id }) => {
    if (rateLimits) {
      await perMinute.consume(id).catch(async (reason) => {
        const seconds = secondsToWait(reason)
        await wait(REFUSAL_MS)
        throw tooManyCalls(seconds)
      })
    }
    const waiting = waitingOf.get(id)
    if (!waiting) {
      waitingOf.set(id, [])
    } else {
      if (waiting.length >= waitingLimit) {
        await wait(REFUSAL_MS)
        throw tooManyCalls(1)
      }
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    return () => leave(id)
  }
}

const tooManyCalls = (retryAfterSeconds: number) =>
  new ApiError(
    429,
    'too_many_calls',
    'Too many calls at once. Please wait a moment and try again.',
    { retryAfterSeconds },
  )
