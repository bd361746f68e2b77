const LANCZOS = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]
const LANCZOS_FIRST = 0.9999999999998099
const LANCZOS_SHIFT = 7.5
/** Enough for degrees of freedom in the hundred thousands; others end as soon as nothing changes. */
const FRACTION_STEPS = 20_000
const TINY = 1e-300

/** ln Γ(x) for x > 0 (Lanczos 1964). */
export function lnGamma(x: number): number {
  let series = LANCZOS_FIRST
  for (const [index, coefficient] of LANCZOS.entries()) series += coefficient / (x + index)
  const shifted = x - 1 + LANCZOS_SHIFT
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(shifted) - shifted + Math.log(series)
}

/**
 * The regularised incomplete beta function I_x(a, b): the share of a beta population below x. Continued
 * fraction by Lentz's method, on the side on which it converges fast.
 */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0
  if (x >= 1) return 1
  const front = Math.exp(
    lnGamma(a + b) - lnGamma(a) - lnGamma(b) + a * Math.log(x) + b * Math.log1p(-x),
  )
  return x < (a + 1) / (a + b + 2)
    ? (front * betaFraction(x, a, b)) / a
    : 1 - (front * betaFraction(1 - x, b, a)) / b
}

/** The share of an F distribution below x, with these degrees of freedom above and below the line. */
export function fBelow(x: number, above: number, below: number): number {
  return incompleteBeta((above * x) / (above * x + below), above / 2, below / 2)
}

/**
 * The value below which a share p of an F distribution lies, by bisection.
 * @param p strictly between 0 and 1
 */
export function fQuantile(p: number, above: number, below: number): number {
  let low = 0
  let high = 1
  while (fBelow(high, above, below) < p) high *= 2
  for (let step = 0; step < 200 && high - low > 1e-14 * high; step += 1) {
    const middle = (low + high) / 2
    if (fBelow(middle, above, below) < p) low = middle
    else high = middle
  }
  return (low + high) / 2
}

function betaFraction(x: number, a: number, b: number): number {
  const keep = (value: number) => (Math.abs(value) < TINY ? TINY : value)
  let c = 1
  let d = 1 / keep(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let step = 1; step <= FRACTION_STEPS; step += 1) {
    const twice = 2 * step
    const even = (step * (b - step) * x) / ((a + twice - 1) * (a + twice))
    d = 1 / keep(1 + even * d)
    c = keep(1 + even / c)
    fraction *= d * c
    const odd = (-(a + step) * (a + b + step) * x) / ((a + twice) * (a + twice + 1))
    d = 1 / keep(1 + odd * d)
    c = keep(1 + odd / c)
    const change = d * c
    fraction *= change
    if (Math.abs(change - 1) < 1e-15) break
  }
  return fraction
}
