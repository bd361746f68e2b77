import { describe, expect, it } from 'vitest'
import { mean, median } from './moments.ts'
import { guessThresholdMs, isRapid, missedOf, outOfTime, solutionPace } from './times.ts'

const SECONDS = [4.1, 35, 42, 51, 38, 61, 47, 29, 55, 3.2]
const TIMES = SECONDS.map((seconds) => seconds * 1_000)

describe('a rapid guess', () => {
  it('takes less than a tenth of the usual time', () => {
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

  it.each([
    [null, 4_000],
    [0, 4_000],
    [100, null],
  ])('is no time of %s with a threshold of %s', (time, threshold) => {
    expect(isRapid(time, threshold)).toBe(false)
  })
})

it('solution behavior is the share of questions with more than a rapid guess', () => {
  const thresholds = [4_000, 4_000, 4_000, null, 4_000]
  expect(solutionPace([4_000, 3_999, 0, 9_000, null], thresholds)).toBeCloseTo(1 / 3, 12)
  expect(solutionPace([null, null], [4_000, 4_000])).toBeNull()
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
    expect(outOfTime(papers.map(missedOf))).toEqual({
      missedEnd: 0.1,
      missedLast: 0.15,
      isTooLong: false,
    })
    const longer = [...papers, paper([blank, blank, blank])]
    expect(outOfTime(longer.map(missedOf)).isTooLong).toBe(true)
  })

  it('is empty without candidates', () => {
    expect(outOfTime([])).toEqual({ missedEnd: 0, missedLast: 0, isTooLong: false })
    expect(outOfTime([missedOf([])])).toEqual({ missedEnd: 0, missedLast: 0, isTooLong: false })
  })
})
