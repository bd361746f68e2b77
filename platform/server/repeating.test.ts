import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startRepeating } from './repeating.ts'

it('a repeating job has one run at a time, even a slow one, and continues after a failed one', async () => {
  let under = 0
  let most = 0
  let rounds = 0
  const failed: unknown[] = []
  const repeating = startRepeating(
    { everyMs: 5, onError: (error) => failed.push(error) },
    async () => {
      under += 1
      most = Math.max(most, under)
      rounds += 1
      const isFirst = rounds === 1
      await wait(30)
      under -= 1
      if (isFirst) throw new Error('the first')
    },
  )
  while (rounds < 3) await wait(5)
  await repeating.stop()
  expect([most, under, failed.map(String)]).toEqual([1, 0, ['Error: the first']])
  const made = rounds
  await wait(50)
  expect(rounds).toBe(made)
})

it('a repeating job tells a run to stop and waits for it', async () => {
  let isOver = false
  const repeating = startRepeating({ everyMs: 5, onError: () => {} }, async (isStopped) => {
    while (!isStopped()) await wait(5)
    await wait(30)
    isOver = true
  })
  await wait(10)
  await repeating.stop()
  expect(isOver).toBe(true)
})

it('a repeating job with a delayed start begins after its pause', async () => {
  let rounds = 0
  const repeating = startRepeating(
    { everyMs: 200, waitsFirst: true, onError: () => {} },
    async () => {
      rounds += 1
    },
  )
  await wait(20)
  await repeating.stop()
  expect(rounds).toBe(0)
})
