import { describe, expect, it } from 'vitest'
import { seededRandom } from './distributions/seeded-random.ts'
import { mean, median } from './moments.ts'
import {
  guessThresholdMs,
  guessThresholds,
  isRapid,
  outOfTime,
  solutionPace,
  surprisingSpeeds,
  unreadAnswers,
} from './times.ts'

const SECONDS = [4.1, 35, 42, 51, 38, 61, 47, 29, 55, 3.2]
const TIMES = SECONDS.map((seconds) => seconds * 1_000)

describe('a rapid guess', () => {
  it('is faster than a tenth of the usual time', () => {
    expect(mean(SECONDS)).toBeCloseTo(36.53, 10)
    expect(median(SECONDS)).toBe(40)
    const threshold = guessThresholdMs(TIMES)
    expect(threshold).toBe(4_000)
    expect(TIMES.filter((time) => isRapid(time, threshold))).toEqual([3_200])
    expect(isRapid(4_000, threshold)).toBe(false)
  })

  it.each([
    ['at least 3 s', [10_000, 20_000, 25_000], 3_000],
    ['at most 10 s', [90_000, 150_000, 200_000], 10_000],
    ['without those that never came to it', [0, null, 50_000, 50_000], 5_000],
    ['unknown where nobody did', [0, null], null],
  ])('has its threshold: %s', (_, times, threshold) => {
    expect(guessThresholdMs(times)).toBe(threshold)
  })

  it('has no threshold without known times', () => {
    expect([isRapid(null, 4_000), isRapid(0, 4_000), isRapid(100, null)]).toEqual([
      false,
      false,
      false,
    ])
  })
})

describe('solution behavior', () => {
  it('is the share of questions with more than a rapid guess', () => {
    const thresholds = [4_000, 4_000, 4_000, null, 4_000]
    expect(solutionPace([4_000, 3_999, 0, 9_000, null], thresholds)).toBeCloseTo(1 / 3, 12)
    expect(solutionPace([null, null], [4_000, 4_000])).toBeNull()
  })

  it('has a threshold for each item', () => {
    expect(
      guessThresholds([
        [40_000, 60_000],
        [40_000, null],
      ]),
    ).toEqual([4_000, 6_000])
    expect(guessThresholds([])).toEqual([])
  })
})

describe('answers too fast to be read', () => {
  const items = [
    { words: 60, p: 0.4 },
    { words: 60, p: 0.49 },
    { words: 60, p: 0.3 },
    { words: 60, p: 0.5 },
  ]

  it('are right in less than a tenth of a second per word', () => {
    expect(unreadAnswers([5_999, 6_000, 5_999, null], [1, 1, 0, 1], items)).toEqual({
      items: [0],
      counts: false,
    })
    expect(unreadAnswers([0, 1, 1, 1], [1, 1, 1, 1], items).items).toEqual([1, 2, 3])
  })

  it('count from three difficult ones on', () => {
    const fast = [2_000, 2_000, 2_000, 2_000]
    expect(unreadAnswers(fast, [1, 1, 1, 0], items).counts).toBe(true)
    expect(unreadAnswers(fast, [1, 1, 0, 1], items)).toEqual({ items: [0, 1, 3], counts: false })
  })
})

describe('surprising speed', () => {
  const HARD = [8, 9, 10, 11]

  it('is reported for fast right answers to the hardest questions', () => {
    const { times, marks } = timed(60)
    expect(surprisingSpeeds(times, marks)).toEqual([])
    expect(surprisingSpeeds(hasten(times, HARD), solve(marks, HARD))).toEqual([
      { candidate: 7, items: HARD, right: 4 },
    ])
  })

  it('is not reported for wrong answers, for three, for easy ones, or for fast candidates', () => {
    const { times, marks } = timed(60)
    const wrong = solve(marks, HARD).with(7, marks[7]?.map(() => 0) ?? [])
    expect(surprisingSpeeds(hasten(times, HARD), wrong)).toEqual([])
    expect(surprisingSpeeds(hasten(times, [8, 9, 10]), solve(marks, HARD))).toEqual([])
    expect(surprisingSpeeds(hasten(times, [0, 1, 2, 3]), solve(marks, [0, 1, 2, 3]))).toEqual([])
    const everything = Array.from({ length: 12 }, (_, item) => item)
    expect(surprisingSpeeds(hasten(times, everything), solve(marks, everything))).toEqual([])
  })

  it('allows one wrong answer of four', () => {
    const { times, marks } = timed(60)
    const three = solve(marks, HARD).with(7, solve(marks, [8, 9, 10])[7]?.with(11, 0) ?? [])
    expect(surprisingSpeeds(hasten(times, HARD), three)).toMatchObject([{ candidate: 7, right: 3 }])
    const two = three.with(7, three[7]?.with(10, 0) ?? [])
    expect(surprisingSpeeds(hasten(times, HARD), two)).toEqual([])
  })

  it('is not reported below sixty candidates', () => {
    const { times, marks } = timed(59)
    expect(surprisingSpeeds(hasten(times, HARD), solve(marks, HARD))).toEqual([])
  })

  it('tolerates missing times', () => {
    const { times, marks } = timed(60)
    const gaps = hasten(times, HARD).map((row, at) => (at === 3 ? row.map(() => null) : row))
    expect(surprisingSpeeds(gaps, solve(marks, HARD))).toMatchObject([{ candidate: 7 }])
  })
})

describe('running out of time', () => {
  const done = { isAnswered: true, isRapid: false }
  const blank = { isAnswered: false, isRapid: false }
  const guessed = { isAnswered: true, isRapid: true }
  const paper = (end: (typeof done)[]) => [...Array(10 - end.length).fill(done), ...end]

  it('means missing the last fifth of the paper', () => {
    const papers = [
      paper([blank, blank]),
      paper([guessed, blank]),
      paper([blank, done]),
      paper([done, guessed]),
      ...Array.from({ length: 16 }, () => paper([])),
    ]
    expect(outOfTime(papers)).toEqual({ missedEnd: 0.1, missedLast: 0.15, isTooLong: false })
    expect(outOfTime([...papers, paper([blank, blank, blank])]).isTooLong).toBe(true)
  })

  it('is empty without candidates', () => {
    expect(outOfTime([])).toEqual({ missedEnd: 0, missedLast: 0, isTooLong: false })
    expect(outOfTime([[]])).toEqual({ missedEnd: 0, missedLast: 0, isTooLong: false })
  })
})

/** Twelve items, the last four hard; about 40 s each. */
function timed(people: number): { times: (number | null)[][]; marks: number[][] } {
  const random = seededRandom(11)
  const bell = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const times: number[][] = []
  const marks: number[][] = []
  for (let candidate = 0; candidate < people; candidate += 1) {
    const pace = bell() * 0.2
    times.push(Array.from({ length: 12 }, () => 40_000 * Math.exp(pace + bell() * 0.3)))
    marks.push(Array.from({ length: 12 }, (_, item) => +(random() < (item < 8 ? 0.8 : 0.3))))
  }
  return { times, marks }
}

function hasten(times: (number | null)[][], items: number[]): (number | null)[][] {
  return times.map((row, candidate) =>
    row.map((time, item) => (candidate === 7 && items.includes(item) ? (time ?? 0) / 12 : time)),
  )
}

function solve(marks: number[][], items: number[]): number[][] {
  return marks.map((row, candidate) =>
    row.map((mark, item) => (candidate === 7 && items.includes(item) ? 1 : mark)),
  )
}
