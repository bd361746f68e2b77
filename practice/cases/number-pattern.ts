/** How a number is to be written: '$0.0 million' is '$1,234.5 million'. */
interface NumberPattern {
  before: string
  decimals: number
  after: string
}

/** Reads a pattern: the first 0, with or without decimals, stands for the number. Throws without one. */
export function readPattern(pattern: string): NumberPattern {
  const match = /^(.*?)0(?:\.(0+))?(?![\d.]*\d)(.*)$/s.exec(pattern)
  if (!match) throw new Error(`'${pattern}' has no 0 for the number`)
  return { before: match[1] ?? '', decimals: match[2]?.length ?? 0, after: match[3] ?? '' }
}

/** A number by a pattern: half away from zero, commas for thousands, a real minus before the sign of currency. */
export function writeNumber(value: number, pattern: string): string {
  const { before, decimals, after } = readPattern(pattern)
  const size = roundHalfUp(Math.abs(value), decimals)
  const digits = formatterOf(decimals).format(size)
  return `${value < 0 && size > 0 ? '−' : ''}${before}${digits}${after}`
}

/** By decimals: making one takes longer than writing a hundred numbers, and a check of the content writes a million. */
const formatters = new Map<number, Intl.NumberFormat>()

function formatterOf(decimals: number): Intl.NumberFormat {
  const known = formatters.get(decimals)
  if (known) return known
  const made = new Intl.NumberFormat('en-US', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  formatters.set(decimals, made)
  return made
}

const SHORTEST = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 })

export function formatNumber(value: number): string {
  const text = SHORTEST.format(Number(value.toPrecision(12)))
  return text.replace('-', '−')
}

/** Binary fractions lie a little beside what is meant: 1.005 counts as a half. */
function roundHalfUp(value: number, decimals: number): number {
  const unit = 10 ** decimals
  return Math.round(value * unit * (1 + Number.EPSILON * 4)) / unit
}
