import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import type { ContentQuestion } from '../../practice/server/content/content.ts'
import { readSlips } from '../../practice/server/slips-store.ts'
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
  ['known codes', {}, []],
  ['an unknown one', { B: 'net-dept-sign' }, ["slip 'net-dept-sign' is not in slips.yaml"]],
  ['one on the key', { A: 'net-debt-sign' }, ['slips.A stands on the key']],
])('the check of mistake patterns handles %s', (_, slips, expected) => {
  const whole = { B: 'net-debt-sign', C: 'net-debt-sign', D: 'net-debt-sign', ...slips }
  const problems = checkSlips([cell({ slips: whole })], new Set(['net-debt-sign']))
  expect(problems.map(({ message }) => message)).toEqual(expected)
})

it('the report counts wrong answers that name a mistake pattern, by category, without retired questions', () => {
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

it.each([
  ['a code', 'one', 'Another name', 'slips.yaml: a code stands twice'],
  ['a name', 'two', 'One', 'slips.yaml: a name stands twice'],
])('%s that is repeated in slips.yaml makes loading fail', async (_, code, name, problem) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'slips-'))
  const slips = [
    { code: 'one', name: 'One', line: 'Does one thing.' },
    { code, name, line: 'Does another.' },
  ]
  await writeFile(path.join(folder, 'slips.yaml'), JSON.stringify(slips))
  await expect(readSlips(folder)).rejects.toThrow(problem)
  await rm(folder, { recursive: true })
})
