import { Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { createNetworkTurns, createTurns } from './turns.ts'

const person = (id: string) => ({
  id,
  sessionId: 'session',
  email: null,
  isAnonymous: true,
  contentVersion: 1,
})
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('the per-user queue', () => {
  it('runs one call per person at a time, in order, and does not delay other people', async () => {
    const enter = createTurns({ rateLimits: false })
    const seen: string[] = []
    const call = async (id: string, name: string) => {
      const leave = await enter(person(id))
      seen.push(`${name} in`)
      await nextTurn()
      seen.push(`${name} out`)
      leave()
    }
    await Promise.all([call('a', '1'), call('a', '2'), call('b', '3')])
    expect(seen).toEqual(['1 in', '3 in', '1 out', '2 in', '3 out', '2 out'])
    await call('a', '4')
    expect(seen.slice(-2)).toEqual(['4 in', '4 out'])
  })

  it('refuses a person with eight waiting calls, and accepts more once they are done', async () => {
    const enter = createTurns({ rateLimits: false })
    const leave = await enter(person('a'))
    const waiting = Array.from({ length: 8 }, () => enter(person('a')))
    await expect(enter(person('a'))).rejects.toMatchObject({
      status: 429,
      code: 'too_many_calls',
      retryAfterSeconds: 1,
    })
    leave()
    for (const one of waiting) (await one)()
    ;(await enter(person('a')))()
  })

  it('makes a person wait for the next minute after 300 calls in one', async () => {
    const enter = createTurns({ rateLimits: true })
    for (let n = 0; n < 300; n += 1) (await enter(person('a')))()
    const refused = await enter(person('a')).catch((error) => error)
    expect(refused).toMatchObject({ status: 429, code: 'too_many_calls' })
    expect(refused.retryAfterSeconds).toBeGreaterThan(50)
    ;(await enter(person('b')))()
  })
})

describe('the queue per network', () => {
  /** How many of a hundred callers get in at the same time, each from the address of `addressOf`. */
  async function running(addressOf: (n: number) => string) {
    const enter = createNetworkTurns({ trustProxy: true }, 4)
    let inside = 0
    const app = new Hono().get('/', async (context) => {
      await enter(context)
      inside += 1
      return context.text('')
    })
    for (let n = 0; n < 100; n += 1) {
      void app.request('/', { headers: { 'X-Forwarded-For': addressOf(n) } })
    }
    for (let n = 0; n < 20; n += 1) await nextTurn()
    return inside
  }

  it('lets in four calls of an address, and eight of a provider with thousands of networks', async () => {
    expect(await running(() => '192.0.2.1')).toBe(4)
    expect(await running((n) => `2001:db8:${n.toString(16)}::1`)).toBe(8)
    expect(await running((n) => `192.0.2.${n}`)).toBe(100)
  })

  it('rests after a long call for as long as the call took', async () => {
    vi.useFakeTimers()
    try {
      const enter = createTurns({ rateLimits: false, rests: true })
      const leave = await enter(person('a'))
      await vi.advanceTimersByTimeAsync(200)
      leave()
      let isIn = false
      const next = enter(person('a')).then(() => {
        isIn = true
      })
      await vi.advanceTimersByTimeAsync(190)
      expect(isIn).toBe(false)
      await vi.advanceTimersByTimeAsync(20)
      await next
      expect(isIn).toBe(true)
    } finally {
      vi.useRealTimers()
    }
  })
})
