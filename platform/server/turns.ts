import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from 'hono'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { createAddressOf, networkOf } from './address.ts'
import { ApiError, type EnterTurn } from './api.ts'
import { secondsToWait } from './quota.ts'

/** Calls of one person that wait for their turn; a page of ours has four under way at most, in one tab. */
const WAITING_LIMIT = 8
/** Calls of one person in a minute, on one node: a page of ours makes some thirty. */
const PER_MINUTE = 300

/** How long who is sent away waits, milliseconds: a script that calls again at once would cost the processor. */
const REFUSAL_MS = 500

/**
 * Lets a person's calls in one after the other, before bodies are read: a flood delays only its sender.
 * Errors: 429 too_many_calls with Retry-After. `rateLimits`: whether calls are counted by the minute too.
 */
export function createTurns({
  rateLimits,
  atOnce = 1,
  waitingLimit = WAITING_LIMIT,
}: {
  rateLimits: boolean
  atOnce?: number
  waitingLimit?: number
}): EnterTurn {
  /** of each person with a call under way, how many are and who waits */
  const calls = new Map<string, { underWay: number; waiting: (() => void)[] }>()
  const perMinute = new RateLimiterMemory({ points: PER_MINUTE * atOnce, duration: 60 })

  return async ({ id }) => {
    if (rateLimits) {
      await perMinute.consume(id).catch(async (reason) => {
        const seconds = secondsToWait(reason)
        await wait(REFUSAL_MS)
        throw tooManyCalls(seconds)
      })
    }
    const own = calls.get(id) ?? { underWay: 0, waiting: [] }
    calls.set(id, own)
    if (own.underWay < atOnce) {
      own.underWay += 1
    } else {
      if (own.waiting.length >= waitingLimit) {
        await wait(REFUSAL_MS)
        throw tooManyCalls(1)
      }
      await new Promise<void>((resolve) => own.waiting.push(resolve))
    }
    return () => {
      const next = own.waiting.shift()
      if (next) return next()
      own.underWay -= 1
      if (own.underWay === 0) calls.delete(id)
    }
  }
}

const tooManyCalls = (retryAfterSeconds: number) =>
  new ApiError(
    429,
    'too_many_calls',
    'Too many calls at once. Please wait a moment and try again.',
    { retryAfterSeconds },
  )

/** Calls of one network that are let in: each may hold one of the node's ten connections. */
const NETWORK_AT_ONCE = 2

/** The same by the caller's network: nobody is refused, because a whole campus may have one address. */
export function createNetworkTurns(settings: { trustProxy: boolean }, atOnce = NETWORK_AT_ONCE) {
  const addressOf = createAddressOf(settings)
  const enterTurn = createTurns({
    ...{ rateLimits: false, atOnce, waitingLimit: Number.POSITIVE_INFINITY },
  })
  return (context: Context) => enterTurn({ id: networkOf(addressOf(context), 48) })
}
