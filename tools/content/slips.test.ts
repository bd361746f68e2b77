import { expect, it } from 'vitest'
import type { ContentQuestion } from '../../practice/server/content/content.ts'
import type { CheckedCell } from './check.ts'
import { checkSlips, slipsByCategory } from './check-families.ts'

const QUESTION: ContentQuestion = {
  id: 1,
  topic: 'test',
  question: 'How much?',
  options: { A: '1', B: '2', C: '3', D: '4' },
  answer: 'A',
  explanation: 'So much.',
  why: {},
}
const cell = (...questions: Partial<ContentQuestion>[]): CheckedCell => ({
  file: {
    category: 'Valuation & Corporate Finance',
    difficulty: 'Intern',
    name: 'x.yaml',
    text: '',
  },
  questions: questions.map((own) => ({ ...QUESTION, ...own })),
})

it.each([
  ['a known code', { B: 'net-debt-sign' }, []],
  ['an unknown one', { B: 'net-dept-sign' }, ["slip 'net-dept-sign' is not in slips.yaml"]],
  ['one on the key', { A: 'net-debt-sign' }, ['slips.A stands on the key']],
])('the check of slips: %s', (_, slips, expected) => {
  const problems = checkSlips([cell({ slips })], new Set(['net-debt-sign']))
  expect(problems.map(({ message }) => message)).toEqual(expected)
})

it('the report tells how many wrong answers name their slip, by category, without retired questions', () => {
  const lines = slipsByCategory([
    cell({ slips: { B: 'net-debt-sign', C: 'tax-forgotten' } }, {}),
    cell({ retired: true, slips: { B: 'net-debt-sign' } }),
  ])
  expect(lines).toHaveLength(5)
  expect(lines).toContain(
    'Valuation & Corporate Finance: 2 of 6 wrong answers name their slip (33 %)',
  )
  expect(lines).toContain(
    'Financial Markets & Instruments: 0 of 0 wrong answers name their slip (0 %)',
  )
})
