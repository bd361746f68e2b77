import { describe, expect, it } from 'vitest'
import type { FormResults } from '../contract.ts'
import { obstaclesOf } from '../obstacles.ts'
import {
  coefficient,
  countsOf,
  decimal,
  headlineOf,
  inWords,
  isNear,
  notedOf,
  percent,
  shownOf,
  worthOf,
} from './results-words.ts'

const nothing = { strikes: 0, isEndedByStrikes: false, upheld: 0, isUnwatched: false }

/** Six with each of 0 to 4 right of four: KR-20 .8, error .643, zone 1.058. */
const six: FormResults = {
  ...{ form: null, items: 4, reliability: 0.8, error: 0.643268 },
  groups: [
    { high: 4, low: 3, count: 12 },
    { high: 2, low: 1, count: 12 },
    { high: 0, low: 0, count: 6 },
  ],
  errors: [1, 1, 1, 1, 1],
  candidates: [0, 1, 2, 3, 4].flatMap((right) =>
    Array.from({ length: 6 }, (_, n) => ({
      ...{ id: `${right}-${n}`, number: right * 6 + n + 1, right, seconds: 600 },
      ...{ allowedSeconds: 1200, ...nothing },
    })),
  ),
  underReview: [],
}
const few: FormResults = { ...six, groups: null, errors: null, candidates: six.candidates.slice(8) }
const headline = (form: FormResults, line: number | null) =>
  headlineOf([form], shownOf([form], line), line)

describe('the list of results', () => {
  it('has its zone and counts as calculated by hand', () => {
    const all = shownOf([six], 2)
    expect(countsOf(all)).toEqual({
      ...{ 'clearly-above': 6, 'just-above': 12, 'just-below': 6, 'clearly-below': 6 },
    })
    const ofEach = [4, 3, 2, 1, 0].map((right) => all.find((one) => one.right === right))
    expect(ofEach.map((one) => one && [isNear(one), one.rank, one.group])).toEqual([
      [false, { first: 1, last: 6 }, 1],
      [true, { first: 7, last: 12 }, 1],
      [true, { first: 13, last: 18 }, 2],
      [true, { first: 19, last: 24 }, 2],
      [false, { first: 25, last: 30 }, 3],
    ])
  })

  it('has no groups and no zone when no order is supported', () => {
    const all = shownOf([few], 2)
    expect(countsOf(all)).toBeNull()
    expect(all.some((one) => isNear(one) || one.group !== null)).toBe(false)
  })
})

describe('the words over the results', () => {
  it.each([
    [six, 2, 'Six are clearly above 2. Eighteen are too close to call.'],
    [six, null, '30 took it, in three groups, with 0 to 4 points.'],
    [few, 2, 'Eighteen of twenty-two are at 2 or above.'],
    [
      { ...six, underReview: Array(4).fill({ id: 'x', number: 31, undecided: 1 }) },
      null,
      '30 of 34 scores, in three groups, with 0 to 4 points.',
    ],
  ])('are the finding (case %#)', (form, line, words) => {
    expect(headline(form, line)).toBe(words)
  })

  it('say how precise a score is, or why nothing more is shown', () => {
    expect(worthOf([few])).toBe('n = 22, too few to say how exact a score is.')
    expect(worthOf([six])).toBe(
      'A score is good to about 1 point either way. Two candidates differ for certain only when more than 1 point lies between them, so inside a group the order means nothing.',
    )
  })

  it('count the tasks before a release', () => {
    const open = obstaclesOf(
      { keys: [{ position: 7, crossing: 7 }], incidents: 9, lateAnswers: 0, lateCandidates: 1 },
      16,
    )
    expect(open.map(({ sentence, link }) => [sentence, link])).toEqual([
      [
        'Question 7 probably has a wrong key: ruling on it moves 7 candidates across the cut score.',
        'Rule on question 7',
      ],
      ['9 incidents are undecided, or wait for a talk.', 'Decide the 9'],
      ['Answers of 1 candidate came after the end, and none of them can count.', 'Look at them'],
    ])
  })

  it('note what was seen of a candidate, the most serious first', () => {
    expect(notedOf(nothing)).toBe('')
    expect(notedOf({ strikes: 3, isEndedByStrikes: true, upheld: 2, isUnwatched: true })).toBe(
      'ended by strikes, 3 strikes stand, 2 upheld, not watched throughout',
    )
  })

  it.each([
    [inWords, 13, 'thirteen'],
    [inWords, 57, 'fifty-seven'],
    [inWords, 120, '120'],
    [coefficient, 0.7472, '.75'],
    [coefficient, -0.25, '−.25'],
    [coefficient, -0.004, '.00'],
    [coefficient, -1, '−1.00'],
    [decimal, -0.5, '−0.5'],
    [decimal, -0.04, '0.0'],
    [percent, 0.554, '55%'],
  ])('write figures (case %#)', (write, value, words) => {
    expect(write(value)).toBe(words)
  })
})
