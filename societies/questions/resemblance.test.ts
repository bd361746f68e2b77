import { expect, it } from 'vitest'
import { findResembling, plainWords } from './resemblance.ts'

const like = (a: string, b: string) => findResembling([a], [b])[0]?.likeness ?? 0

it('texts are compared without case, accents and punctuation', () => {
  expect(plainWords('Qué  “precio”,\n tiene?')).toBe('que precio tiene')
})

it.each([
  ['the same', 'What is the yield of a bond?', 'what is  the YIELD of a bond', true],
  [
    'one word more',
    'What happens to the price of a bond when its yield falls by half a point?',
    'What happens to the price of a bond when its yield falls by about half a point?',
    true,
  ],
  ['other figures', 'What is 12% of 250?', 'What is 35% of 640?', false],
  ['another question', 'What is the yield of a bond?', 'What is the price of a share?', false],
  ['nothing', '', '', false],
  ['a part of it', 'Bond?', 'What is the yield of a bond?', false],
])('the resemblance check handles %s', (_, a, b, isAlike) => {
  expect(like(a, b) >= 0.9).toBe(isAlike)
})

it('the most similar of thousands is found quickly', { tags: ['full'] }, () => {
  const of = (n: number) =>
    `Company ${n} has ${n * 7} shares at ${n % 13} euros, ${n * 3} of debt and ${n % 7} of cash. What is it worth?`
  const known = [...Array(5_000).keys()].map((n) => of(n + 1_000))
  const from = performance.now()
  const found = findResembling(
    [of(3_000), 'Something else entirely?', ...known.slice(0, 900)],
    known,
  )
  expect(found[0]).toEqual({ at: 2_000, likeness: 1 })
  expect(found[1]).toBe(null)
  expect(performance.now() - from).toBeLessThan(8_000)
})
