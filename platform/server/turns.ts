import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from 'hono'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { createAddressOf, networkOf } from './address.ts'
import { ApiError, type EnterTurn } from './api.ts'
import { secondsToWait } from './quota.ts'
import { restAfter } from './shares/line.ts'

/** Maximum calls waiting in one person's queue. A page has at most four running, in one tab. */
const WAITING_LIMIT = 8
/** Maximum calls of one person per minute and node. A page makes about thirty. */
const PER_MINUTE = 300

/** Milliseconds by which a refusal is delayed, because a script that retries immediately would load the processor. */
const REFUSAL_MS = 500

/**
 * Runs a person's calls one after the other and queues them before reading bodies, so that a flood delays only its
 * sender. Errors: 429 too_many_calls with Retry-After. `rateLimits`: whether to also limit calls per minute.
 */
export function createTurns({
  rateLimits,
  atOnce = 1,
  waitingLimit = WAITING_LIMIT,
  rests = false,
}: {
  rateLimits: boolean
  atOnce?: number
  waitingLimit?: number
  /** whether a slot stays unused after a long call for as long as the call took */
  rests?: boolean
}): EnterTurn {
  /** running and waiting calls by person */
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
    const leave = () => {
      const next = own.waiting.shift()
      if (next) return next()
      own.underWay -= 1
      if (own.underWay === 0) calls.delete(id)
    }
    const enteredAt = performance.now()
    return () => {
      const restMs = rests ? restAfter(performance.now() - enteredAt, 1) : 0
      if (restMs === 0) return leave()
      setTimeout(leave, restMs).unref()
    }
  }
}

const tooManyCalls = (retryAfterSeconds: number) =>
  new ApiError(
    429,
    'too_many_calls',
    'Too many calls at the same time. Please wait a moment and try again.',
    { retryAfterSeconds },
  )

/** Running calls per network. Each may hold one of the node's ten connections. */
const NETWORK_AT_ONCE = 2

/** Running calls per provider (IPv6 /32), which can have thousands of networks: two fewer than the node's connections. */
const PROVIDER_AT_ONCE = 8

/** The same by the caller's network. No call is refused, because a whole campus may share an address. */
export function createNetworkTurns(settings: { trustProxy: boolean }, atOnce = NETWORK_AT_ONCE) {
  const addressOf = createAddressOf(settings)
  const unlimited = { rateLimits: false, waitingLimit: Number.POSITIVE_INFINITY }
  const enterNetwork = createTurns({ ...unlimited, atOnce, rests: true })
  const enterProvider = createTurns({ ...unlimited, atOnce: PROVIDER_AT_ONCE })
  return async (context: Context) => {
    const address = addressOf(context)
    const leaveNetwork = await enterNetwork({ id: networkOf(address, 48) })
    const leaveProvider = await enterProvider({ id: networkOf(address, 32) })
    return () => {
      leaveProvider()
      leaveNetwork()
    }
  }
}
