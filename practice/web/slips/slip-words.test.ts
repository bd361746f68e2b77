import { describe, expect, it } from 'vitest'
import type { SlipMade } from '../../contract/sessions.ts'
import {
  type AnsweredQuestion,
  chancesWith,
  mistakeTitle,
  mistakeTitles,
  ofTheLast,
  slipAgain,
  slipOf,
  youDid,
} from './slip-words.ts'

const answer = (selected: AnsweredQuestion['selected'], slips = { B: 'sign', C: 'tax' }) =>
  ({ question: { correctOption: 'A', slips }, selected }) satisfies AnsweredQuestion

const made = (code: string, lastSix: string): SlipMade => ({
  ...{ code, name: code, line: `${code}.`, possible: 9, made: 3, thisMonth: 1, isHabit: false },
  lastSix: [...lastSix].map((mark) => mark === 'x'),
})

describe('the mistake pattern of an answer', () => {
  it.each([
    ['a wrong answer has its own', answer('C'), 'tax'],
    ['a right answer has none', answer('A', { B: 'sign', C: 'tax' }), undefined],
    ['a wrong answer without a pattern has none', answer('D'), undefined],
    ['no answer was given', answer(undefined), undefined],
  ])('follows its rule: %s', (_, given, expected) => {
    expect(slipOf(given)).toBe(expected)
  })

  it('is absent for a right answer, even if the data name one', () => {
    const question = { correctOption: 'B' as const, slips: { B: 'sign' } }
    expect(slipOf({ question, selected: 'B' })).toBeUndefined()
  })
})

describe('the words for a mistake pattern', () => {
  it.each([
    [0, 0, 'The mistake'],
    [1, 0, 'The mistake · second time this month'],
    [2, 0, 'The mistake · third time this month'],
    [1, 1, 'The mistake · third time this month'],
    [9, 0, 'The mistake · tenth time this month'],
    [9, 1, 'The mistake · 11 times this month'],
  ])('made %i times this month and %i in this session: %s', (thisMonth, earlier, expected) => {
    expect(mistakeTitle('The mistake', thisMonth, earlier)).toBe(expected)
  })

  it('count each pattern of a session separately and omit what is unknown', () => {
    const answered = [answer('B'), answer('A'), answer('C'), answer('B'), answer('D')]
    const plain = 'The mistake'
    const [second, third] = [
      `${plain} · second time this month`,
      `${plain} · third time this month`,
    ]
    const before = [made('sign', 'x')]
    expect(mistakeTitles(answered, before)).toEqual([second, plain, plain, third, plain])
    expect(mistakeTitles(answered, undefined)).toEqual(answered.map(() => plain))
    expect(mistakeTitles(answered, before, (code) => code ?? plain)).toEqual([
      ...['sign · second time this month', plain, 'tax'],
      ...['sign · third time this month', plain],
    ])
  })

  it('say how often it was made in the last chances', () => {
    expect(ofTheLast(made('sign', 'x.xx.x').lastSix)).toBe('4 of your last 6')
    expect(ofTheLast(made('sign', 'xx').lastSix)).toBe('2 of your last 2')
  })

  it('speak to the person', () => {
    expect(youDid({ name: 'Confused profit with cash' })).toBe('You confused profit with cash')
  })

  it("show the last seven chances with the test's own at the end", () => {
    const notOffered = answer('D', { B: 'tax', C: 'tax' })
    const chances = chancesWith(made('sign', 'x.x.x.'), [
      ...[answer('B'), answer('A'), notOffered, answer('C')],
    ])
    expect(chances.map((isMade) => (isMade ? 'x' : '.')).join('')).toBe('x.x.x..')
  })
})

describe('the repeated mistake pattern of a result', () => {
  it.each([
    ['no mistake', [answer('A')], [made('sign', 'xx')], null],
    ['a new pattern', [answer('B')], [made('tax', 'xx')], null],
    ['a pattern made before', [answer('B')], [made('tax', 'xx'), made('sign', 'x.')], ['sign', 1]],
    [
      'the most frequent in the test, even if another was more frequent before',
      [answer('B'), answer('B'), answer('C')],
      [made('tax', 'xxx'), made('sign', 'x..')],
      ['sign', 2],
    ],
    [
      'the one more frequent before, if two are equally frequent',
      [answer('B'), answer('C')],
      [made('sign', 'x..'), made('tax', 'xx.')],
      ['tax', 1],
    ],
    ['a pattern made only long ago', [answer('B')], [made('sign', '......')], null],
    [
      'none when the most frequent is new',
      [answer('B'), answer('B'), answer('C')],
      [made('tax', 'xxx')],
      null,
    ],
  ])('follows its rule: %s', (_, answered, before, expected) => {
    const again = slipAgain(answered, before)
    expect(again && [again.slip.code, again.times]).toEqual(expected)
  })
})
