import { writeNumber } from '../../cases/number-pattern.ts'

type Cell = number | string | null | undefined

/** (312.0 for a negative number, whose parenthesis hangs outside; a dash for nothing, a question mark for the unknown. */
export function writeCell(cell: Cell, format: string): { text: string; isNegative: boolean } {
  if (cell === null || cell === undefined) return { text: '?', isNegative: false }
  if (typeof cell === 'string') return { text: cell, isNegative: false }
  if (cell === 0) return { text: '–', isNegative: false }
  const digits = writeNumber(Math.abs(cell), format)
  return { text: cell < 0 ? `(${digits}` : digits, isNegative: cell < 0 }
}

/** The change from one figure to another in whole percent, '+15%'; a dash where there is none to tell. */
export function changeOf(now: Cell, was: Cell): string {
  if (typeof now !== 'number' || typeof was !== 'number' || was === 0) return '–'
  const percent = Math.round(((now - was) / Math.abs(was)) * (was < 0 ? -1 : 1) * 100)
  if (percent === 0) return '0%'
  return `${percent < 0 ? '−' : '+'}${Math.abs(percent)}%`
}

/** A minus for a hyphen: 'from −$4.0 million'. A word joiner (U+2060) keeps it with the currency sign. */
export function withMinus(text: string): string {
  return text
    .replace(/(^|[\s(])-(?=[$\d])/g, '$1−')
    .replace(/ - (?=\$?\d)/g, ' − ')
    .replace(/−(?=[$€])/g, '−\u2060')
}
