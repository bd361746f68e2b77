import { describe, expect, it } from 'vitest'
import { coefficient, decimal, percent, points, rightOf } from './figures.ts'
import type { ItemFlag } from './option-table.ts'
import { reliabilityWord } from './reliability.ts'
import {
  flagWords,
  lengthWords,
  needsALook,
  noticeWords,
  reliabilityMeaning,
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
    expect(rightOf(9, 12)).toBe('9 of 12')
    expect([points(1), points(6), points(0.5)]).toEqual(['1 point', '6 points', '0.5 points'])
  })
})

describe('reliability in words', () => {
  it.each([
    [-0.2, 'do not rank', 'Do not rank individuals by this test.'],
    [0.49, 'do not rank', 'Do not rank individuals by this test.'],
    [0.5, 'weak', 'It tells the best from the weakest, and little between.'],
    [0.64, 'weak', 'It tells the best from the weakest, and little between.'],
    [0.65, 'fair', 'It tells groups apart, not neighbours.'],
    [0.79, 'fair', 'It tells groups apart, not neighbours.'],
    [0.8, 'good', 'It is good for its purpose: choosing whom to invite.'],
  ])('%f is %s', (alpha, word, meaning) => {
    expect(reliabilityWord(alpha)).toBe(word)
    expect(reliabilityMeaning(alpha)).toBe(meaning)
  })
})

describe('measurement error in words', () => {
  it('tells by how many points two candidates must differ', () => {
    // 1.96·√2·SEM: 6.07, 5.27, 2.77
    expect([2.19, 1.9, 1, 0.2].map(wholePointsApart)).toEqual([7, 6, 3, 1])
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
})
