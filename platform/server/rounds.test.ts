import pino from 'pino'
import { describe, expect, it } from 'vitest'
import { inRounds } from './rounds.ts'

const log = pino({ level: 'silent' })

/** A run whose batches the test answers. */
function makeRun() {
  const rounds: { calls: readonly number[]; answer: () => void; fail: (error: Error) => void }[] =
    []
  const run = (calls: readonly number[]) =>
    new Promise<(number | null)[]>((resolve, reject) => {
      rounds.push({ calls, answer: () => resolve(calls.map((call) => call * 10)), fail: reject })
    })
  return { rounds, run }
}

const turns = async () => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

describe('batched calls', () => {
  it('that arrive together form one batch; later ones wait for the next', async () => {
    const { rounds, run } = makeRun()
    const call = inRounds(log, run)
    const first = [call(1), call(2)]
    await turns()
    const second = [call(3), call(4), call(5)]
    await turns()
    expect(rounds.map(({ calls }) => calls)).toEqual([[1, 2]])
    rounds[0]?.answer()
    expect(await Promise.all(first)).toEqual([10, 20])
    await turns()
    expect(rounds.map(({ calls }) => calls)).toEqual([
      [1, 2],
      [3, 4, 5],
    ])
    rounds[1]?.answer()
    expect(await Promise.all(second)).toEqual([30, 40, 50])
  })

  it('form batches of at most 200, one after the other', async () => {
    const { rounds, run } = makeRun()
    const call = inRounds(log, run)
    const calls = Array.from({ length: 450 }, (_, index) => call(index))
    for (const size of [200, 200, 50]) {
      await turns()
      expect(rounds).toHaveLength(1)
      expect(rounds[0]?.calls).toHaveLength(size)
      rounds.pop()?.answer()
    }
    expect(await Promise.all(calls)).toHaveLength(450)
  })

  it('start at the given interval, and the first immediately', async () => {
    const { rounds, run } = makeRun()
    const call = inRounds(log, run, { everyMs: 50 })
    const began = performance.now()
    const first = call(1)
    await turns()
    rounds.pop()?.answer()
    expect(await first).toBe(10)
    const others = [call(2)]
    await turns()
    expect(rounds).toEqual([])
    others.push(call(3))
    await expect.poll(() => rounds.length).toBe(1)
    expect(performance.now() - began).toBeGreaterThan(45)
    expect(rounds[0]?.calls).toEqual([2, 3])
    rounds[0]?.answer()
    expect(await Promise.all(others)).toEqual([20, 30])
  })

  it('wait for a slow batch no longer than their limit', async () => {
    const { rounds, run } = makeRun()
    const call = inRounds(log, run, { slowMs: 20 })
    const slow = call(1)
    await turns()
    const next = call(2)
    await turns()
    expect(rounds).toHaveLength(1)
    await expect.poll(() => rounds.length).toBe(2)
    rounds[1]?.answer()
    expect(await next).toBe(20)
    rounds[0]?.answer()
    expect(await slow).toBe(10)
  })

  it('run one by one when the batch fails, and get 503 when the database is down', async () => {
    const { rounds, run } = makeRun()
    const call = inRounds(log, run)
    const calls = [call(1), call(2)]
    await turns()
    rounds.pop()?.fail(new Error('planted'))
    expect(await Promise.all(calls)).toEqual([null, null])

    // A locked row must not affect other calls.
    for (const code of ['55P03', '40P01', '40001']) {
      const behind = [call(1), call(2)]
      await turns()
      const waiting = call(3)
      rounds.pop()?.fail(Object.assign(new Error('planted'), { code }))
      expect(await Promise.all(behind), code).toEqual([null, null])
      await turns()
      rounds.pop()?.answer()
      expect(await waiting, code).toBe(30)
    }

    const away = [call(3), call(4)]
    await turns()
    // Queued calls also fail immediately, without their own timeout.
    away.push(call(6))
    rounds.pop()?.fail(new Error('Connection terminated unexpectedly'))
    const outcomes = await Promise.allSettled(away)
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(rounds).toEqual([])

    const next = call(5)
    await turns()
    rounds.pop()?.answer()
    expect(await next).toBe(50)
  })

  it('are refused immediately when 2,000 wait, and accepted again afterwards', async () => {
    const { rounds, run } = makeRun()
    const call = inRounds(log, run)
    const calls = Array.from({ length: 2_000 }, (_, index) => call(index))
    await expect(call(2_000)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 1 })
    for (let round = 0; round < 10; round += 1) {
      await turns()
      rounds.pop()?.answer()
    }
    await Promise.all(calls)
    const next = call(7)
    await turns()
    rounds.pop()?.answer()
    expect(await next).toBe(70)
  })
})
