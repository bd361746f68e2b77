/** One figure of product 10.7. */
export interface Figure {
  name: string
  figure: number
  /** for people: '≥ 0.5' */
  limit: string
  met: boolean
  /** a short description of the measurement */
  note: string
}

/** Rounds of one bench. The number is odd, so that the median is an actual round. */
export const ROUNDS = 5
/** Seconds that each side of a round runs. */
export const ROUND_SECONDS = 4

/**
 * Measures two sides alternately, so that other load affects both, and divides them round by round.
 * @returns the median ratio of one ÷ other, and the rates of that round
 */
export async function compareRates(
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<{ ratio: number; one: number; other: number }> {
  const rounds: { ratio: number; one: number; other: number }[] = []
  // The first round warms up both sides and isn't counted.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const oneFirst = round % 2 === 0
    const first = await (oneFirst ? one() : other())
    const second = await (oneFirst ? other() : one())
    const [a, b] = oneFirst ? [first, second] : [second, first]
    if (round > 0) rounds.push({ ratio: a / b, one: a, other: b })
  }
  rounds.sort((a, b) => a.ratio - b.ratio)
  return rounds[Math.floor(ROUNDS / 2)] as (typeof rounds)[number]
}

export function round2(value: number): number {
  return Math.round(value * 100) / 100
}

/** The value that `share` of the values, in [0, 1), don't exceed; 0 for an empty list. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? 0
}
