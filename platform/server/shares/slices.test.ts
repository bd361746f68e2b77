import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { jsonInSlices, mapInSlices, sortInSlices } from './slices.ts'

/** Runs work on a list. Reports whether other work ran before the end. */
async function besideOthers<T>(work: Promise<T>) {
  let turns = 0
  let isOver = false
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn()
  })()
  const done = await work
  isOver = true
  await others
  return { done, turns }
}

function spin(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until; );
}

describe('long lists', () => {
  it('share one slice per turn of the event loop, however many there are', async () => {
    const took: number[] = []
    let isOver = false
    const others = (async () => {
      while (!isOver) {
        const beganAt = performance.now()
        await nextTurn()
        took.push(performance.now() - beganAt)
      }
    })()
    const orders: string[] = []
    const one = (name: string) =>
      mapInSlices(Array(30).fill(0), () => {
        spin(1)
        orders.push(name)
      })
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map(one))
    isOver = true
    await others
    const [median = 0] = took.sort((a, b) => a - b).slice(took.length / 2)
    expect(median).toBeLessThan(12)
    expect(new Set(orders.slice(30, 60)).size).toBeGreaterThan(4)
  })
})

describe('a long list', () => {
  const numbers = Array.from({ length: 750 }, (_, n) => (n * 7_919) % 1_009)

  it('is sorted as in one go, and other calls run in between', async () => {
    const compare = (a: number, b: number) => {
      spin(0.01)
      return a - b
    }
    const { done, turns } = await besideOthers(sortInSlices(numbers, compare))
    expect(done).toEqual([...numbers].sort((a, b) => a - b))
    expect(turns).toBeGreaterThan(8)
  })

  it('keeps the order of equal items and works for any length', async () => {
    const rows = numbers.map((number, at) => ({ number: number % 5, at }))
    const by = (a: { number: number }, b: { number: number }) => a.number - b.number
    expect(await sortInSlices(rows, by)).toEqual([...rows].sort(by))
    expect(await sortInSlices([], by)).toEqual([])
    expect(await sortInSlices(rows.slice(0, 1), by)).toEqual(rows.slice(0, 1))
  })

  it('is serialized as in one go', async () => {
    const list = [{ at: new Date(0), none: undefined, text: 'é"' }, null, 3]
    expect(await jsonInSlices(list)).toBe(JSON.stringify(list))
    expect(await jsonInSlices([])).toBe('[]')
    const slow = { toJSON: () => spin(0.1) }
    const { turns } = await besideOthers(jsonInSlices(Array(100).fill(slow)))
    expect(turns).toBeGreaterThan(2)
  })
})
