import { describe, expect, it } from 'vitest'
import {
  type Comparison,
  findingOf,
  headlineOf,
  pointsOf,
  type Sessions,
  signed,
  verdictOf,
} from './comparison-words.ts'

const group = (name: string) => ({
  ...{ name, code: name.toUpperCase(), form: null, people: 80, mean: 15, questions: 30 },
})
const OFFER = {
  ...{ points: 1.5, interval: { low: 0.6, high: 2.3 }, chainedMean: 1.4, tuckerMean: 1.3, seed: 1 },
}
const compared = (more: Partial<Comparison>): Comparison => ({
  ...{ id: 'MORNING', kind: 'session', said: 'shown', whyHidden: null, outcome: 'no-difference' },
  ...{ earlier: group('Morning'), later: group('Afternoon'), changedCount: 0, others: null },
  meanShift: { shift: 0.02, interval: { low: -0.02, high: 0.06 } },
  ...{ methods: null, offer: null },
  anchors: Array.from({ length: 10 }, () => ({
    ...{ questionId: '', question: '', topic: null, numbers: { earlier: 1, later: 1 } },
    ...{ earlier: { right: 1, of: 2 }, later: { right: 1, of: 2 }, shift: 0, distance: 0 },
    ...{ isDropped: false, medianMs: { earlier: null, later: null } },
  })),
  ...more,
})
const page = (...comparisons: Comparison[]): Sessions => ({
  ...{ comparisons, closedCount: 80, openCount: 0, season: 'Autumn', unlinked: [], favoured: [] },
  ...{ shifts: [], shiftLock: null },
})

describe('the finding', () => {
  it.each([
    [
      { shift: 0.02, interval: { low: -0.02, high: 0.06 } },
      'On the 10 common questions Afternoon had 0.2 more right on average (−0.2 to +0.6), which is within chance.',
    ],
    [
      { shift: -0.1, interval: { low: -0.15, high: -0.05 } },
      'On the 10 common questions Afternoon had 1.0 fewer right on average (−1.5 to −0.5).',
    ],
    [
      { shift: 0, interval: null },
      'On the 10 common questions Afternoon had as many right on average.',
    ],
    [null, null],
  ])('of %j', (meanShift, sentence) => {
    expect(findingOf(compared({ meanShift }))).toBe(sentence)
  })
})

describe('what follows', () => {
  it.each<[Partial<Comparison>, RegExp, boolean]>([
    [{ outcome: 'too-few-people' }, /below 30 people on each side: there are 80 and 80/, false],
    [{ outcome: 'too-few-anchors', anchors: [] }, /0 common questions are clean.*takes 8/, false],
    [{ outcome: 'no-variation' }, /all alike/, false],
    [{ outcome: 'no-difference' }, /less than a quarter point/, false],
    [
      { outcome: 'leak-warning' },
      /Either stronger candidates or known questions: do not adjust/,
      true,
    ],
    [{ outcome: 'leak-warning', kind: 'forms' }, /what both forms ask.*Do not adjust/, true],
    [
      { outcome: 'methods-disagree', methods: { chainedMean: 1.26, tuckerMean: -0.1 } },
      /\+1\.26 and −0\.10.*Nothing is adjusted/,
      true,
    ],
    [
      { outcome: 'offer-shift', offer: OFFER },
      /about 1\.5 points harder.*\(\+0\.6 to \+2\.3\)/,
      false,
    ],
    [
      {
        outcome: 'offer-shift',
        offer: { ...OFFER, points: 0.5, interval: { low: -0.3, high: 1.2 } },
      },
      /0\.5 points harder.*\(−0\.3 to \+1\.2\), which is within chance\. An owner may/,
      false,
    ],
    [
      { outcome: 'offer-shift', offer: { ...OFFER, points: -1 } },
      /about 1 point easier than those of Morning/,
      false,
    ],
    [{ outcome: 'offer-shift', kind: 'session_within_form' }, /the same questions/, false],
  ])('from %j', (more, sentence, isAmber) => {
    const verdict = verdictOf(compared(more))
    expect(verdict.text).toMatch(sentence)
    expect(verdict.isAmber).toBe(isAmber)
  })
})

it.each<[string, Comparison[]]>([
  ['Afternoon was about 1.5 points harder', [compared({ outcome: 'offer-shift', offer: OFFER })]],
  [
    'Afternoon did better on the common questions',
    [compared({ outcome: 'offer-shift', offer: OFFER }), compared({ outcome: 'leak-warning' })],
  ],
  [
    'No difference beyond chance',
    [
      compared({
        outcome: 'offer-shift',
        offer: { ...OFFER, points: 0.5, interval: { low: -0.3, high: 1.2 } },
      }),
    ],
  ],
  ['The methods disagree, so nothing is adjusted', [compared({ outcome: 'methods-disagree' })]],
  ['No difference beyond chance', [compared({})]],
  ['Too few people to compare', [compared({ said: 'hidden', outcome: 'too-few-people' })]],
  ['There is nothing to compare with', []],
])('the headline is %s', (headline, comparisons) => {
  expect(headlineOf(page(...comparisons))).toBe(headline)
})

it('writes points as people do', () => {
  expect([1, -1, 1.5, 2].map(pointsOf)).toEqual(['1 point', '1 point', '1.5 points', '2 points'])
  expect([0.04, -0.04, 0.25, -2].map((value) => signed(value))).toEqual([
    '0.0',
    '0.0',
    '+0.3',
    '−2.0',
  ])
})
