import { expect, it } from 'vitest'
import { leftOutOf, read } from '../../../../../tests/rig/questions/question-files-rig.ts'

const GOOD = `What is EBITDA before?
A. Interest
B. Everything
C. Nothing
D. Sales
ANSWER: A
`

it('reads questions with four options and one key, in both spellings of options', () => {
  const { format, importable } = read(`${GOOD}
A balance sheet
has how many sides?
A) One
B) Two
C) Three
D) Four
ANSWER: B`)
  expect(format).toBe('aiken')
  expect(importable).toEqual([
    {
      place: 'line 1',
      question: 'What is EBITDA before?',
      options: { A: 'Interest', B: 'Everything', C: 'Nothing', D: 'Sales' },
      answer: 'A',
      explanation: '',
      notices: [],
    },
    expect.objectContaining({
      place: 'line 8',
      question: 'A balance sheet\nhas how many sides?',
      answer: 'B',
    }),
  ])
})

it('goes on behind a question that is broken, and names each with its line', () => {
  const file = `No options here
ANSWER: A

A. No stem
B. b
C. c
D. d
ANSWER: A

No answer
A. a
B. b
C. c
D. d

Another key than options?
A. a
B. b
C. c
D. d
ANSWER: F

Two keys?
A. a
B. b
C. c
D. d
ANSWER: A, C

Three options?
A. a
B. b
C. c
ANSWER: A

A letter left out?
A. a
C. c
D. d
E. e
ANSWER: A

${GOOD}
ANSWER: B

A line at the end`
  expect(leftOutOf(file)).toEqual([
    'line 1: too_few_options',
    'line 4: empty_text',
    'line 10: no_key',
    'line 16: unknown_key',
    'line 23: several_keys',
    'line 30: too_few_options',
    'line 36: unreadable',
    'line 50: unreadable',
    'line 52: no_question',
  ])
  expect(read(file).importable).toHaveLength(1)
})

it('reads options without a blank behind their letter, and no stem that begins so', () => {
  const { importable, leftOut } = read(`U.S. bonds pay
A)twice a year
B)Once a year
C)never
D)C.O.D.
ANSWER: A

A question that stops
A)one
B)two

The next one
A.one
B.two
C.three
D.four
ANSWER: D`)
  expect(importable).toMatchObject([
    { question: 'U.S. bonds pay', options: { A: 'twice a year', D: 'C.O.D.' }, answer: 'A' },
    { question: 'The next one', options: { A: 'one', D: 'four' }, answer: 'D' },
  ])
  expect(leftOut).toMatchObject([{ place: 'line 8', reason: 'no_key' }])
  // Both are there for whoever mends it; only the rest is typed.
  expect(leftOut[0]?.options).toMatchObject([{ text: 'one' }, { text: 'two' }])
})
