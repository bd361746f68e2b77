/** Mean of some percentages, rounded to one decimal place (product 3.4.6); null of none. */
export function meanPercentage(percentages: readonly number[]): number | null {
  if (percentages.length === 0) return null
  const sum = percentages.reduce((total, percentage) => total + percentage, 0)
  return Math.round((sum / percentages.length) * 10) / 10
}
