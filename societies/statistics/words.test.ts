import { describe, expect, it } from 'vitest'
import {
  coefficient,
  decimal,
  fromTo,
  onceIn,
  percent,
  plusMinus,
  points,
  rightOf,
  signed,
} from './figures.ts'
import type { Comparison } from './forms/comparison.ts'
import type { ItemFlag } from './option-table.ts'
import {
  comparisonWords,
  directionWords,
  flagWords,
  lengthWords,
  needsALook,
  noOrderWords,
  noticeWords,
  reliabilityMeaning,
  reliabilityWords,
  scoreErrorWords,
  scoresWords,
  similarityWords,
  uncertainReliabilityWords,
  wholePointsApart,
} from './words.ts'

describe('figures in words', () => {
  it.each([
    [0.7472, '.75'],
    [-0.25, '−.25'],
    [-0.004, '.00'],
    [0, '.00'],
    [1, '1.00'],
    [-1, '−1.00'],
  ])('%f is the coefficient %s', (value, text) => {
    expect(coefficient(value)).toBe(text)
  })

  it('have their signs, units and blanks', () => {
    expect(percent(0.554)).toBe('55%')
    expect([decimal(2.24), decimal(-0.5), decimal(-0.04), decimal(2, 0)]).toEqual([
      '2.2',
      '−0.5',
      '0.0',
      '2',
    ])
    expect([signed(0.5), signed(-2.1), signed(0.04)]).toEqual(['+0.5', '−2.1', '0.0'])
    expect(rightOf(9, 12)).toBe('9 of 12')
    expect(plusMinus(2)).toBe('± 2')
    expect([fromTo(36, 42), fromTo(1, 1)]).toEqual(['36 to 42', '1'])
    expect([points(1), points(6), points(0.5)]).toEqual(['1 point', '6 points', '0.5 points'])
  })

  it.each([
    [0.5, 'once in 2'],
    [0.0123, 'once in 81'],
    [1 / 40_321, 'once in 40,000'],
    [1 / 987, 'once in 990'],
    [1e-6, 'once in 1,000,000'],
    [9.9e-7, 'less than once in 1,000,000'],
  ])('the probability %f reads %s', (probability, text) => {
    expect(onceIn(probability)).toBe(text)
  })
})

describe('reliability in words', () => {
  it('has its interval and its label', () => {
    expect(reliabilityWords(0.712, { low: 0.599, high: 0.801 })).toBe(
      'KR-20 .71, with 95% confidence between .60 and .80: fair',
    )
    expect(uncertainReliabilityWords(0.63, { low: 0.36, high: 0.82 })).toBe(
      'KR-20 is .63, but could be anything from .36 to .82.',
    )
  })

  it.each([
    [-0.2, 'do not rank', 'Do not rank individuals by this test.'],
    [0.49, 'do not rank', 'Do not rank individuals by this test.'],
    [0.5, 'weak', 'It tells the best from the weakest, and little between.'],
    [0.64, 'weak', 'It tells the best from the weakest, and little between.'],
    [0.65, 'fair', 'It tells groups apart, not neighbours.'],
    [0.79, 'fair', 'It tells groups apart, not neighbours.'],
    [0.8, 'good', 'It is good for its purpose: choosing whom to invite.'],
  ])('%f is %s', (alpha, word, meaning) => {
    expect(reliabilityWords(alpha, { low: 0, high: 1 })).toMatch(new RegExp(`: ${word}$`))
    expect(reliabilityMeaning(alpha)).toBe(meaning)
  })
})

describe('measurement error in words', () => {
  it('tells by how many points two candidates must differ', () => {
    // 1.96·√2·SEM: 6.07, 5.27, 2.77
    expect([2.19, 1.9, 1, 0.2].map(wholePointsApart)).toEqual([7, 6, 3, 1])
  })

  it('says within which distance there is no order', () => {
    expect(noOrderWords(2.19)).toBe('No order within 6 points is supported.')
    expect(noOrderWords(0.5)).toBe('No order within 1 point is supported.')
    expect(scoreErrorWords(2.19)).toBe('A score is good to about ± 2 points.')
    expect(scoreErrorWords(0.3)).toBe('A score is good to about ± 1 point.')
  })
})

describe('the recommended length of a test', () => {
  it.each([
    [24, 0.75, '32 questions of the same kind would reach .80: 8 more.'],
    [20, 0.5, '80 questions of the same kind would reach .80: 60 more.'],
    [30, 0.6, '80 questions of the same kind would reach .80: 50 more.'],
    [30, 0.7, '52 questions of the same kind would reach .80: 22 more.'],
    [24, 0.8, 'It reaches .80 with the questions it has.'],
    [24, 0.9, 'It reaches .80 with the questions it has.'],
    [24, 0, 'More questions of the same kind would not help.'],
    [24, -0.2, 'More questions of the same kind would not help.'],
  ])('for %i questions at %f is right', (items, alpha, words) => {
    expect(lengthWords(items, alpha)).toBe(words)
  })
})

describe('the warnings in words', () => {
  const flags: [ItemFlag, string, boolean][] = [
    [{ kind: 'key-suspicious', option: 2 }, 'key suspicious: C', true],
    [{ kind: 'attracts-the-good', option: 2 }, 'C attracts the good', true],
    [{ kind: 'negative' }, 'better ones had it wrong: look at the key first', true],
    [{ kind: 'left-blank', share: 0.129 }, '13% left it blank', true],
    [{ kind: 'too-hard' }, 'very hard', false],
    [{ kind: 'too-easy' }, 'very easy', false],
    [{ kind: 'not-working', option: 3 }, 'D hardly chosen', false],
  ]

  it.each(flags)('are right for %j', (flag, words, isUrgent) => {
    expect(flagWords(flag)).toBe(words)
    expect(needsALook(flag)).toBe(isUrgent)
    expect(noticeWords([flag])).toBe(words)
  })

  it('list the most urgent first and omit consequences', () => {
    const rare = [
      { kind: 'not-working', option: 2 },
      { kind: 'not-working', option: 3 },
    ] as const
    expect(noticeWords(rare)).toBe('C, D hardly chosen')
    expect(noticeWords([{ kind: 'too-easy' }, ...rare])).toBe('very easy; C, D hardly chosen')
    expect(noticeWords([{ kind: 'attracts-the-good', option: 1 }, ...rare])).toBe(
      'B attracts the good',
    )
    expect(
      noticeWords([{ kind: 'key-suspicious', option: 2 }, { kind: 'negative' }, ...rare]),
    ).toBe('key suspicious: C')
    expect(noticeWords([])).toBe('')
  })

  it('only give directions when there are few candidates', () => {
    expect(directionWords('key')).toBe('better ones chose the key')
    expect(directionWords('none')).toBe('no clear direction')
    expect(directionWords({ option: 2 })).toBe('better ones chose C: look')
  })
})

describe('other sentences of the statistics', () => {
  it('describe the spread of scores', () => {
    const words = scoresWords({ low: 6, high: 20, median: 13, quartiles: { low: 9, high: 15 } })
    expect(words).toBe('Scores 6 to 20, median 13, the middle half between 9 and 15.')
  })

  it('describe similarity', () => {
    const pair = { identical: 24, identicalWrong: 6, expected: 15.2, p: 1 / 40_321 }
    expect(similarityWords(pair)).toBe(
      'They gave 24 identical answers, 6 of them wrong. Two independent people of their strength give 15 on average; as many or more happen once in 40,000 pairs.',
    )
    expect(similarityWords({ ...pair, p: 0.6 })).toContain('happen in most pairs.')
  })

  const compared = { anchors: [], meanShift: { shift: 0, error: 0 } }
  const offer = { chainedMean: 0, tuckerMean: 0, seed: 1, say: 'offer-shift' } as const
  const comparisons: [Comparison, string][] = [
    [
      { ...compared, say: 'leak-warning' },
      'The common questions became easier: either stronger candidates or known questions. Do not adjust.',
    ],
    [
      { ...compared, say: 'methods-disagree', chainedMean: 1, tuckerMean: 0 },
      'Two methods of comparing the sessions differ by more than half a point. Nothing is adjusted.',
    ],
    [
      { ...compared, say: 'report-only', because: 'too-few-people' },
      'With fewer than 30 candidates in a session the difference is reported, and nothing adjusted.',
    ],
    [
      { ...compared, ...offer, shift: 1.5, interval: { low: 0.62, high: 2.3 } },
      'Scores of the later session could be raised by 1.5 points, with 95% confidence between 0.6 and 2.3.',
    ],
    [
      { ...compared, ...offer, shift: -1, interval: { low: -2.04, high: 0.1 } },
      'Scores of the later session could be lowered by 1 point, with 95% confidence between −0.1 and 2.0.',
    ],
  ]

  it.each(comparisons)('describe the comparison of sessions: %j', (comparison, words) => {
    expect(comparisonWords(comparison)).toBe(words)
  })
})
