import { describe, expect, it } from 'vitest'
import { titlesOf, topicHeading, topicName } from './topics.ts'

describe('a topic name', () => {
  it.each([
    ['free-cash-flow', 'free cash flow'],
    ['dcf', 'DCF'],
    ['diluted-eps', 'diluted EPS'],
    ['m&a', 'M&A'],
    ['ai-at-work', 'AI at work'],
    ['npv-vs-irr', 'NPV and IRR'],
    ['etfs', 'ETFs'],
    ['dupont', 'DuPont'],
    ['ev-ebitda', 'EV/EBITDA'],
    ['reit-valuation', 'REIT valuation'],
    ['spin-offs', 'spin-offs'],
    ['ifrs', 'IFRS'],
    ['shareholders-equity', "shareholders' equity"],
  ])('%s is named %s', (topic, name) => {
    expect(topicName(topic)).toBe(name)
  })

  it('begins a line with a capital', () => {
    expect(topicHeading('free-cash-flow')).toBe('Free cash flow')
    expect(topicHeading('m&a')).toBe('M&A')
  })
})

describe('the titles of tests in a list', () => {
  const of = (topics: (string | null)[]) => topics.map((topic, index) => ({ id: index + 1, topic }))
  const TEN = ['dcf', 'dcf', 'dcf', 'lbo', 'lbo', 'wacc', 'wacc', 'm&a', 'pricing', 'growth']

  it.each([
    ['rarest first, at most four, ties by order', of(TEN), ['M&A, pricing, growth, LBO']],
    [
      'rare in the level, not in the test',
      of([...TEN, ...Array(9).fill('m&a'), 'dcf']),
      ['Pricing, growth, LBO, WACC', 'DCF, M&A'],
    ],
    ['a last, shorter test has its own', of([...TEN, 'irr']), ['M&A, pricing, growth, LBO', 'IRR']],
    ['no topic, no title', of([null, null]), ['']],
    ['no questions', [], []],
  ])('follow their rule: %s', (_, questions, titles) => {
    expect(titlesOf(questions)).toEqual(titles)
  })
})
