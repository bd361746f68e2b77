import { describe, expect, it } from 'vitest'
import { answered } from '../../../tests/rig/answered.ts'
import { itemFlags, optionTable, shownFlags, topThirdFrom } from './option-table.ts'
import { type Choice, type Responses, score } from './responses.ts'

const example = answered(
  'BACDABCA',
  'BACDABCA BACDABCB BACDABDB BACDCBCB BACAABCB BACDABAB BADDACCA BACBABDB BBCDDACA BACACDBA BDCBBAAA BCBACCDA',
)
const withKeys = (...keys: Choice[]): Responses => ({
  ...example,
  keys: example.keys.with(7, keys),
})
const tableOf = (responses: Responses, item: number) => {
  const scores = score(responses)
  return optionTable(responses, scores, scores.items.indexOf(item))
}

describe('the options of an item', () => {
  it.each([
    [8, 'A', 6, 3.6667, -0.6261],
    [8, 'B', 6, 6, 0.6261],
    [8, 'C', 0, null, null],
    [8, 'D', 0, null, null],
    [8, '–', 0, null, null],
    [2, 'A', 9, 5, 0.5466],
    [2, 'B', 1, 5, 0.0952],
    [2, 'C', 1, 2, -0.59],
    [2, 'D', 1, 3, -0.3616],
  ])('Q%i: %s is chosen by %i, who have %f of the rest', (number, letter, count, restMean, r) => {
    const { rows } = tableOf(example, number - 1)
    const row = rows['ABCD–'.indexOf(letter)]
    expect(row?.count).toBe(count)
    expect(row?.share).toBe(count / 12)
    if (restMean === null) expect(row?.restMean).toBeNull()
    else expect(row?.restMean).toBeCloseTo(restMean, 4)
    if (r === null) expect(row?.r).toBeNull()
    else expect(row?.r).toBeCloseTo(r, 4)
  })

  it('mark the key, and under a ruling each accepted option', () => {
    const keys = (responses: Responses) =>
      tableOf(responses, 7).rows.flatMap(({ option, isKey }) => (isKey ? [option] : []))
    expect(keys(example)).toEqual([0])
    expect(keys(withKeys(0, 1))).toEqual([0, 1])
    expect(keys({ ...example, fullMarksItems: [7] })).toEqual([0, 1, 2, 3, null])
  })

  it('are those of the right item when another one is void', () => {
    const table = tableOf({ ...example, voidItems: [0] }, 7)
    expect(table.item).toBe(7)
    expect(table.rows[0]?.count).toBe(6)
    expect(table.rows[1]?.restMean).toBe(5)
  })

  it('count blank answers', () => {
    const table = tableOf(answered('AB', 'AB A- A- BA'), 1)
    expect(table.rows[4]).toMatchObject({ option: null, count: 2, isKey: false, restMean: 1 })
  })
})

describe('the flags of an item', () => {
  const kindsOf = (responses: Responses, item: number) =>
    itemFlags(tableOf(responses, item)).map((flag) =>
      'option' in flag ? `${flag.kind} ${'ABCD'[flag.option]}` : flag.kind,
    )

  it("mark Q8's key as suspicious", () => {
    expect(kindsOf(example, 7)).toEqual([
      'key-suspicious B',
      'negative',
      'not-working C',
      'not-working D',
    ])
  })

  it('are absent for Q8 with the right key', () => {
    expect(kindsOf(withKeys(1), 7)).toEqual(['not-working C', 'not-working D'])
  })

  it('mark Q1 as answered right by all', () => {
    expect(kindsOf(example, 0)).toEqual([
      'too-easy',
      'not-working A',
      'not-working C',
      'not-working D',
    ])
  })

  it('mark a key that none chose when the best agree on another', () => {
    expect(kindsOf(answered('AAAD', 'AAAC AAAC AAAC AABC BBBC BBBC'), 3)).toContain(
      'key-suspicious C',
    )
    expect(kindsOf(answered('AAAD', 'AAAC AAAC AABC AABC BBBB BBBB'), 3)).toContain(
      'key-suspicious C',
    )
  })

  it('mark an option that attracts a few good candidates, without suspecting the key', () => {
    // One of the top three of nine chose B instead of C: a third; with four at the top it is less.
    const few = answered('AAAC', 'AAAB AAAC AAAC AAAC ABBA ABBC ABBC BBBC BBBC BBBC BBBC BBBC')
    expect(kindsOf(few, 3)).toContain('attracts-the-good B')
    expect(kindsOf(few, 3)).not.toContain('key-suspicious B')
  })

  it('do not suspect a key that does better than an option of the best', () => {
    // One of the top three of nine chose B, a third; all weak ones did.
    const sound = answered('AAAC', 'AAAC AAAC AAAB AABB BBBB BBBB BBBB BBBB BBBB')
    expect(tableOf(sound, 3)).toMatchObject({ topCount: 3 })
    expect(kindsOf(sound, 3)).not.toContain('key-suspicious B')
  })

  it('mark an item that more than a tenth left blank', () => {
    const answers = (blank: number) => `${'AB '.repeat(10 - blank)}${'A- '.repeat(blank)}`
    expect(kindsOf(answered('AB', answers(1)), 1)).not.toContain('left-blank')
    expect(kindsOf(answered('AB', answers(2)), 1)).toContain('left-blank')
  })

  it.each([
    [4, 'too-hard', true],
    [5, 'too-hard', false],
    [19, 'too-easy', false],
    [20, 'too-easy', true],
  ])('%i of 20 right: %s is %s', (right, flag, isThere) => {
    const answers = `${'AB '.repeat(right)}${'AC '.repeat(20 - right)}`
    expect(kindsOf(answered('AB', answers), 1).includes(flag)).toBe(isThere)
  })
})

describe('the best third', () => {
  it('consists of whole scores', () => {
    // Two have 7 or more, seven have 6 or more: two are nearer to a third of twelve.
    expect(topThirdFrom([8, 7, 6, 6, 6, 6, 6, 5, 5, 4, 3, 2])).toBe(7)
    expect(topThirdFrom([1, 2, 3, 4, 5, 6])).toBe(5)
    expect(topThirdFrom([3, 3, 3])).toBe(3)
    expect(tableOf(example, 7)).toMatchObject({ topCount: 2 })
    expect(tableOf(example, 7).rows.map(({ top }) => top)).toEqual([1, 1, 0, 0, 0])
  })
})

it('leaves out the flags that a small group cannot say', () => {
  const flags = [
    { kind: 'key-suspicious', option: 1 },
    { kind: 'left-blank', share: 0.2 },
  ] as const
  expect(shownFlags(flags, 29)).toEqual([{ kind: 'left-blank', share: 0.2 }])
  expect(shownFlags(flags, 30)).toEqual(flags)
})
