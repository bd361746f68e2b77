/** An exact number in lowest terms. The bottom is positive, and zero has no sign. */
export interface Fraction {
  top: number
  bottom: number
}

/** Throws RangeError if the bottom is 0 or a number isn't a safe integer. */
export function fraction(top: number, bottom = 1): Fraction {
  if (bottom === 0 || !Number.isSafeInteger(top) || !Number.isSafeInteger(bottom)) {
    throw new RangeError(`${top}/${bottom} is not an exact number`)
  }
  const shared = greatestDivisor(Math.abs(top), Math.abs(bottom)) * Math.sign(bottom)
  // A zero from a negative number would be written as '-0'.
  return { top: top / shared || 0, bottom: bottom / shared }
}

export const decimal = (digits: number, places: number): Fraction => fraction(digits, 10 ** places)

export type Value = Fraction | number
export const exact = (value: Value): Fraction =>
  typeof value === 'number' ? fraction(value) : value

const calculate =
  (work: (a: Fraction, b: Fraction) => Fraction) =>
  (a: Value, b: Value): Fraction =>
    work(exact(a), exact(b))

export const add = calculate((a, b) =>
  fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom),
)
export const subtract = calculate((a, b) => add(a, fraction(-b.top, b.bottom)))
export const multiply = calculate((a, b) => fraction(a.top * b.top, a.bottom * b.bottom))
/** Throws RangeError if the divisor is 0. */
export const divide = calculate((a, b) => fraction(a.top * b.bottom, a.bottom * b.top))
export const areEqual = (a: Fraction, b: Fraction): boolean =>
  a.top === b.top && a.bottom === b.bottom
export const numberOf = (a: Value): number => exact(a).top / exact(a).bottom

const WRITTEN = /^([-−–]?)(\d*)(?:[.,](\d*))?(?:\/(\d+))?$/

/** Parses a typed number, point or comma, fraction, unit and spaces allowed (product 3.11.6); null if it isn't one. */
export function parseAnswer(text: string): Fraction | null {
  const [, sign, whole = '', places, bottom] =
    WRITTEN.exec(text.replace(/[\s$%×m]/g, '').slice(0, LONGEST_ANSWER)) ?? []
  if (`${whole}${places ?? ''}` === '') return null
  // 1.5/2 is a typo.
  if (bottom !== undefined && (places !== undefined || Number(bottom) === 0)) return null
  const digits = Number(`${whole}${places ?? ''}`) * (sign ? -1 : 1)
  const top = fraction(digits, 10 ** (places?.length ?? 0))
  return bottom === undefined ? top : divide(top, fraction(Number(bottom)))
}

export const LONGEST_ANSWER = 12

export function isDecimal({ bottom }: Fraction): boolean {
  let rest = bottom
  for (const prime of [2, 5]) while (rest % prime === 0) rest /= prime
  return rest === 1
}

/** Writes '0.35', '−12', or '2/3' if the decimals don't terminate. */
export function writeNumber(written: Value): string {
  const value = exact(written)
  const sign = value.top < 0 ? '−' : ''
  const top = Math.abs(value.top)
  if (!isDecimal(value)) return `${sign}${top}/${value.bottom}`
  let places = 0
  while ((top * 10 ** places) % value.bottom !== 0) places += 1
  return `${sign}${(top / value.bottom).toFixed(places)}`
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a || 1 : greatestDivisor(b, a % b)
}
