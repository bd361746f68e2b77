/** The parts of a pattern. '$0.0 million' gives '$1,234.5 million'. */
interface NumberPattern {
  before: string
  decimals: number
  after: string
}

/** Reads a pattern. Its first 0, with or without decimals, stands for the number. Throws if there is none. */
export function readPattern(pattern: string): NumberPattern {
  const match = /^(.*?)0(?:\.(0+))?(?![\d.]*\d)(.*)$/s.exec(pattern)
  if (!match) throw new Error(`'${pattern}' has no 0 for the number`)
  return { before: match[1] ?? '', decimals: match[2]?.length ?? 0, after: match[3] ?? '' }
}

/** Writes a number. Halves round away from zero, and a real minus comes before the currency sign. */
export function writeNumber(value: number, pattern: string): string {
  const { before, decimals, after } = readPattern(pattern)
  const size = roundHalfUp(Math.abs(value), decimals)
  const digits = formatterOf(decimals).format(size)
  return `${value < 0 && size > 0 ? '−' : ''}${before}${digits}${after}`
}

/** Creating a formatter takes longer than writing a hundred numbers, and the content check writes a million. */
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

/** Binary fractions can be slightly too small. 1.005 must still round up. */
function roundHalfUp(value: number, decimals: number): number {
  const unit = 10 ** decimals
  return Math.round(value * unit * (1 + Number.EPSILON * 4)) / unit
}
