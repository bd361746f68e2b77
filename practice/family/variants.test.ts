import { describe, expect, it } from 'vitest'
import { isVariant, variantAt } from './variants.ts'

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

it.each([
  [13_087, false],
  [50_000, true],
  [99_999, true],
  [100_000, false],
])('id %i counts as a variant: %s', (id, expected) => {
  expect(isVariant(id)).toBe(expected)
})
