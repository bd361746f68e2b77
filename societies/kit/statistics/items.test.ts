import { describe, expect, it } from 'vitest'
import { answered, workedExample as example } from '../../../tests/rig/answered.ts'
import { analyzeItem, itemFlags, topThirdFrom } from './items.ts'
import { type Choice, type Responses, score } from './responses.ts'

const withKeys = (...keys: Choice[]): Responses => ({
  ...example,
  keys: example.keys.with(7, keys),
})
const found = (responses: Responses, item: number) => {
  const scores = score(responses)
  return analyzeItem(responses, scores, scores.items.indexOf(item))
}
const near = (value: number | null) => (value === null ? null : expect.closeTo(value, 4))

describe('the options of an item', () => {
  it.each([
    [8, 'A', 6, 3.6667, -0.6261],
    [8, 'B', 6, 6, 0.6261],
    [8, 'C', 0, null, null],
    [8, '–', 0, null, null],
    [2, 'A', 9, 5, 0.5466],
    [2, 'B', 1, 5, 0.0952],
    [2, 'C', 1, 2, -0.59],
    [2, 'D', 1, 3, -0.3616],
  ])('Q%i: %s is chosen by %i, who have %f of the rest', (number, letter, count, restMean, r) => {
    expect(found(example, number - 1).rows['ABCD–'.indexOf(letter)]).toMatchObject({
      ...{ count, restMean: near(restMean), r: near(r) },
    })
  })

  it('mark the key, and under a ruling each accepted option', () => {
    const keys = (responses: Responses) =>
      found(responses, 7).rows.flatMap(({ option, isKey }) => (isKey ? [option] : []))
    expect(keys(example)).toEqual([0])
    expect(keys(withKeys(0, 1))).toEqual([0, 1])
    expect(keys({ ...example, fullMarksItems: [7] })).toEqual([0, 1, 2, 3, null])
  })

  it('belong to the right item when another item is void', () => {
    const { rows, right, people } = found({ ...example, voidItems: [0] }, 7)
    expect([rows[0]?.count, rows[1]?.restMean, right, people]).toEqual([6, 5, 6, 12])
  })

  it('count blank answers', () => {
    const { rows } = found(answered('AB', 'AB A- A- BA'), 1)
    expect(rows[4]).toMatchObject({ option: null, count: 2, isKey: false, restMean: 1 })
  })
})

describe('the flags of an item', () => {
  const kindsOf = (responses: Responses, item: number, people = 30) =>
    itemFlags(found(responses, item), people).map((flag) =>
      'option' in flag ? `${flag.kind} ${'ABCD'[flag.option ?? -1]}` : flag.kind,
    )
  /** In the top third of nine, one of three chose B instead of C. A fourth with an equal score lowers the share. */
  const FEW = 'AAAB AAAC AAAC AAAC ABBA ABBC ABBC BBBC BBBC BBBC BBBC BBBC'
  /** In the top third of nine, one of three chose B, and so did all weak candidates. */
  const WEAK = 'AAAC AAAC AAAB AABB BBBB BBBB BBBB BBBB BBBB'
  const rare = ['not-working C', 'not-working D']

  it.each([
    ["mark Q8's key as suspicious", example, 7, ['key-suspicious B', 'negative', ...rare]],
    ['are absent for Q8 with the right key', withKeys(1), 7, rare],
    ['mark Q1 as answered right by all', example, 0, ['too-easy', 'not-working A', ...rare]],
  ])('%s', (_, responses, item, kinds) => {
    expect(kindsOf(responses, item)).toEqual(kinds)
  })

  it.each([
    ['a key that none chose', 'AAAD', 'AAAC AAAC AAAC AABC BBBC BBBC', 'key-suspicious C', true],
    ['a key of a few', 'AAAD', 'AAAC AAAC AABC AABC BBBB BBBB', 'key-suspicious C', true],
    ['an option that attracts a few', 'AAAC', FEW, 'attracts-the-good B', true],
    ['an option that attracts a few', 'AAAC', FEW, 'key-suspicious B', false],
    ['a key that does better', 'AAAC', WEAK, 'key-suspicious B', false],
  ])('of %s (%s: %s): %s is %s', (_, key, answers, kind, isThere) => {
    expect(kindsOf(answered(key, answers), 3).includes(kind)).toBe(isThere)
  })

  it.each([
    ['AC', 4, 'too-hard', true],
    ['AC', 5, 'too-hard', false],
    ['AC', 19, 'too-easy', false],
    ['AC', 20, 'too-easy', true],
    ['A-', 18, 'left-blank', false],
    ['A-', 17, 'left-blank', true],
  ])('of %s for all but %i of 20: %s is %s', (others, right, flag, isThere) => {
    const answers = `${'AB '.repeat(right)}${`${others} `.repeat(20 - right)}`
    expect(kindsOf(answered('AB', answers), 1).includes(flag)).toBe(isThere)
  })

  it('are left out if the group is too small for them', () => {
    const blank = answered('AB', `${'AB '.repeat(8)}${'A- '.repeat(2)}BC`)
    expect(kindsOf(blank, 1, 29)).toEqual(['left-blank'])
    expect(kindsOf(blank, 1, 30).length).toBeGreaterThan(1)
  })
})

it('the top third never splits equal scores', () => {
  // Two have 7 or more and seven have 6 or more. Two is closer to a third of twelve.
  expect(topThirdFrom([8, 7, 6, 6, 6, 6, 6, 5, 5, 4, 3, 2])).toBe(7)
  expect(topThirdFrom([1, 2, 3, 4, 5, 6])).toBe(5)
  expect(topThirdFrom([3, 3, 3])).toBe(3)
  const { topCount, rows } = found(example, 7)
  expect([topCount, rows.map(({ top }) => top)]).toEqual([2, [1, 1, 0, 0, 0]])
})
