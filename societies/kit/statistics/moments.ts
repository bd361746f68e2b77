/** An interval, of 95% where nothing else is said. */
export interface Interval {
  low: number
  high: number
}

export function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/** @param values at least one */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

/** With n − 1; of the people themselves, as if they were the whole population, with n. */
export function variance(values: readonly number[], divisor: 'n-1' | 'n' = 'n-1'): number {
  const centre = mean(values)
  let squares = 0
  for (const value of values) squares += (value - centre) ** 2
  return squares / (divisor === 'n' ? values.length : values.length - 1)
}

/** Standard deviation with n − 1. */
export function standardDeviation(values: readonly number[]): number {
  return Math.sqrt(variance(values))
}

/** With n − 1; both lists in the same order of people. */
function covariance(xs: readonly number[], ys: readonly number[]): number {
  const [meanX, meanY] = [mean(xs), mean(ys)]
  let products = 0
  for (let i = 0; i < xs.length; i += 1) {
    products += ((xs[i] as number) - meanX) * ((ys[i] as number) - meanY)
  }
  return products / (xs.length - 1)
}

/** Pearson's r; null where one of the two does not vary. */
export function correlation(xs: readonly number[], ys: readonly number[]): number | null {
  const [varianceX, varianceY] = [variance(xs), variance(ys)]
  if (!(varianceX > 0 && varianceY > 0)) return null
  const r = covariance(xs, ys) / Math.sqrt(varianceX * varianceY)
  return Math.max(-1, Math.min(1, r))
}

/**
 * The value below which a share p of the people lies, between two of them if need be (Hyndman and Fan 1996,
 * type 7: as R, Python and spreadsheets do).
 * @param values at least one, in any order
 */
export function quantile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * p
  const low = sorted[Math.floor(at)] as number
  const high = sorted[Math.ceil(at)] as number
  return low + (high - low) * (at - Math.floor(at))
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}
