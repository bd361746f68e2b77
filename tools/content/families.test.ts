// biome-ignore-all lint/suspicious/noTemplateCurlyInString: families contain a dollar sign before a brace
import { describe, expect, it } from 'vitest'
import { formatNumber, writeNumber } from '../../practice/cases/number-pattern.ts'
import type { ContentQuestion } from '../../practice/server/content/content.ts'
import { checkFamilies, checkSlips } from './check-families.ts'
import { checkQuestion } from './check-item.ts'
import { expandFamily, familySchema } from './families.ts'

const BASE: ContentQuestion = {
  id: 1,
  topic: 'tax',
  question: 'What is left of $100 million after 25% tax and a fee of $5 million?',
  options: { A: '$25 million', B: '$70 million', C: '$75 million', D: '$95 million' },
  answer: 'B',
  explanation: 'Tax is $25 million. That leaves $70 million.',
  why: { A: 'x', C: 'y', D: 'z' },
  slips: { A: 'stopped-early', C: 'fee-forgotten', D: 'tax-forgotten' },
  family: 'after-tax',
}
const FAMILY = {
  family: 'after-tax',
  base: { id: 1, values: { income: 100, rate: 25, fee: 5 } },
  first: 50_000,
  vars: { income: [80, 100, 120, 160, 200, 240], rate: [20, 25, 30], fee: [5, 8, 12] },
  where: 'mod(income * rate, 100) == 0',
  let: { tax: 'income * rate / 100', left: 'income - tax - fee' },
  question: 'What is left of ${income} million after {rate}% tax and a fee of ${fee} million?',
  answer: 'income * (1 - rate / 100) - fee',
  format: '$0 million',
  distractors: [
    { value: 'tax', mistake: 'stopped-early', why: 'Gives the tax.' },
    { value: 'left + fee', mistake: 'fee-forgotten', why: 'Forgets the fee.' },
    { value: 'income - fee', mistake: 'tax-forgotten', why: 'Forgets the tax.' },
    { value: 'left - fee', mistake: 'counted-twice', why: 'Takes the fee off twice.' },
    { value: 'left - tax', mistake: 'counted-twice', why: 'Takes the {tax|$0 million} off twice.' },
    { value: 'income', mistake: 'gross-for-net', why: 'Gives the income.' },
  ],
  explanation: 'Tax is ${tax} million. That leaves {left|$0 million}.',
}
const expand = (change: object = {}, base: Partial<ContentQuestion> = {}) =>
  expandFamily(familySchema.parse({ ...FAMILY, ...change }), { ...BASE, ...base })

describe('a question family', () => {
  it('has its base and eleven variants, each a valid question, no two with the same key', () => {
    const { variants, problems } = expand()
    expect(problems).toEqual([])
    expect(variants.map(({ id }) => id)).toEqual(Array.from({ length: 11 }, (_, i) => 50_000 + i))
    expect(variants.flatMap(checkQuestion)).toEqual([])
    const keys = variants.map(({ options, answer }) => options[answer])
    expect(new Set(keys).size).toBe(11)
  })

  it('has the key at each rank three times, the base included', () => {
    const { variants } = expand()
    const answers = [BASE, ...variants].map(({ answer }) => answer)
    expect(
      ['A', 'B', 'C', 'D'].map((rank) => answers.filter((one) => one === rank).length),
    ).toEqual([3, 3, 3, 3])
  })

  it('is the same for the same draw and different for another', () => {
    const texts = (draw: number) => expand({ draw }).variants.map(({ question }) => question)
    expect(texts(0)).toEqual(texts(0))
    expect(texts(1)).not.toEqual(texts(0))
  })

  it('never repeats its base question', () => {
    expect(expand().variants.map(({ question }) => question)).not.toContain(BASE.question)
  })

  it.each<[string, object, Partial<ContentQuestion>, RegExp]>([
    ['another stem', { question: 'What is left of ${income} million?' }, {}, /stem/],
    ['another key', { answer: 'income - tax' }, {}, /key of 1 would be \$75 million/],
    ['a wrong option of nobody', {}, { options: { ...BASE.options, D: '$94 million' } }, /\$94/],
    ['the wrong slip', {}, { slips: { ...BASE.slips, A: 'tax-forgotten' } }, /A: stopped-early/],
    ['a condition that the base misses', { where: 'income > 100' }, {}, /condition/],
    ['too few choices', { where: 'fee == 5 and rate == 25' }, {}, /only \d+ of 11/],
    ['a base that names no family', {}, { family: undefined }, /does not name/],
  ])('is refused with %s', (_, change, base, message) => {
    expect(expand(change, base).problems.join('\n')).toMatch(message)
  })

  it('keeps options of one magnitude, above 0 and below the maximum', () => {
    const { variants } = expand({ most: 200 })
    const values = variants.flatMap(({ options }) =>
      Object.values(options).map((text) => Number(text.replace(/[^\d.-]/g, ''))),
    )
    expect(Math.min(...values)).toBeGreaterThan(0)
    const keys = variants.map(({ options, answer }) => options[answer])
    const above = values.filter((value) => value > 200 && !keys.includes(`$${value} million`))
    expect(above).toEqual([])
  })
})

describe("a family's number", () => {
  it.each([
    [1234.5, '$0.0 million', '$1,234.5 million'],
    [-4, '$0.0 million', '−$4.0 million'],
    [1.005, '0.00%', '1.01%'],
    [-0.001, '0.0', '0.0'],
    [6, '0 days', '6 days'],
  ])('%f by %s is %s', (value, pattern, text) => {
    expect(writeNumber(value, pattern)).toBe(text)
  })

  it('is written as short as possible', () => {
    expect([0.1 + 0.2, 1250, 4.25].map(formatNumber)).toEqual(['0.3', '1,250', '4.25'])
  })
})

describe('the mistake patterns of a family', () => {
  const KNOWN = new Set(Object.values(BASE.slips ?? {}))
  const file = {
    category: 'Valuation & Corporate Finance',
    difficulty: 'Intern',
    name: 'questions/x.yaml',
    text: '',
  } as const
  const told = (slips: ContentQuestion['slips']) =>
    checkSlips([{ file, questions: [{ ...BASE, slips }] }], KNOWN).map(({ message }) => message)

  it('are on each wrong answer or on none', () => {
    expect(told(BASE.slips)).toEqual([])
    expect(told(undefined)).toEqual([])
    expect(told({ A: 'stopped-early', C: 'fee-forgotten' })).toEqual(['slips.D is missing'])
  })

  it('are known, and never on the key', () => {
    expect(told({ ...BASE.slips, B: 'tax-forgotten' })).toEqual(['slips.B is set for the key'])
    expect(told({ ...BASE.slips, A: 'no-such' })).toEqual(["slip 'no-such' is not in slips.yaml"])
  })
})

it('keep the ids of an earlier draw retired, and no other variant takes them', () => {
  const file = { category: 'Financial Accounting & Analysis', difficulty: 'Intern' } as const
  const cells = [{ file: { ...file, name: 'intern.yaml', text: '' }, questions: [BASE] }]
  const landed = new Map([['variants/after-tax', [50_012]]])
  const messages = (change: object) => {
    const text = JSON.stringify({ ...FAMILY, ...change })
    const files = [{ name: 'families/after-tax.yaml', text }]
    const { problems } = checkFamilies(files, [], cells, new Set(), landed)
    return problems.flatMap(({ id, message }) => (id === 50_012 ? message : []))
  }
  expect(messages({})).toEqual(['was published and is missing'])
  expect(messages({ retired: [50_012] })).toEqual([])
  expect(messages({ first: 50_010, retired: [50_012] })).toEqual([
    'also belongs to families/after-tax.yaml',
  ])
})
