import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createLine, LineFull } from './line.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

/** Calls that run until the test releases them, in the order in which they started. */
function gates() {
  const inside: { name: string; leave: () => void }[] = []
  return {
    inside,
    names: () => inside.map(({ name }) => name),
    work: (name: string) => () =>
      new Promise<void>((leave) => {
        inside.push({ name, leave })
      }),
  }
}

describe('a line', () => {
  it('lets one share have two of three slots, and gives the next to the share that has the fewest', async () => {
    const line = createLine(3, { atOnce: 2 })
    const { inside, names, work } = gates()
    const calls = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) =>
      line({ share: name.charAt(0) }, work(name)),
    )
    await nextTurn()
    expect(names()).toEqual(['a1', 'a2', 'b1'])
    inside[0]?.leave()
    await nextTurn()
    expect(names().slice(3)).toEqual(['c1'])
    for (let at = 1; at < calls.length; at += 1) {
      inside[at]?.leave()
      await nextTurn()
    }
    await Promise.all(calls)
    expect(names().slice(4).sort()).toEqual(['a3', 'a4', 'b2'])
  })

  it('takes turns by share where there is one place, and lets so many of a share wait', async () => {
    const line = createLine(1, { waiting: 3 })
    const { inside, names, work } = gates()
    const calls = ['a1', 'a2', 'a3', 'a4', 'b1'].map((name) =>
      line({ share: name.charAt(0) }, work(name)),
    )
    await expect(line({ share: 'a' }, work('a5'))).rejects.toThrow(LineFull)
    for (let at = 0; at < calls.length; at += 1) {
      await nextTurn()
      inside[at]?.leave()
    }
    await Promise.all(calls)
    expect(names()).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
  })

  it('lets a share rest after long work, while others continue', async () => {
    const line = createLine(1, { rest: 2 })
    const order: string[] = []
    const work = (name: string, ms: number) => () =>
      sleep(ms).then(() => {
        order.push(name)
      })
    const begunAt = performance.now()
    await line({ share: 'a' }, work('long', 60))
    await Promise.all([
      line({ share: 'a' }, work('short', 1)),
      line({ share: 'b' }, work('of another', 1)),
    ])
    expect(performance.now() - begunAt).toBeGreaterThan(170)
    const againAt = performance.now()
    await line({ share: 'a' }, work('next', 1))
    expect(performance.now() - againAt).toBeLessThan(100)
    expect(order).toEqual(['long', 'of another', 'short', 'next'])
  })

  it('never runs calls whose caller hung up, and passes slots on after errors', async () => {
    const line = createLine(1)
    const { inside, names, work } = gates()
    let isGone = false
    const first = line({ share: 'a' }, work('first'))
    const left = Array.from({ length: 50 }, () =>
      line({ share: 'b', isGone: () => isGone }, work('left')).catch(({ code }) => code),
    )
    const broken = line({ share: 'c' }, () => Promise.reject(new Error('the cable')))
    const last = line({ share: 'b' }, work('last'))
    isGone = true
    await nextTurn()
    inside[0]?.leave()
    await first
    await expect(broken).rejects.toThrow('the cable')
    await nextTurn()
    expect(names()).toEqual(['first', 'last'])
    inside[1]?.leave()
    await last
    expect(await Promise.all(left)).toEqual(Array(50).fill('caller_gone'))
  })
})
