import { describe, expect, it } from 'vitest'
import { isVariant, nextVariant, variantAt } from './variants.ts'

describe('the variant of a question in a test', () => {
  it.each([
    [0, 'own'],
    [1, 'first'],
    [2, 'second'],
    [3, 'own'],
    [4, 'first'],
  ])('at attempt %i is %s', (attempts, expected) => {
    expect(variantAt('own', ['first', 'second'], attempts)).toBe(expected)
  })

  it('is the question itself when it has no family, at every attempt', () => {
    expect([0, 1, 7].map((attempts) => variantAt('own', [], attempts))).toEqual([
      'own',
      'own',
      'own',
    ])
  })
})

describe('the next variant of a family', () => {
  it.each<[string, number[], number]>([
    ['the first to who has seen none', [], 5001],
    ['the one behind the latest', [5001], 50_001],
    ['in a round', [50_001, 50_002], 5001],
    ['never one of the last two, also against the round', [5001, 50_002], 50_001],
    ['as if a variant that is gone had not been seen', [777], 5001],
  ])('is %s', (_, seen, expected) => {
    expect(nextVariant([5001, 50_001, 50_002], seen)).toBe(expected)
  })

  it('is the same question when it has no family', () => {
    expect(nextVariant([5001], [5001, 5001])).toBe(5001)
  })
})

it.each([
  [13_087, false],
  [50_000, true],
  [99_999, true],
  [100_000, false],
])('id %i counts as a variant: %s', (id, expected) => {
  expect(isVariant(id)).toBe(expected)
})
