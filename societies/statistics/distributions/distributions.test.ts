import { describe, expect, it } from 'vitest'
import { seededRandom } from './seeded-random.ts'

describe('seeded random numbers', () => {
  it('are the same for the same seed and different for another', () => {
    const draw = (seed: number) => Array.from({ length: 3 }, seededRandom(seed))
    expect(draw(7)).toEqual(draw(7))
    expect(draw(7)).not.toEqual(draw(8))
  })

  it('spread evenly from 0 up to 1', () => {
    const random = seededRandom(1)
    const tenths = Array<number>(10).fill(0)
    for (let i = 0; i < 10_000; i += 1) {
      const at = Math.floor(random() * 10)
      tenths[at] = (tenths[at] as number) + 1
    }
    for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(120)
  })
})
