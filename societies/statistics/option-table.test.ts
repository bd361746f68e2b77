import { describe, expect, it } from 'vitest'
import { answered } from '../../tests/rig/answered.ts'
import { directionOf, itemFlags, optionTable, topThird } from './option-table.ts'
import { quintiles } from './quintiles.ts'
import { type Responses, ruleOn, score } from './responses.ts'

const example = answered(
  'BACDABCA',
  'BACDABCA BACDABCB BACDABDB BACDCBCB BACAABCB BACDABAB BADDACCA BACBABDB BBCDDACA BACACDBA BDCBBAAA BCBACCDA',
)
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

  it('marks the key, and under a ruling each that is accepted', () => {
    const keys = (responses: Responses) =>
      tableOf(responses, 7).rows.flatMap(({ option, isKey }) => (isKey ? [option] : []))
    expect(keys(example)).toEqual([0])
    expect(keys(ruleOn(example, 7, { accept: 1 }))).toEqual([0, 1])
    expect(keys(ruleOn(example, 7, { fullMarks: true }))).toEqual([0, 1, 2, 3, null])
  })

  it('are those of the item where another one is void', () => {
    const table = tableOf(ruleOn(example, 0, { void: true }), 7)
    expect(table.item).toBe(7)
    expect(table.rows[0]?.count).toBe(6)
    expect(table.rows[1]?.restMean).toBe(5)
  })

  it('count who left it blank', () => {
    const table = tableOf(answered('AB', 'AB A- A- BA'), 1)
    expect(table.rows[4]).toMatchObject({ option: null, count: 2, isKey: false, restMean: 1 })
  })
})

describe('flags of an item', () => {
  const kindsOf = (responses: Responses, item: number) =>
    itemFlags(tableOf(responses, item)).map((flag) =>
      'option' in flag ? `${flag.kind} ${'ABCD'[flag.option]}` : flag.kind,
    )

  it('Q8: the key is suspicious', () => {
    expect(kindsOf(example, 7)).toEqual([
      'key-suspicious B',
      'negative',
      'not-working C',
      'not-working D',
    ])
  })

  it('Q8 with the other key is sound', () => {
    expect(kindsOf(ruleOn(example, 7, { replace: 1 }), 7)).toEqual([
      'not-working C',
      'not-working D',
    ])
  })

  it('Q1: all have it right', () => {
    expect(kindsOf(example, 0)).toEqual([
      'too-easy',
      'not-working A',
      'not-working C',
      'not-working D',
    ])
  })

  it('a key that nobody chose is suspicious where the best agree on another', () => {
    expect(kindsOf(answered('AAAD', 'AAAC AAAC AAAC AABC BBBC BBBC'), 3)).toContain(
      'key-suspicious C',
    )
    expect(kindsOf(answered('AAAD', 'AAAC AAAC AABC AABC BBBB BBBB'), 3)).toContain(
      'key-suspicious C',
    )
  })

  it('an option of few good ones is no suspicion, but attracts the good', () => {
    // One of the top three of nine chose B instead of C: a third; with four at the top it is less.
    const few = answered('AAAC', 'AAAB AAAC AAAC AAAC ABBA ABBC ABBC BBBC BBBC BBBC BBBC BBBC')
    expect(kindsOf(few, 3)).toContain('attracts-the-good B')
    expect(kindsOf(few, 3)).not.toContain('key-suspicious B')
  })

  it('what more than a tenth left blank', () => {
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

describe('the direction in words', () => {
  it('follows the key, another option, or nothing', () => {
    expect(directionOf(tableOf(example, 1))).toBe('key')
    expect(directionOf(tableOf(example, 7))).toEqual({ option: 1 })
    expect(directionOf(tableOf(example, 2))).toBe('none')
    expect(directionOf(tableOf(example, 0))).toBe('none')
  })

  it('does not follow three people', () => {
    const three = answered('AAAC', 'AAAB AAAB AAAB BBBC BBBC BBBC BBBC')
    expect(directionOf(tableOf(three, 3))).toBe('none')
  })
})

describe('the best third', () => {
  it('is made of whole scores', () => {
    expect(topThird([8, 7, 6, 6, 6, 6, 6, 5, 5, 4, 3, 2])).toEqual([0, 1])
    expect(topThird([1, 2, 3, 4, 5, 6])).toEqual([4, 5])
    expect(topThird([3, 3, 3])).toEqual([0, 1, 2])
  })
})

describe('fifths', () => {
  it('are the shares right of the weakest to the best', () => {
    const totals = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    expect(quintiles([0, 0, 0, 1, 0, 1, 1, 1, 1, 1], totals)).toEqual([0, 0.5, 0.5, 1, 1])
    expect(quintiles([1, 1, 1, 1, 1, 0, 1, 0, 0, 0], [...totals].reverse())).toEqual([
      0, 0.5, 0.5, 1, 1,
    ])
  })

  it('do not depend on the order among equals', () => {
    const right = quintiles([1, 0, 1, 0, 0, 0, 0, 1, 1, 1], [5, 5, 5, 5, 1, 2, 3, 8, 9, 10])
    const turned = quintiles([0, 0, 1, 1, 0, 0, 0, 1, 1, 1], [5, 5, 5, 5, 1, 2, 3, 8, 9, 10])
    expect(right).toEqual(turned)
    expect(right).toEqual([0, 0.25, 0.5, 0.75, 1])
  })

  it('weigh fifths that fall between people', () => {
    const sevenths = quintiles([0, 0, 0, 0, 0, 0, 1], [1, 2, 3, 4, 5, 6, 7])
    expect(sevenths[4]).toBeCloseTo(1 / 1.4, 12)
    expect(sevenths[3]).toBeCloseTo(0, 12)
    expect(quintiles([1, 1, 1, 1], [1, 2, 3, 4])).toEqual([])
  })
})
