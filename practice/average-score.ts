/** Mean of some percentages, rounded to one decimal place (product 3.4.6); null of none. */
export function meanPercentage(percentages: readonly number[]): number | null {
  return roundedMean(
    percentages.reduce((total, percentage) => total + percentage, 0),
    percentages.length,
  )
}

/** The same of percentages that were summed up already. */
export function roundedMean(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round((sum / count) * 10) / 10
}
