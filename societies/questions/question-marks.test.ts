import { describe, expect, it } from 'vitest'
import { type Draft, EMPTY_DRAFT } from './question-content.ts'
import {
  inOrder,
  isFlawed,
  marksOfQuestion,
  marksOfQuestions,
  marksOfTest,
  marksWhileWriting,
  reordered,
  withCapitals,
} from './question-marks.ts'

const draft = (
  question: string,
  options: string[],
  answer: Draft['answer'] = 'A',
  more = {},
): Draft => {
  const [A = '', B = '', C = '', D = ''] = options
  return { ...EMPTY_DRAFT, question, options: { A, B, C, D }, answer, ...more }
}
const WORDS = ['Equity rises', 'Equity falls', 'Debt rises', 'Debt falls']
const NUMBERS = ['0.88', '1.14', '1.38', '2.35']
const names = (question: Draft) => marksOfQuestion(question).map(({ mark }) => mark)

describe('the warnings of a question', () => {
  it.each<[string, Draft, string[]]>([
    ['nothing', draft('What happens to equity?', WORDS), []],
    ['no stem', draft('  ', WORDS), ['no_stem']],
    ['an empty option', draft('What?', ['a', 'b', '', 'd']), ['empty_option']],
    ['two equal options', draft('What?', ['Up 3%', 'up  3%.', 'Down', 'Same']), ['equal_options']],
    ['no key', draft('What?', WORDS, null), ['no_key']],
    ['everything missing', EMPTY_DRAFT, ['no_stem', 'empty_option', 'no_key']],
    ['numbers in order', draft('How many?', NUMBERS, 'B'), []],
    [
      'numbers out of order',
      draft('How many?', ['1.14', '0.88', '1.38', '2.35']),
      ['numbers_out_of_order'],
    ],
    ['falling numbers', draft('How many?', ['$4m', '$3m', '$2m', '$1m']), ['numbers_out_of_order']],
    [
      'numbers of different units',
      draft('How many?', ['4 days', '3 weeks', '2 months', '1 year']),
      [],
    ],
    [
      'a key that is longest by far',
      draft('What?', [
        'Equity falls by the loss after tax, and cash by nothing',
        ...WORDS.slice(1),
      ]),
      ['longest_key'],
    ],
    [
      'a distractor that is longest by far',
      draft(
        'What?',
        ['Equity falls by the loss after tax, and cash by nothing', ...WORDS.slice(1)],
        'B',
      ),
      [],
    ],
    [
      'all of the above',
      draft('What?', [...WORDS.slice(0, 3), 'All of the above']),
      ['refers_to_options'],
    ],
    [
      'none of these',
      draft('What?', [...WORDS.slice(0, 3), 'None of these']),
      ['refers_to_options'],
    ],
    ['A and B', draft('What?', [...WORDS.slice(0, 3), 'A and B']), ['refers_to_options']],
    [
      'both A and C',
      draft('What?', [...WORDS.slice(0, 3), 'Both A and C are']),
      ['refers_to_options'],
    ],
    ['a and b that are words', draft('What?', [...WORDS.slice(0, 3), 'A bond and a share']), []],
    ['a quiet not', draft('Which of these is not a liability?', WORDS), ['quiet_negative']],
    ['a loud not', draft('Which of these is NOT a liability?', WORDS), []],
    [
      'a not that tells the story',
      draft('The firm does not pay tax. What is its WACC?', WORDS),
      [],
    ],
    ['always', draft('What?', ['Equity always rises', ...WORDS.slice(1)], 'B'), ['absolute_words']],
    [
      'always in all',
      draft(
        'What?',
        WORDS.map((word) => `${word} always`),
      ),
      [],
    ],
    ['a term that agrees', draft('How many?', NUMBERS, 'B', { compute: '1.25 / 1.10' }), []],
    [
      'a term that agrees in percent',
      draft('How many?', ['4%', '8%', '9%', '12%'], 'B', { compute: '0.16/2' }),
      [],
    ],
    [
      'a term that does not agree',
      draft('How many?', NUMBERS, 'A', { compute: '1.25 / 1.10' }),
      ['disagrees'],
    ],
    [
      'a term that is none',
      draft('How many?', NUMBERS, 'A', { compute: '1.25 over 1.10' }),
      ['unreadable_term'],
    ],
  ])('%s', (_, question, expected) => expect(names(question)).toEqual(expected))

  it('name the option that the computed answer matches', () => {
    const question = draft('How many?', NUMBERS, 'A', { compute: '1.25 / 1.10' })
    expect(marksOfQuestion(question)).toMatchObject([{ mark: 'disagrees', agreeing: 'B' }])
  })

  it('count questions with errors, not those with hints', () => {
    const hinted = draft('Which is not?', ['3', '2', '1', '0'])
    expect([draft('', WORDS), hinted, draft('What?', WORDS)].filter(isFlawed)).toHaveLength(1)
  })
})

describe('sorting numeric options', () => {
  it('moves the key with its option', () => {
    const question = draft('How many?', ['1.14', '0.88', '2.35', '1.38'])
    const letters = inOrder(question.options)
    expect(letters).toEqual(['B', 'A', 'D', 'C'])
    expect(reordered(question, letters ?? [])).toMatchObject({
      options: { A: '0.88', B: '1.14', C: '1.38', D: '2.35' },
      answer: 'B',
    })
  })
})

describe('the negating word of a question', () => {
  it('is set in capitals at its last occurrence', () => {
    expect(withCapitals('It does not pay. Which is not a cost?', 'not')).toBe(
      'It does not pay. Which is NOT a cost?',
    )
  })
})

describe('warnings based on the other questions', () => {
  const others = [
    draft(
      'One euro costs 1.10 dollars and one pound costs 1.25 dollars. How many euros is a pound?',
      WORDS,
    ),
    draft('What does a bond pay?', WORDS),
    draft('What is beta?', WORDS),
    draft('What is a covenant?', WORDS),
  ]
  it('cover the same words in another order', () => {
    const copy = draft(
      'One pound costs 1.25 dollars and one euro costs 1.10 dollars. How many euros is a pound?',
      WORDS,
    )
    expect(marksWhileWriting(copy, 4, others)).toEqual([{ mark: 'nearly_the_same', numbers: [1] }])
    expect(marksOfQuestions([...others, copy])[0]).toEqual([
      { mark: 'nearly_the_same', numbers: [5] },
    ])
  })
  it('do not cover different numbers', () => {
    const other = draft(
      'One euro costs 1.31 dollars and one pound costs 1.62 dollars. How many euros is a dollar?',
      WORDS,
    )
    expect(marksWhileWriting(other, 4, others)).toEqual([])
  })
  it('cover a stem of twice the usual length', () => {
    const long = draft(
      `${'A firm has debt under a covenant of three times its earnings. '.repeat(4)}What now?`,
      WORDS,
    )
    expect(marksWhileWriting(long, 4, others)).toEqual([{ mark: 'long_stem' }])
    expect(marksWhileWriting(long, 2, others.slice(0, 2))).toEqual([])
  })
})

describe('the warnings of a whole test', () => {
  const keys = (letters: string, options = WORDS) =>
    [...letters].map((letter, n) => draft(`What is thing ${n}?`, options, letter as 'A'))
  it.each([
    ['even', 'ABCDABCDABCD', []],
    ['few questions', 'AAAA', []],
    [
      'one letter too often',
      'ABACADABACAD',
      [{ mark: 'keys_uneven', letter: 'A', count: 6, of: 12 }],
    ],
    [
      'one letter too rarely',
      'ABCABCABCABCD',
      [{ mark: 'keys_uneven', letter: 'D', count: 1, of: 13 }],
    ],
    ['five in a row', 'BCCCCCAD', [{ mark: 'keys_in_a_row', letter: 'C', first: 2, last: 6 }]],
  ])('%s', (_, letters, marks) => expect(marksOfTest(keys(letters))).toEqual(marks))

  it('report that the key is mostly the longest option', () => {
    const longer = keys('ABCDABCDABCD').map((one) => ({
      ...one,
      options: { ...one.options, [one.answer as string]: 'Debt rises more' },
    }))
    expect(marksOfTest(longer)).toEqual([{ mark: 'keys_longest', count: 12, of: 12 }])
  })
})
