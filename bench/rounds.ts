/** One figure of product 10.7. */
export interface Figure {
  name: string
  figure: number
  /** for people: '≥ 0.5' */
  limit: string
  met: boolean
  /** how it was taken, in a few words */
  note: string
}

/** Rounds of one bench: an odd number, so that the median is a round that happened. */
export const ROUNDS = 5
/** Seconds that each side of a round runs. */
export const ROUND_SECONDS = 4

/**
 * Takes two sides in turn, so that whatever else the machine does hits both, and divides them round by
 * round.
 * @returns the median ratio of one ÷ other, and the rates of that round
 */
export async function compareRates(
  one: () => Promise<number>,
  other: () => Promise<number>,
): Promise<{ ratio: number; one: number; other: number }> {
  const rounds: { ratio: number; one: number; other: number }[] = []
  // The first round warms both sides up and is not counted.
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

/** A ratio or size with two digits behind the point. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100
}

/** The value that a share of the values, in [0, 1), does not exceed; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * share)] ?? 0
}
