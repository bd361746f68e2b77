export interface ShownNumber {
  value: number
  /** digits behind the point */
  decimals: number
  /** the text around the number: unit, sign of currency */
  unit: string
}

/** The number that an option shows, or null for words. */
export function readNumber(option: string): ShownNumber | null {
  const plain = option.replaceAll('−', '-').trim()
  const match = /-?\(?\$?-?\d[\d,]*(?:\.\d+)?|-?\$?\.\d+/.exec(plain)
  if (!match) return null
  const digits = match[0].replace(/[$,()]/g, '')
  const value = Number(digits)
  if (Number.isNaN(value)) return null
  const unit = plain.replace(match[0], '#').replace(/\s+/g, ' ').toLowerCase()
  return { value, decimals: digits.split('.')[1]?.length ?? 0, unit }
}

/** Whether a value is what a number shows: half a unit of its last digit, with room for binary fractions. */
export function agrees(value: number, shown: ShownNumber): boolean {
  return Math.abs(value - shown.value) <= 0.5 * 10 ** -shown.decimals + 1e-9 * Math.abs(value)
}
