/** An interval, of 95% where nothing else is said. */
export interface Interval {
  low: number
  high: number
}

export const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0)

/** @param values at least one */
export const mean = (values: readonly number[]): number => sum(values) / values.length

/** The sample's variance, divided by n − 1. @param values at least two */
export function variance(values: readonly number[]): number {
  const center = mean(values)
  return sum(values.map((value) => (value - center) ** 2)) / (values.length - 1)
}

export const standardDeviation = (values: readonly number[]): number => Math.sqrt(variance(values))

/** Pearson's r of two lists in the same order of people; null where one of them does not vary. */
export function correlation(xs: readonly number[], ys: readonly number[]): number | null {
  const [varianceX, varianceY] = [variance(xs), variance(ys)]
  if (!(varianceX > 0 && varianceY > 0)) return null
  const [meanX, meanY] = [mean(xs), mean(ys)]
  const products = sum(xs.map((x, at) => (x - meanX) * ((ys[at] as number) - meanY)))
  const r = products / (xs.length - 1) / Math.sqrt(varianceX * varianceY)
  return Math.max(-1, Math.min(1, r))
}

/** @param values at least one, in any order */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) / 2
  return mean([sorted[Math.floor(at)] as number, sorted[Math.ceil(at)] as number])
}
