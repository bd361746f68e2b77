/** 1 / √(2π). */
const PEAK = 0.3989422804014327
/** Below it the series converges at once, beyond it the continued fraction does. */
const SERIES_UP_TO = 3
const FRACTION_STEPS = 120

/**
 * Φ, the share of a normal population below x. Series of Marsaglia (2004) in the middle, Laplace's continued
 * fraction in the tails: some 15 digits, in the far tails as well.
 */
export function normalBelow(x: number): number {
  if (x > SERIES_UP_TO) return 1 - tail(x)
  if (x < -SERIES_UP_TO) return tail(-x)
  let term = x
  let sum = x
  for (let odd = 3; Math.abs(term) > 1e-17 * Math.abs(sum); odd += 2) {
    term *= (x * x) / odd
    sum += term
  }
  return 0.5 + sum * density(x)
}

/** 1 − Φ(x), exact where Φ is all but 1: the probability of a value as large as x or larger. */
export function normalAbove(x: number): number {
  return normalBelow(-x)
}

/**
 * Φ⁻¹: the value below which a share p of a normal population lies, by Newton's method on Φ.
 * @param p strictly between 0 and 1; -Infinity and Infinity at the ends
 */
export function normalQuantile(p: number): number {
  if (p <= 0) return Number.NEGATIVE_INFINITY
  if (p >= 1) return Number.POSITIVE_INFINITY
  // By symmetry in the lower half, where Φ keeps its digits.
  if (p > 0.5) return -normalQuantile(1 - p)
  let low = -39
  let high = 0
  let x = -Math.sqrt(-2 * Math.log(2 * p))
  for (let step = 0; step < 100; step += 1) {
    const excess = normalBelow(x) - p
    if (excess > 0) high = x
    else low = x
    const next = x - excess / density(x)
    // Out of what is left of the bracket: halve it instead.
    const inside = next > low && next < high ? next : (low + high) / 2
    if (Math.abs(inside - x) < 1e-15 * (1 + Math.abs(x))) return inside
    x = inside
  }
  return x
}

function density(x: number): number {
  return PEAK * Math.exp((-x * x) / 2)
}

function tail(x: number): number {
  let fraction = x
  for (let step = FRACTION_STEPS; step > 0; step -= 1) fraction = x + step / fraction
  return density(x) / fraction
}
