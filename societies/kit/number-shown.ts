export interface ShownNumber {
  value: number
  /** Digits after the decimal point. */
  decimals: number
  /** The text around the number, such as a unit or currency sign. */
  unit: string
}

/** Parses the number in an option's text; null if it contains only words. */
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

/** Whether a value rounds to the displayed number, within half a unit of its last digit plus floating-point error. */
export function agrees(value: number, shown: ShownNumber): boolean {
  return Math.abs(value - shown.value) <= 0.5 * 10 ** -shown.decimals + 1e-9 * Math.abs(value)
}
