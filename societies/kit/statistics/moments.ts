/** A confidence interval, at 95% by default. */
export interface Interval {
  low: number
  high: number
}

export const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0)

/** @param values at least one */
export const mean = (values: readonly number[]): number => sum(values) / values.length

/** Returns the sample variance, divided by n − 1. @param values at least two */
export function variance(values: readonly number[]): number {
  const center = mean(values)
  return sum(values.map((value) => (value - center) ** 2)) / (values.length - 1)
}

export const standardDeviation = (values: readonly number[]): number => Math.sqrt(variance(values))

/**
 * Returns Pearson's r of a binary mark with a list of whole numbers; null if either has no variance.
 * @param of the number of people
 * @param sums of the list, of its squares, and of the values with the mark
 */
export function markCorrelation(
  marked: number,
  of: number,
  sums: { all: number; squares: number; marked: number },
): number | null {
  const [ofMarks, ofList] = [marked * (of - marked), of * sums.squares - sums.all ** 2]
  if (!(ofMarks > 0 && ofList > 0)) return null
  const r = (of * sums.marked - marked * sums.all) / (Math.sqrt(ofMarks) * Math.sqrt(ofList))
  return Math.max(-1, Math.min(1, r))
}

/** @param values at least one, in any order */
export function median(values: readonly number[]): number {
  // Typed arrays sort numbers several times faster than plain arrays.
  const sorted = Float64Array.from(values).sort()
  const at = (sorted.length - 1) / 2
  return mean([sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number])
}
