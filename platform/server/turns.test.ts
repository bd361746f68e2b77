import { describe, expect, it } from 'vitest'
import { createTurns } from './turns.ts'

const person = (id: string) => ({
  id,
  sessionId: 'session',
  email: null,
  isAnonymous: true,
  contentVersion: 1,
})
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe("the turns of people's calls", () => {
  it('one person has one call under way, in their order; another does not wait', async () => {
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

  it('who has eight waiting is sent away, and comes in again once they are done', async () => {
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

  it('of 300 calls in a minute the next waits for the next minute', async () => {
    const enter = createTurns({ rateLimits: true })
    for (let n = 0; n < 300; n += 1) (await enter(person('a')))()
    const refused = await enter(person('a')).catch((error) => error)
    expect(refused).toMatchObject({ status: 429, code: 'too_many_calls' })
    expect(refused.retryAfterSeconds).toBeGreaterThan(50)
    ;(await enter(person('b')))()
  })
})
