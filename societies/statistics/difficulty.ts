import { type Interval, sum } from './moments.ts'

export interface Difficulty {
  /** how many had it right */
  right: number
  of: number
  /** the item's p-value: the share who had it right */
  p: number
  interval: Interval
}

/** How many had an item right, and between what the share may lie. */
export function difficulty(marks: readonly number[]): Difficulty {
  const right = sum(marks)
  return {
    right,
    of: marks.length,
    p: right / marks.length,
    interval: wilsonInterval(right, marks.length),
  }
}

/** 95% of a normal population lie within so many standard deviations. */
const Z = 1.959963984540054

/**
 * The 95% interval of a share (Wilson 1927): it never leaves 0 to 1, and says something of 12 out of 12.
 * @param of at least 1
 */
export function wilsonInterval(successes: number, of: number): Interval {
  const p = successes / of
  const shrink = 1 + Z ** 2 / of
  const centre = (p + Z ** 2 / (2 * of)) / shrink
  const half = (Z * Math.sqrt((p * (1 - p)) / of + Z ** 2 / (4 * of ** 2))) / shrink
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) }
}
