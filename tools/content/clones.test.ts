import { describe, expect, it } from 'vitest'
import { readBrainteasers } from '../../daily/server/brainteasers.ts'
import {
  type ContentQuestion,
  parseQuestions,
  readQuestionFiles,
} from '../../practice/server/content/content.ts'
import { brainteaserItems } from './check.ts'
import { checkClones, findClones, findNearest, ideaWords, readReviewedPairs } from './clones.ts'

const item = (id: number, question: string, explanation: string): ContentQuestion => ({
  id,
  topic: 'any',
  question,
  explanation,
  options: { A: '1', B: '2', C: '3', D: '4' },
  answer: 'A',
  why: {},
})

const stop = item(
  1,
  'A stock trades at $50. Its owner leaves a stop order to sell at $45. It opens at $38. What happens?',
  'The stop triggers a market order, which fills at the opening price of $38.',
)
const stopAgain = item(
  2,
  'Anna owns a stock at $80 and leaves a stop order to sell at $70. The stock opens at $61. What happens?',
  'A stop only triggers a market order. Anna fills at the opening price, $61.',
)
const others = [
  item(11, 'A baker buys flour. How is inventory recorded?', 'Inventory is recorded at cost.'),
  item(12, 'Inflation rises. What will the central bank do?', 'It raises its policy rate.'),
  item(13, 'Which bond has the longest duration?', 'The zero-coupon bond pays last.'),
  item(14, 'How many barbers does a city need?', 'Haircuts divided by capacity.'),
]
const source = (name: string, prefix: string, ...questions: ContentQuestion[]) => ({
  name,
  prefix,
  questions,
})
const nothing = { kept: [], sameIdea: [] }

describe('the keywords of a question', () => {
  it('leave out numbers, names, short words and endings', () => {
    expect(
      ideaWords('The yields of Acme bonds, 4.5%, are rising. Yields rose; Anna waits.'),
    ).toEqual(['yield', 'bond', 'rising', 'yield', 'rose', 'wait'])
  })
})

describe('the clone search', () => {
  it('names the public item that is nearest to an assessment item', () => {
    const nearest = findNearest(
      [source('bank.yaml', '', stop, ...others), source('PCF.yaml', 'PCF-', stopAgain)],
      new Set(['PCF.yaml']),
    )
    expect([...nearest]).toMatchObject([['PCF-2', { key: '1' }]])
  })

  it('finds questions in different files that differ only in numbers and names', () => {
    const found = findClones([
      source('a.yaml', '', stop, ...others),
      source('b.yaml', '', stopAgain),
    ])
    expect(found).toMatchObject([{ first: '1', second: '2', file: 'b.yaml', limit: 0.18 }])
  })

  it('finds clones within a file, where the threshold is higher', () => {
    const found = findClones([source('a.yaml', '', stop, stopAgain, ...others)])
    expect(found).toMatchObject([{ first: '1', second: '2', limit: 0.3 }])
  })

  it('distinguishes brainteasers and assessment items from questions with the same number', () => {
    const found = findClones([
      source('brainteasers.yaml', 'B', { ...stop, id: 2 }, ...others),
      source('PCF.yaml', 'PCF-', stopAgain),
    ])
    expect(found).toMatchObject([{ first: 'B2', second: 'PCF-2' }])
  })

  it('ignores retired questions and different ideas', () => {
    const retired = { ...stopAgain, retired: true }
    expect(findClones([source('a.yaml', '', stop, ...others, retired)])).toEqual([])
  })

  it('does not count words that all neighbors share', () => {
    // Twelve stems that share a frame and differ in one word: all are close, but no two stand out.
    const shared = 'fixed coupon bond pays interest twice yearly until maturity comes'
    const series = [...'abcdefghijkl'].map((letter, index) =>
      item(index + 20, `${shared} ${letter.repeat(5)}`, `${shared} ${letter.repeat(6)}`),
    )
    const strangers = [...'abcdefghijklmnopqrst'].map((letter, index) =>
      item(index + 40, letter.repeat(7), letter.repeat(8)),
    )
    const pair = series.slice(0, 2)
    expect(findClones([source('a.yaml', '', ...series, ...strangers)])).toEqual([])
    expect(findClones([source('a.yaml', '', ...pair, ...strangers)])).toHaveLength(1)
  })
})

describe('the clone thresholds', () => {
  // Groups that people considered one idea in the first edition, with eighty questions per cell. The second edition
  // retired some and deleted none.
  const GROUPS = `7037/8052 11032/12050 4048/5019 4016/5079 8061/12064 3009/2041 6046/5070 6048/5033
    12011/11057 3035/6040 6021/12078 1055/2024 1063/2022 1047/2037 7068/8050 7047/8036 3040/6075 2023/3063
    11061/12067 4074/5043 4013/7059 11042/12045 6007/6013/6073 13071/B145`

  // Comparing a million pairs takes seconds while other tests run.
  it('find all of these groups except three that use other words', {
    tags: ['full'],
    timeout: 60_000,
  }, async () => {
    const cells = (await readQuestionFiles()).map((file) => {
      const first = parseQuestions(file).filter(({ id }) => id % 1000 <= 80)
      return source(file.name, '', ...first.map((question) => ({ ...question, retired: false })))
    })
    const teasers = source('brainteasers.yaml', 'B', ...brainteaserItems(await readBrainteasers()))
    const found = findClones([...cells, teasers])
    const isFound = (keys: string[]) =>
      found.some(({ first, second }) => keys.includes(first) && keys.includes(second))
    const missed = GROUPS.split(/\s+/).filter((group) => !isFound(group.split('/')))
    expect(missed).toEqual(['6046/5070', '4013/7059', '11042/12045'])
    expect(found.length).toBeLessThan(350)
  })
})

describe('the clone check against the review', () => {
  const sources = [source('a.yaml', '', stop, ...others), source('b.yaml', '', stopAgain)]
  const messages = (...given: Parameters<typeof checkClones>) =>
    checkClones(...given).map(({ file, message }) => `${file}: ${message}`)

  it('refuses a pair that the review does not keep', () => {
    expect(messages(sources, nothing)).toEqual([
      expect.stringMatching(/^b\.yaml: 2 has the same idea as 1 \(\d\.\d\d, limit 0\.18\)/),
    ])
  })

  it('accepts a kept pair in either order', () => {
    const kept = [{ keys: ['2', '1'], reason: 'one sells, the other buys' }]
    expect(messages(sources, { kept, sameIdea: [] })).toEqual([])
  })

  it.each([
    ['without giving a reason', ['1', '2'], 'close', /keeps 1 \/ 2 without giving a reason/],
    ['of which one is gone', ['1', '99'], 'one sells, the other buys', /but 99 is not served/],
  ])('refuses a kept pair %s', (_, keys, reason, message) => {
    const found = messages(sources, { kept: [{ keys, reason }], sameIdea: [] })
    expect(found.join('\n')).toMatch(message)
  })

  it('refuses a pair that people judged to be one idea, however different the words', () => {
    const sameIdea = [{ keys: ['11', '12', '99'] }]
    expect(messages([source('a.yaml', '', ...others)], { kept: [], sameIdea })).toEqual([
      'REVIEW.md: 11 and 12 are one idea: retire one',
    ])
    const [baker, ...rest] = others as [ContentQuestion]
    const left = [source('a.yaml', '', { ...baker, retired: true }, ...rest)]
    expect(messages(left, { kept: [], sameIdea })).toEqual([])
  })
})

describe('reading the review file', () => {
  it('reads both lists and nothing else', () => {
    const review = [
      '# Review',
      '- 7 / 8: elsewhere',
      '## Pairs that stay',
      'Words.',
      '- 1 / PCF-2: one sells, the other buys: twice',
      '## One idea in other words',
      '- 3 / 4 / B5',
      '',
    ].join('\n')
    expect(readReviewedPairs(review)).toEqual({
      kept: [{ keys: ['1', 'PCF-2'], reason: 'one sells, the other buys: twice' }],
      sameIdea: [{ keys: ['3', '4', 'B5'], reason: '' }],
    })
  })
})
