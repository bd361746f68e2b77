import { describe, expect, it } from 'vitest'
import type { ContentFile, ContentQuestion } from '../../practice/server/content/content.ts'
import { readNumber } from '../../societies/kit/number-shown.ts'
import { checkBank, checkBlueprints, checkBrainteasers, checkCell } from './check.ts'
import { checkQuestion, isWorded } from './check-item.ts'

const numeric: ContentQuestion = {
  id: 1,
  topic: 'tax',
  question: 'What is $100 million less 25% tax?',
  options: { A: '$25 million', B: '$75 million', C: '$100 million', D: '$125 million' },
  answer: 'B',
  compute: '100 * (1 - 0.25)',
  explanation: 'The tax is $25 million. That leaves $75 million.',
  why: { A: 'Gives the tax.', C: 'Forgets the tax.', D: 'Adds the tax.' },
}
const worded: ContentQuestion = {
  ...numeric,
  options: {
    A: 'A longer text here',
    B: 'Text number two',
    C: 'Third text here',
    D: 'Another text one',
  },
  compute: undefined,
}

describe('the check of one question', () => {
  it.each([
    ['numbers', numeric],
    ['words', worded],
  ])('accepts a good question with %s', (_, question) => {
    expect(checkQuestion(question)).toEqual([])
  })

  it.each<[string, Partial<ContentQuestion>, RegExp]>([
    [
      'a wrong key',
      { answer: 'C', why: { A: 'x', B: 'y', D: 'z' } },
      /compute gives 75, but the key shows 100/,
    ],
    ['no calculation', { compute: '75' }, /not a calculation/],
    ['a missing calculation', { compute: undefined }, /no compute expression/],
    ['a broken calculation', { compute: '100 * (1 -' }, /can't be evaluated/],
    [
      'numbers out of order',
      { options: { A: '$125 million', B: '$75 million', C: '$100 million', D: '$25 million' } },
      /must ascend/,
    ],
    [
      'mixed precision',
      { options: { A: '$25 million', B: '$75 million', C: '$100.5 million', D: '$125 million' } },
      /different precision/,
    ],
    ['a mistake that gives another number', { wrong: { A: '100 * 0.2' } }, /wrong.A gives 20/],
    ['a mistake on the key', { wrong: { B: '100 * 0.75' } }, /wrong.B is set for the key/],
    ['a mistake that is not a formula', { wrong: { D: '100 * (' } }, /wrong.D can't be evaluated/],
    ['a letter named', { explanation: 'Option B is right. It has the tax.' }, /names an option/],
    [
      'a letter named as answer',
      { explanation: 'It is so. The answer C forgets tax.' },
      /names an option/,
    ],
    [
      'a letter named in why',
      { why: { A: 'Takes option C for it.', C: 'x', D: 'y' } },
      /why.A names/,
    ],
    [
      'a hyphen for a minus sign',
      { explanation: 'It is 5 - 3 = 2. So it is two.' },
      /hyphen for − or the letter x/,
    ],
    ['the letter x for times', { question: 'What is 3 x 4?' }, /'at is 3 x 4\?' has a hyphen/],
    ['one sentence only', { explanation: 'It is so.' }, /1 sentences/],
    ['a mistake without a name', { why: { A: 'x', C: 'y' } }, /why.D is missing/],
    [
      'a mistake named on the key',
      { why: { A: 'x', B: 'w', C: 'y', D: 'z' } },
      /is set for the key/,
    ],
  ])('finds %s', (_, change, message) => {
    expect(checkQuestion({ ...numeric, ...change }).join('\n')).toMatch(message)
  })

  it.each([['All of the above'], ['None of these'], ['Both A and C']])(
    "finds the forbidden option '%s'",
    (option) => {
      const options = { ...worded.options, D: option }
      expect(checkQuestion({ ...worded, options }).join('\n')).toMatch(/forbidden option/)
    },
  )

  it('finds two equal options', () => {
    const options = { ...worded.options, D: worded.options.A.toUpperCase() }
    expect(checkQuestion({ ...worded, options }).join('\n')).toMatch(/two options are the same/)
  })

  it('accepts a single letter A used as an article', () => {
    expect(checkQuestion({ ...numeric, explanation: 'A tax is due. A quarter goes.' })).toEqual([])
  })
})

describe('the number in an option', () => {
  it.each([
    ['$75 million', 75, 0],
    ['12.50%', 12.5, 2],
    ['1,250', 1250, 0],
    ['-$3.5 billion', -3.5, 1],
    ['−4%', -4, 0],
    ['About 3.2x', 3.2, 1],
  ])('%s reads as %d', (option, value, decimals) => {
    expect(readNumber(option)).toMatchObject({ value, decimals })
  })

  it('is distinguished from words, with or without a unit', () => {
    expect(isWorded(numeric)).toBe(false)
    expect(isWorded(worded)).toBe(true)
  })
})

describe('the check of a cell', () => {
  const cell = (
    keys: string,
    change: (question: ContentQuestion, index: number) => void = () => {},
  ) =>
    [...keys].map((key, index) => {
      const question = structuredClone({ ...worded, id: index + 1, answer: key as 'A' })
      question.options.A = `Text of the first one ${index}`
      question.options.B = `Text of a second one ${index}`
      question.options.C = `Text of some third one ${index}`
      question.options.D = `Text of that other one ${index}`
      change(question, index)
      return question
    })

  it('accepts a good cell', () => {
    expect(checkCell(cell('ABCDABCDAB'))).toEqual([])
  })

  it.each([
    ['nine questions', 'ABCDABCDA', /9 questions/],
    ['a letter too often', 'ABCAABDACB', /the key is A in 40 %/],
    ['a letter too rare', 'ABCABCABCD', /the key is D in 10 %/],
    ['four equal keys in a row', 'AAAABCDBCD', /4 equal keys in a row/],
  ])('finds %s', (_, keys, message) => {
    expect(checkCell(cell(keys)).join('\n')).toMatch(message)
  })

  it('finds keys that are too often the longest option', () => {
    const questions = cell('ABCDABCDAB', (question, index) => {
      if (index < 4) question.options[question.answer] += ' and quite a lot longer'
    })
    expect(checkCell(questions).join('\n')).toMatch(
      /longest option in 4 of 10 worded items \(1, 2, 3, 4\)/,
    )
  })
})

describe('the check of the question bank', () => {
  const file = (text: string, difficulty: 'Intern' | 'Analyst' = 'Intern'): ContentFile => ({
    category: 'Financial Accounting & Analysis',
    difficulty,
    name: `${difficulty}.yaml`,
    text,
  })
  const item = (id: number, question: string) => JSON.stringify([{ ...numeric, id, question }])
  const retired = (text: string) => text.replace('}]', ',"retired":true}]')

  it('finds repeated ids, near-duplicates and missing ids, all together', () => {
    const { problems } = checkBank(
      [
        file(item(1, 'What is the value of $100 million less 25% tax today?')),
        file(item(1, 'What is the value of $100 million less 25% tax — today?'), 'Analyst'),
      ],
      new Map([['financial-accounting-analysis/intern', [1, 7]]]),
    )
    const text = problems.map(({ file, id, message }) => `${file} ${id}: ${message}`).join('\n')
    expect(text).toMatch(/Analyst.yaml 1: is also in Intern.yaml/)
    expect(text).toMatch(/asks nearly the same as 1/)
    expect(text).toMatch(/Intern.yaml 7: was published and is missing/)
  })

  it('accepts a question like its own retired version at another level, and no other duplicate', () => {
    const moved = 'What is the value of $100 million less 25% tax today?'
    const found = (other: string) =>
      checkBank([file(other), file(retired(item(2, moved)), 'Analyst')], new Map())
        .problems.map(({ message }) => message)
        .filter((message) => message.includes('nearly'))
    expect(found(item(1, moved))).toEqual([])
    expect(found(retired(item(1, moved)))).toEqual([])
    expect(found(item(1, moved.replace('tax today', 'tax, today')))).toEqual([
      expect.stringContaining('asks nearly the same as 1'),
    ])
  })

  it.each([
    ['no YAML', 'a: [', /is not YAML/],
    ['no list', 'a: 1', /must be a list/],
    ['an unknown field', JSON.stringify([{ ...numeric, hint: 'x' }]), /hint/],
    ['option E for a key', JSON.stringify([{ ...numeric, answer: 'E' }]), /answer/],
    ['an id of the imports', JSON.stringify([{ ...numeric, id: 100_000 }]), /id/],
  ])('finds %s', (_, text, message) => {
    const { problems } = checkBank([file(text)], new Map())
    expect(problems.map((problem) => problem.message).join('\n')).toMatch(message)
  })
})

describe('the check of the brainteasers', () => {
  const { topic: _, question: statement, ...rest } = numeric
  const teaser = (id: number, answer: 'A' | 'B' | 'C' | 'D' = 'B') => ({
    ...rest,
    id,
    answer,
    slips: {},
    kind: 'logic' as const,
    level: 1,
    statement: `${statement} Case ${id} of ${id * 7}.`,
  })
  const messages = (teasers: ReturnType<typeof teaser>[]) =>
    checkBrainteasers(teasers, []).map(({ id, message }) => `${id}: ${message}`)

  it('finds wrong keys, uneven letters and repeated ids', () => {
    const found = messages([teaser(1), teaser(1), teaser(2, 'C')]).join('\n')
    expect(found).toMatch(/2: compute gives 75, but the key shows 100/)
    expect(found).toMatch(/the key is B in 67 %/)
    expect(found).toMatch(/1: stands twice/)
    expect(found).toMatch(/2: why.B is missing/)
  })

  it('finds a brainteaser that repeats a question of the bank', () => {
    const bank = [{ file: { name: 'bank.yaml' } as ContentFile, questions: [numeric] }]
    const found = checkBrainteasers([{ ...teaser(9), statement }], bank)
    expect(found.map(({ message }) => message).join()).toMatch(/asks nearly the same as 1/)
  })
})

describe('the check against the blueprint', () => {
  const file: ContentFile = {
    category: 'Valuation & Corporate Finance',
    difficulty: 'Intern',
    name: 'questions/valuation-corporate-finance/intern.yaml',
    text: '',
  }
  const slug = 'valuation-corporate-finance/intern'
  const cell = (...questions: Partial<ContentQuestion>[]) => [
    {
      file,
      questions: questions.map(
        (question, index): ContentQuestion => ({
          ...worded,
          id: index + 1,
          thinking: 'apply',
          ...question,
        }),
      ),
    },
  ]
  const blueprint = (text: string) => new Map([[slug, text]])
  const planned = blueprint('topics:\n  - { topic: tax, asked: often, apply: 1, compute: 1 }\n')
  const messages = (...given: Parameters<typeof checkBlueprints>) =>
    checkBlueprints(...given).map(({ message }) => message)

  it('accepts a cell written as planned; retired questions do not count', () => {
    const cells = cell({}, { thinking: 'compute' }, { thinking: 'judge', retired: true })
    expect(messages(cells, planned)).toEqual([])
  })

  it.each<[string, Partial<ContentQuestion>[], Map<string, string>, RegExp]>([
    ['no blueprint', [{}], new Map(), /is missing/],
    ['too few', [{}], planned, /^tax, compute: 1 planned, 0 written$/],
    ['not planned', [{}, { thinking: 'compute' }, { topic: 'dcf' }], planned, /^dcf, apply: not/],
    ['no thinking', [{ thinking: undefined }], planned, /1 has no thinking/],
    ['a wrong frequency', [{}], blueprint('topics: [{ topic: tax, asked: daily }]'), /asked/],
  ])('reports: %s', (_, questions, blueprints, message) => {
    expect(messages(cell(...questions), blueprints)).toContainEqual(expect.stringMatching(message))
  })
})
