import { describe, expect, it } from 'vitest'
import { getPreset, type Preset } from './presets.ts'
import {
  answeredBy,
  drillHeading,
  isRight,
  markDrill,
  median,
  paceByMinute,
  type ReachedSum,
  reportKinds,
  slowestKind,
  slowestTen,
} from './report.ts'

const eighty = getPreset('80-in-8') as Preset
const sprint = getPreset('sprint') as Preset
const sums = [{ key: '408' }, { key: '0.875' }, { key: '−3' }, { key: '17/12' }]

describe('marking a drill', () => {
  it.each([
    ['0.875', '7/8', true],
    ['0.875', '0,875', true],
    ['0.875', '0.87', false],
    ['−3', '-3', true],
    ['−3', '3', false],
    ['17/12', '34/24', true],
    ['408', '', false],
  ])('%s accepts %j: %s', (key, answer, expected) =>
    expect(isRight({ key }, answer)).toBe(expected),
  )

  it.each([
    [0, 2],
    [1, 0],
    [2, -2],
  ])('takes %d points off for each wrong answer', (penalty, score) => {
    const answers = ['408', '0.875', '3', '1'].map((answer) => ({ answer }))
    expect(markDrill(eighty, sums, answers, penalty)).toEqual({
      correct: 2,
      wrong: 2,
      skipped: 76,
      score,
      isRight: [true, true, false, false],
    })
  })

  it('reports no skipped questions for an endless drill', () => {
    expect(markDrill(sprint, sums, [{ answer: '408' }], 0).skipped).toBe(0)
  })
})

const reached = (
  kind: string,
  seconds: number[],
  wrong: number[] = [],
): ReachedSum<{ kind: string }>[] =>
  seconds.map((second, index) => ({
    sum: { kind },
    answer: '1',
    tookMs: second * 1_000,
    isRight: !wrong.includes(index),
  }))

describe('the kinds of question in a drill report', () => {
  const quick = reached('addition', [2, 3, 4])
  it.each([
    ['more than half above the whole', [9, 9, 9], 'percentages'],
    ['half above the whole and no more', [6, 6, 6], null],
    ['slow with two sums only', [20, 20], null],
  ])('are called slow by their median: %s', (_, seconds, slow) => {
    expect(
      slowestKind(
        reportKinds([
          ...quick,
          ...reached('addition', [4, 4, 4]),
          ...reached('percentages', seconds),
        ]),
      ),
    ).toBe(slow)
  })

  it('are never slow when there is only one kind', () => {
    expect(slowestKind(reportKinds(reached('addition', [1, 1, 1, 30])))).toBeNull()
  })

  it('keep their order and have right answers and median', () => {
    const kinds = reportKinds([...reached('percentages', [5, 7], [1]), ...quick])
    expect(kinds.map(({ name, right, medianMs }) => [name, right, medianMs])).toEqual([
      ['addition', 3, 3_000],
      ['percentages', 1, 6_000],
    ])
  })
})

it.each([
  [57, [51, 40], 'percentages', 'Your best so far. Percentages hold you up.'],
  [57, [57, 40], 'multiplication', 'Level with your best. Multiplication holds you up.'],
  [50, [51], null, '1 point below your best.'],
  [-3, [51], 'division', '54 points below your best. Division holds you up.'],
  [12, [], null, 'Your first score is set.'],
] as const)(
  'a score of %d after %j with %s slow has the heading %j',
  (score, earlier, slow, heading) => {
    expect(drillHeading(score, earlier, slow)).toBe(heading)
  },
)

it('the report counts right answers per minute, or per quarter of a short drill', () => {
  const answers = [30, 20, 20, 400].map((seconds, index) => ({
    tookMs: seconds * 1_000,
    isRight: index !== 1,
  }))
  expect(paceByMinute(answers, 480)).toEqual([1, 2, 2, 2, 2, 2, 2, 3])
  expect(paceByMinute(answers.slice(0, 3), 120)).toEqual([0, 1, 1, 1, 2, 2, 2, 2])
})

it.each([
  [0, 0],
  [2_999, 0],
  [3_000, 1],
  [7_999, 1],
  [8_000, 2],
  [99_000, 2],
])('after %d ms the previous run had %d answers', (atMs, expected) => {
  expect(answeredBy([{ tookMs: 3_000 }, { tookMs: 5_000 }], atMs)).toBe(expected)
})

it('the median of an even count is the middle of the two', () => {
  expect([median([3, 1, 2]), median([4, 1, 2, 3]), median([])]).toEqual([2, 2.5, 0])
})

it('the report lists the slowest ten, slowest first', () => {
  const slow = slowestTen(Array.from({ length: 12 }, (_, tookMs) => ({ tookMs })))
  expect(slow.map(({ tookMs }) => tookMs)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2])
})
