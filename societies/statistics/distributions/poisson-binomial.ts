/**
 * How probable each count of successes is, from none to all, when each trial has a probability of its own
 * and none knows of the others (Poisson-binomial distribution), by the usual recursion over the trials.
 */
export function countProbabilities(probabilities: readonly number[]): number[] {
  const chance = [1]
  for (const p of probabilities) {
    chance.push(0)
    for (let count = chance.length - 1; count > 0; count -= 1) {
      chance[count] = (chance[count] as number) * (1 - p) + (chance[count - 1] as number) * p
    }
    chance[0] = (chance[0] as number) * (1 - p)
  }
  return chance
}

/** The probability of at least so many successes. */
export function atLeast(count: number, probabilities: readonly number[]): number {
  if (count <= 0) return 1
  // The small end first, or a tail of one in a billion loses its digits.
  return countProbabilities(probabilities)
    .slice(count)
    .reduceRight((sum, chance) => sum + chance, 0)
}
