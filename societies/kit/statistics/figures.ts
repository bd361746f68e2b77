/*
 * How figures are written on every page: coefficients without their leading zero, a true minus, percent without
 * a blank. '−.25', '.75', '55%'.
 */

/** A coefficient between −1 and 1 with two digits: '.75', '−.25', '1.00'. */
export function coefficient(value: number): string {
  const digits = Math.abs(value).toFixed(2)
  // −.004 is .00, not −.00.
  const sign = value < 0 && Number(digits) !== 0 ? '−' : ''
  return `${sign}${digits.replace(/^0/, '')}`
}

/** A share in whole percent: '55%'. */
export function percent(share: number): string {
  return `${Math.round(share * 100)}%`
}

/** Points or another amount with a fixed number of digits and a true minus: '2.2', '−0.5'. */
export function decimal(value: number, digits = 1): string {
  const text = Math.abs(value).toFixed(digits)
  return value < 0 && Number(text) !== 0 ? `−${text}` : text
}

/** '9 of 12'. */
export function rightOf(right: number, of: number): string {
  return `${right} of ${of}`
}

/** '1 point', '6 points', '0.5 points'. */
export function points(count: number): string {
  return `${Number.isInteger(count) ? count : decimal(count)} ${count === 1 ? 'point' : 'points'}`
}
