import { describe, expect, it } from 'vitest'
import { type Draft, EMPTY_DRAFT } from './question-content.ts'
import {
  isFlawed,
  marksOfQuestion,
  marksOfQuestions,
  marksOfTest,
  marksWhileWriting,
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

const LONG = 'Equity falls by the loss after tax, and cash by nothing'
const [UP, DOWN, DEBT] = WORDS
const words = (last: string) => `${UP}|${DOWN}|${DEBT}|${last}`
const four = WORDS.join('|')
const long = [LONG, ...WORDS.slice(1)].join('|')

describe('the warnings of a question', () => {
  it.each<[name: string, stem: string, options: string, key: Draft['answer'], marks: string]>([
    ['nothing', 'What happens to equity?', four, 'A', ''],
    ['no stem', '  ', four, 'A', 'no_stem'],
    ['an empty option', 'What?', 'a|b||d', 'A', 'empty_option'],
    ['two equal options', 'What?', 'Up 3%|up  3%.|Down|Same', 'A', 'equal_options'],
    ['no key', 'What?', four, null, 'no_key'],
    ['everything missing', '', '', null, 'no_stem empty_option no_key'],
    ['numbers in order', 'How many?', NUMBERS.join('|'), 'B', ''],
    ['numbers out of order', 'How many?', '1.14|0.88|1.38|2.35', 'A', 'numbers_out_of_order'],
    ['falling numbers', 'How many?', '$4m|$3m|$2m|$1m', 'A', 'numbers_out_of_order'],
    ['numbers of different units', 'How many?', '4 days|3 weeks|2 months|1 year', 'A', ''],
    ['a key that is longest by far', 'What?', long, 'A', 'longest_key'],
    ['a distractor that is longest by far', 'What?', long, 'B', ''],
    ['all of the above', 'What?', words('All of the above'), 'A', 'refers_to_options'],
    ['none of these', 'What?', words('None of these'), 'A', 'refers_to_options'],
    ['A and B', 'What?', words('A and B'), 'A', 'refers_to_options'],
    ['both A and C', 'What?', words('Both A and C are'), 'A', 'refers_to_options'],
    ['a and b that are words', 'What?', words('A bond and a share'), 'A', ''],
    ['a quiet not', 'Which of these is not a liability?', four, 'A', 'quiet_negative'],
    ['a loud not', 'Which of these is NOT a liability?', four, 'A', ''],
    ['a not that tells the story', 'It does not pay tax. What is its WACC?', four, 'A', ''],
    ['always', 'What?', four.replace('Equity', 'Equity always'), 'B', 'absolute_words'],
    ['always in all', 'What?', WORDS.map((word) => `${word} always`).join('|'), 'A', ''],
  ])('%s', (_, stem, options, key, marks) =>
    expect(names(draft(stem, options.split('|'), key)).join(' ')).toBe(marks),
  )

  it.each<[explanation: string, mark: string]>([
    ['The correct answer is B.', 'other_explained'],
    ['Answer: B', 'other_explained'],
    ['(B) is right, since cash falls.', 'other_explained'],
    ['A loss lowers retained earnings, so equity falls.', 'other_explained'],
    ['Equity rises, although it looks as if equity falls.', ''],
    ['The correct answer is A. B is what most choose.', ''],
    ['Net income goes to retained earnings.', ''],
  ])('of an explanation: %s', (explanation, mark) => {
    expect(names(draft('What?', WORDS, 'A', { explanation })).join(' ')).toBe(mark)
  })

  it.each<[name: string, term: string, options: string[], key: 'A' | 'B', marks: string[]]>([
    ['that agrees', '1.25 / 1.10', NUMBERS, 'B', []],
    ['that agrees in percent', '0.16/2', ['4%', '8%', '9%', '12%'], 'B', []],
    ['that does not agree', '1.25 / 1.10', NUMBERS, 'A', ['disagrees']],
    ['that is none', '1.25 over 1.10', NUMBERS, 'A', ['unreadable_term']],
  ])('a term %s', (_, compute, options, key, marks) =>
    expect(names(draft('How many?', options, key, { compute }))).toEqual(marks),
  )

  it('name the option that the computed answer matches', () => {
    const question = draft('How many?', NUMBERS, 'A', { compute: '1.25 / 1.10' })
    const [mark] = marksOfQuestion(question)
    expect(mark?.text).toContain('The expression gives 1.13636, which is option B.')
    expect(mark?.remedy?.apply(question).answer).toBe('B')
  })

  it('count questions with errors but not those with hints', () => {
    const hinted = draft('Which is not?', ['3', '2', '1', '0'])
    expect([draft('', WORDS), hinted, draft('What?', WORDS)].filter(isFlawed)).toHaveLength(1)
  })
})

it('sorting numeric options moves the key with its option', () => {
  const question = draft('How many?', ['1.14', '0.88', '2.35', '1.38'])
  const [mark] = marksOfQuestion(question)
  expect(mark?.remedy?.apply(question)).toMatchObject({
    options: { A: '0.88', B: '1.14', C: '1.38', D: '2.35' },
    answer: 'B',
  })
})

it('the negating word of a question is set in capitals at its last occurrence', () => {
  const question = draft('It does not pay. Which is not a cost?', WORDS)
  const [mark] = marksOfQuestion(question)
  expect(mark?.remedy?.apply(question).question).toBe('It does not pay. Which is NOT a cost?')
})

describe('warnings based on the other questions', () => {
  const priced = (euro: string, dollar: string) =>
    `One ${euro} costs 1.10 dollars and one ${dollar} costs 1.25 dollars. How many euros is a pound?`
  const others = [
    priced('euro', 'pound'),
    'What does a bond pay?',
    'What is beta?',
    'What is a covenant?',
  ].map((stem) => draft(stem, WORDS))
  it('cover the same words in another order', () => {
    const copy = draft(priced('pound', 'euro'), WORDS)
    expect(marksWhileWriting(copy, 4, others)).toMatchObject([
      { mark: 'nearly_the_same', text: expect.stringContaining('same as 1.') },
    ])
    expect(marksOfQuestions([...others, copy])[0]).toMatchObject([
      { mark: 'nearly_the_same', text: expect.stringContaining('same as 5.') },
    ])
  })
  it('do not match different numbers', () => {
    const other = draft(
      'One euro costs 1.31 dollars and one pound costs 1.62 dollars. How many euros is a dollar?',
      WORDS,
    )
    expect(marksWhileWriting(other, 4, others)).toEqual([])
  })
  it('match a stem of twice the usual length', () => {
    const long = draft(
      `${'A firm has debt under a covenant of three times its earnings. '.repeat(4)}What now?`,
      WORDS,
    )
    expect(marksWhileWriting(long, 4, others)).toMatchObject([{ mark: 'long_stem' }])
    expect(marksWhileWriting(long, 2, others.slice(0, 2))).toEqual([])
  })
})

describe('the warnings of a whole test', () => {
  const keys = (letters: string, options = WORDS) =>
    [...letters].map((letter, n) => draft(`What is thing ${n}?`, options, letter as 'A'))
  it.each([
    ['even', 'ABCDABCDABCD', ''],
    ['few questions', 'AAAA', ''],
    ['one letter too often', 'ABACADABACAD', 'A is the key of 6 of 12'],
    ['one letter too rarely', 'ABCABCABCABCD', 'D is the key of 1 of 13'],
    ['a letter never', 'ABCABCABCABC', 'D is never the key'],
    ['five in a row', 'BCCCCCAD', 'C is the key of questions 2 to 6'],
  ])('%s', (_, letters, hint) => {
    const found = marksOfTest(keys(letters))
    expect(found).toEqual(hint ? [expect.stringContaining(hint)] : [])
  })

  it('report that the key is mostly the longest option', () => {
    const longer = keys('ABCDABCDABCD').map((one) => ({
      ...one,
      options: { ...one.options, [one.answer as string]: 'Debt rises more' },
    }))
    expect(marksOfTest(longer)).toEqual([
      'The key is the longest option in 12 of 12 questions, so guessing it pays off.',
    ])
  })
})
