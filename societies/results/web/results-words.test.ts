import { describe, expect, it } from 'vitest'
import type { FormResults } from '../contract.ts'
import { obstaclesOf } from '../obstacles.ts'
import {
  coefficient,
  countsOf,
  cutsFor,
  decimal,
  excludedOf,
  headlineOf,
  inWords,
  isNear,
  notedOf,
  percent,
  shownOf,
  worthOf,
} from './results-words.ts'

const nothing = {
  ...{ strikes: 0, isEndedByStrikes: false, upheld: 0, isUnwatched: false },
  ...{ isFast: false, open: 0, excluded: null },
}

/** Six candidates have each score from 0 to 4 out of four: KR-20 .8, error .643, margin 1.058. */
const six: FormResults = {
  ...{ form: null, items: 4, reliability: 0.8, error: 0.643268 },
  groups: [
    { high: 4, low: 3, count: 12 },
    { high: 2, low: 1, count: 12 },
    { high: 0, low: 0, count: 6 },
  ],
  margin: 1,
  candidates: [0, 1, 2, 3, 4].flatMap((right) =>
    Array.from({ length: 6 }, (_, n) => ({
      ...{ id: `${right}-${n}`, number: right * 6 + n + 1, right, seconds: 600 },
      ...{ allowedSeconds: 1200, ...nothing },
    })),
  ),
  underReview: [],
}
const few: FormResults = { ...six, groups: null, margin: null, candidates: six.candidates.slice(8) }
const headline = (form: FormResults, line: number | null) =>
  headlineOf([form], shownOf([form], line), line)

describe('the score list', () => {
  it('has the margin and counts that were calculated by hand', () => {
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

  it('omits excluded candidates from ranks and counts', () => {
    const excluded = { reason: 'Sat for a friend.', by: 'Ana' }
    const [best, ...others] = six.candidates.toReversed()
    const form = { ...six, candidates: [...others, { ...best, excluded } as typeof best] }
    const all = shownOf([form as FormResults], 2)
    expect(all).toHaveLength(29)
    expect(all.find(({ right }) => right === 3)?.rank).toEqual({ first: 6, last: 11 })
    expect(excludedOf([form as FormResults])).toMatchObject([{ right: 4, excluded }])
  })

  it.each([
    [6, { points: 4, letsIn: 6 }],
    [7, { points: 3, letsIn: 12 }],
    [30, { points: 0, letsIn: 30 }],
  ])('names the cut score for %i places', (places, best) => {
    expect(cutsFor(shownOf([six], null), places).best).toEqual(best)
  })

  it('has no groups and no margin when the scores support no order', () => {
    const all = shownOf([few], 2)
    expect(countsOf(all)).toBeNull()
    expect(all.some((one) => isNear(one) || one.group !== null)).toBe(false)
  })
})

describe('the text above the results', () => {
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

  it('say how precise a score is, or why that is unknown', () => {
    expect(worthOf([few])).toBe('n = 22, too few to say how precise a score is.')
    expect(worthOf([six])).toBe(
      'Scores are accurate to about ±1 point, so the order within a group means nothing.',
    )
  })

  it('count the open tasks before a release', () => {
    const open = obstaclesOf(
      { keys: [{ position: 7, crossing: 7 }], incidents: 9, lateAnswers: 0, lateCandidates: 1 },
      16,
    )
    expect(open.map(({ sentence, link }) => [sentence, link])).toEqual([
      [
        'Question 7 probably has a wrong key: a ruling would move 7 candidates across the cut score.',
        'Rule on question 7',
      ],
      ['9 incidents are undecided or waiting for follow-up.', 'Decide the 9'],
      ['1 candidate sent answers after the end, and none can count.', 'Review them'],
    ])
  })

  it('list a candidate’s incidents and notes, most serious first', () => {
    expect(notedOf(nothing)).toBe('')
    expect(
      notedOf({
        ...{ strikes: 3, isEndedByStrikes: true, upheld: 2, isUnwatched: true },
        ...{ isFast: true, open: 1 },
      }),
    ).toBe(
      '1 open incident, answered faster than anyone can read, ended by strikes, 3 strikes count, 2 upheld, not fully monitored',
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
