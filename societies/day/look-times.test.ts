import { expect, it } from 'vitest'
import { LOOK_MS, SLOTS, untilNextLook } from './look-times.ts'

const at = (code: string, ms: number, slot = 0) => (ms + untilNextLook(code, ms, slot)) % LOOK_MS

it('the refresh time is the same whenever a page asks, and differs between tests (product 7.14.7)', () => {
  const moments = Array.from({ length: 500 }, (_, n) => at('PCF', 1_780_000_000_000 + n * 17))
  expect(new Set(moments).size).toBe(1)
  const others = ['PCF2', 'ESFS_MORNING', 'ESFS_AFTERNOON', 'A'].map((code) => at(code, 0))
  expect(new Set([...others, moments[0]]).size).toBe(5)
})

it("the refresh times of a test's pages are spread over a fifth of a second", () => {
  const first = at('PCF', 0)
  const after = Array.from(
    { length: SLOTS },
    (_, slot) => (at('PCF', 0, slot) - first + LOOK_MS) % LOOK_MS,
  )
  expect(after).toEqual([0, 25, 50, 75, 100, 125, 150, 175])
})

it('the next refresh is between half and one and a half intervals away', () => {
  for (let ms = -3_000; ms < 3_000; ms += 7) {
    const until = untilNextLook('PCF', ms, Math.abs(ms) % SLOTS)
    expect(until).toBeGreaterThanOrEqual(LOOK_MS / 2)
    expect(until).toBeLessThan(LOOK_MS * 1.5)
  }
})
