import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ContentQuestion } from '../../practice/server/content/content.ts'
import { readSlips } from '../../practice/server/slips-store.ts'
import type { CheckedCell } from './check.ts'
import { checkSlips, slipsByCategory } from './check-families.ts'
import {
  checkNumeric,
  checkQuestion,
  findBrokenWords,
  findTypedSigns,
  fixSigns,
} from './check-item.ts'
import { listOutdated, readTerms, termsWithout } from './report.ts'

describe('the sign check', () => {
  it.each([
    ['$500 - $300 = $200', '$500 − $300 = $200'],
    ['a return of -10.0%', 'a return of −10.0%'],
    ['-$24,000', '−$24,000'],
    ['the value is (-1 + 2)', 'the value is (−1 + 2)'],
    ['exp(-rT) x N(d2)', 'exp(−rT) × N(d2)'],
    ['10% x -8% = -0.8 points', '10% × −8% = −0.8 points'],
    ['70% x $120 million', '70% × $120 million'],
    ['net margin x asset turnover', 'net margin × asset turnover'],
    ['each dollar costs 6% x (1 - 0.25)', 'each dollar costs 6% × (1 − 0.25)'],
  ])('replaces a hyphen or letter with the real sign: %s', (typed, real) => {
    expect(fixSigns(typed)).toBe(real)
    expect(findTypedSigns(typed)).not.toEqual([])
    expect(findTypedSigns(real)).toEqual([])
  })

  it.each([
    'a 10-year bond at 8.0x EBITDA',
    'ASC 805-30-30, an 80%-owned subsidiary',
    'The second- and the third-largest share',
    'the amount x after a cup satisfies x = 100 + x / 16',
    'A customer at meter x between the stands pays 300 + (x − 200) cents',
    'a tile such as 2-5',
    'Black-Scholes, N(d2), 3:40',
  ])('leaves hyphens in words and names: %s', (text) => {
    expect(findTypedSigns(text)).toEqual([])
  })
})

describe('the check of broken words', () => {
  it('finds a word that a folded line broke at its hyphen', () => {
    expect(findBrokenWords('charged straight- line over the contract')).toEqual(['straight- line'])
  })

  it.each([
    'charged straight-line',
    'The second- and the third-largest share',
    'two- to five-year notes',
  ])('accepts %s', (text) => {
    expect(findBrokenWords(text)).toEqual([])
  })
})

const item = (id: number, answer: ContentQuestion['answer']): ContentQuestion => {
  const wrong = { A: '1', B: '2', C: '3', D: '4', [answer]: undefined }
  return {
    ...{ id, topic: 'tax', question: 'How much?', answer, compute: '1 + 1', wrong, why: {} },
    options: { A: '$1', B: '$2', C: '$3', D: '$4' },
    explanation: 'So it is. And so.',
  }
}
const even = (['A', 'B', 'C', 'D'] as const).flatMap((key, at) => [
  item(2 * at + 1, key),
  item(2 * at + 2, key),
])

describe('the date of a source', () => {
  const [first] = even as [ContentQuestion]
  const dated = { ...first, asOf: '2025-10', source: 'SEC Rule 15c6-1(a)' }

  it('needs the source', () => {
    expect(checkQuestion({ ...dated, source: undefined })).toContain(
      'asOf needs the source that was checked',
    )
    expect(checkQuestion(dated)).not.toContain('asOf needs the source that was checked')
  })

  it('is reported after twelve months, unless the item is retired', () => {
    const cells = [{ questions: [dated, { ...dated, id: 2, retired: true }] }] as CheckedCell[]
    expect(listOutdated(cells, new Date('2026-10-31'))).toEqual([])
    expect(listOutdated(cells, new Date('2026-11-01'))).toEqual(['2025-10 1: SEC Rule 15c6-1(a)'])
  })
})

it('the numeric check asks for the mistake behind each wrong number', () => {
  expect(checkNumeric(even)).toEqual([])
  const [first, ...rest] = even
  const without = { ...(first as ContentQuestion), wrong: { B: '2', C: '3' } }
  expect(checkNumeric([without, ...rest])).toEqual([
    '1 has a wrong number without the expression of its mistake',
  ])
})

it('the numeric check asks for keys at all ranks equally often', () => {
  const middle = [...even, ...[11, 12, 13].map((id) => item(id, 'B'))]
  expect(checkNumeric(middle).join()).toMatch(/lowest number in 18 %.*second number in 45 %/)
  const worded = { A: 'It falls', B: 'It rises', C: 'It stays', D: 'It stops' }
  expect(checkNumeric([{ ...item(1, 'B'), options: worded }])).toEqual([])
})

const term = (name: string) => ({
  term: name,
  line: 'What it means, in one line.',
  asked: 'options',
})

it('the term search finds a term across line breaks, but only at the start of a word', () => {
  const texts = ['The puts\nexpire.', 'A locked\n  box, and an output gap.']
  const terms = ['put', 'locked box', 'gap', 'utp', 'box,'].map(term)
  expect(termsWithout(terms, texts)).toEqual(['utp'])
  expect(termsWithout([term('put')], ['the output'])).toEqual(['put'])
})

it('the glossary has about 300 terms', async () => {
  expect((await readTerms()).length).toBeGreaterThan(300)
})

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
  ['one on the key', { A: 'net-debt-sign' }, ['slips.A is set for the key']],
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
