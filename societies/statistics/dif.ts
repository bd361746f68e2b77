import { normalAbove } from './distributions/normal.ts'

/** From so many candidates on everybody is matched with people of the very same total. */
const THIN_FROM = 200
const QUINTILES = 5
/** ETS' scale of differences: one unit is one point of Δ. */
const DELTA_SCALE = -2.35
const LIMITS = { small: 1, large: 1.5, significant: 0.05, oneSided: 1.645 } as const

/** People of about the same total, of both groups, who had the item right and wrong. */
export interface Stratum {
  reference: { right: number; wrong: number }
  focal: { right: number; wrong: number }
}

export interface MantelHaenszel {
  /** how much better the odds of the reference group are than those of equally able people of the focal one */
  oddsRatio: number
  logOdds: number
  logOddsError: number
  /** −2.35 · ln α: below 0 the item is harder for the focal group than for equals of the other */
  delta: number
  deltaError: number
  /** with continuity correction, one degree of freedom */
  chiSquare: number
  p: number
  /** without the correction */
  chiSquareUncorrected: number
  pUncorrected: number
  /** difference of shares right, weighted by the focal group (Dorans and Kulick 1986); below 0: harder for it */
  shareDifference: number
}

/**
 * A negligible, B moderate, C large (Holland and Thayer 1988, and ETS' limits): A where |Δ| is below 1 or not
 * significant, C from 1.5 on where it is significantly above 1, else B. A letter is no verdict on an item,
 * and C misses much in small groups.
 */
export type DifLetter = 'A' | 'B' | 'C'

/**
 * People of both groups, matched by total: one stratum for each total from 200 people on, below it five about
 * equal ones of whole scores. Groups are a session, a form or a room; what people are is not held and never asked.
 * @param marks by candidate, 0 or 1
 * @param totals in the same order, the item in them
 * @param isFocal in the same order: who is in the group that is asked about
 */
export function matchedStrata(
  marks: readonly number[],
  totals: readonly number[],
  isFocal: readonly boolean[],
): Stratum[] {
  const stratumOf = totals.length < THIN_FROM ? fifthsOf(totals) : (total: number) => total
  const strata = new Map<number, Stratum>()
  for (const [candidate, total] of totals.entries()) {
    const key = stratumOf(total)
    const stratum = strata.get(key) ?? {
      reference: { right: 0, wrong: 0 },
      focal: { right: 0, wrong: 0 },
    }
    strata.set(key, stratum)
    const group = isFocal[candidate] ? stratum.focal : stratum.reference
    if (marks[candidate] === 1) group.right += 1
    else group.wrong += 1
  }
  return [...strata].sort(([a], [b]) => a - b).map(([, stratum]) => stratum)
}

/**
 * Whether an item is harder for one group than for equally able people of another (Mantel and Haenszel 1959,
 * Holland and Thayer 1988); variance of ln α by Phillips and Holland (1987).
 * Null where the strata have nothing to compare.
 */
export function mantelHaenszel(strata: readonly Stratum[]): MantelHaenszel | null {
  let [forReference, forFocal, rights, expected, spread] = [0, 0, 0, 0, 0]
  let [differences, focalPeople] = [0, 0]
  for (const { reference, focal } of strata) {
    const { right: a, wrong: b } = reference
    const { right: c, wrong: d } = focal
    const [m, f, total] = [a + b, c + d, a + b + c + d]
    // People whom nobody of the other group equals tell nothing of the difference.
    if (m === 0 || f === 0) continue
    forReference += (a * d) / total
    forFocal += (b * c) / total
    rights += a
    expected += (m * (a + c)) / total
    spread += (m * f * (a + c) * (b + d)) / (total ** 2 * (total - 1))
    differences += f * (c / f - a / m)
    focalPeople += f
  }
  if (!(forReference > 0 && forFocal > 0 && spread > 0)) return null
  const oddsRatio = forReference / forFocal
  let variance = 0
  for (const { reference, focal } of strata) {
    const { right: a, wrong: b } = reference
    const { right: c, wrong: d } = focal
    const total = a + b + c + d
    if (a + b === 0 || c + d === 0) continue
    variance += ((a * d + oddsRatio * b * c) * (a + d + oddsRatio * (b + c))) / total ** 2
  }
  const logOddsError = Math.sqrt(variance / (2 * forReference ** 2))
  const distance = Math.abs(rights - expected)
  const chiSquare = Math.max(0, distance - 0.5) ** 2 / spread
  const chiSquareUncorrected = distance ** 2 / spread
  return {
    oddsRatio,
    logOdds: Math.log(oddsRatio),
    logOddsError,
    delta: DELTA_SCALE * Math.log(oddsRatio),
    deltaError: Math.abs(DELTA_SCALE) * logOddsError,
    chiSquare,
    p: aboveChiSquare(chiSquare),
    chiSquareUncorrected,
    pUncorrected: aboveChiSquare(chiSquareUncorrected),
    shareDifference: differences / focalPeople,
  }
}

export function difLetter({
  delta,
  deltaError,
  p,
}: Pick<MantelHaenszel, 'delta' | 'deltaError' | 'p'>): DifLetter {
  const size = Math.abs(delta)
  if (size < LIMITS.small || p >= LIMITS.significant) return 'A'
  const isClearlyAbove = (size - LIMITS.small) / deltaError > LIMITS.oneSided
  return size >= LIMITS.large && isClearlyAbove ? 'C' : 'B'
}

/** How probable so large a χ² with one degree of freedom is by chance. */
function aboveChiSquare(value: number): number {
  return 2 * normalAbove(Math.sqrt(value))
}

/** Which fifth of the people a total lies in: whole scores, by the middle of those who have it. */
function fifthsOf(totals: readonly number[]): (total: number) => number {
  const counts = new Map<number, number>()
  for (const total of totals) counts.set(total, (counts.get(total) ?? 0) + 1)
  const fifths = new Map<number, number>()
  let below = 0
  for (const [total, count] of [...counts].sort(([a], [b]) => a - b)) {
    fifths.set(total, Math.floor((QUINTILES * (below + count / 2)) / totals.length))
    below += count
  }
  return (total) => fifths.get(total) as number
}
