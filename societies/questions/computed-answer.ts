// Evaluates a question's answer formula, such as 1.25 / 1.10: numbers, + - * / ^, parentheses, percent and a few
// functions. It has its own parser, so an organizer's text never runs as code.

/** Longer formulas are rejected. */
export const TERM_CHARACTERS = 300

const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  ...{ sqrt: Math.sqrt, ln: Math.log, log: Math.log, log10: Math.log10, exp: Math.exp },
  ...{ abs: Math.abs, min: Math.min, max: Math.max, floor: Math.floor, ceil: Math.ceil },
  round: (value, digits = 0) => Number(value.toFixed(Math.min(10, Math.max(0, digits)))),
}
const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E }

const NAMED_SIGNS: Readonly<Record<string, string>> = { '−': '-', '×': '*', '·': '*', '÷': '/' }
const TOKEN = /\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+|[a-z][a-z0-9]*|[-+*/^(),%]/gi

/** A syntax error ends parsing. */
class NoTerm extends Error {}

/** Calculates a formula's value; null if the formula is invalid or the value isn't finite. */
export function evaluateTerm(term: string): number | null {
  if (term.length > TERM_CHARACTERS) return null
  const text = term.replace(/[−×·÷]/g, (sign) => NAMED_SIGNS[sign] ?? sign).toLowerCase()
  if (text.replace(TOKEN, '').trim() !== '') return null
  try {
    const value = readTerm(text.match(TOKEN) ?? [])
    return Number.isFinite(value) ? value : null
  } catch (error) {
    if (error instanceof NoTerm) return null
    throw error
  }
}

/**
 * sum = product (+|- product)*, product = signed (*|/ signed)*, signed = -* power, power = atom %* (^ signed)?
 * Errors: NoTerm.
 */
function readTerm(tokens: readonly string[]): number {
  let at = 0
  const take = (...wanted: string[]): string | null => {
    const token = tokens[at]
    if (token === undefined || !wanted.includes(token)) return null
    at += 1
    return token
  }
  const sum = (): number => {
    let value = product()
    for (let sign = take('+', '-'); sign; sign = take('+', '-')) {
      value += (sign === '-' ? -1 : 1) * product()
    }
    return value
  }
  const product = (): number => {
    let value = signed()
    for (let sign = take('*', '/'); sign; sign = take('*', '/')) {
      const other = signed()
      value = sign === '*' ? value * other : value / other
    }
    return value
  }
  const signed = (): number => {
    if (take('-')) return -signed()
    return take('+') ? signed() : power()
  }
  const power = (): number => {
    let value = atom()
    while (take('%')) value /= 100
    return take('^') ? value ** signed() : value
  }
  const atom = (): number => {
    const token = tokens[at] ?? ''
    at += 1
    if (token === '(') return closed(sum())
    if (/^[\d.]/.test(token)) return Number(token.replaceAll('_', ''))
    const work = Object.hasOwn(FUNCTIONS, token) && take('(') && FUNCTIONS[token]
    if (work) {
      const values = [sum()]
      while (take(',')) values.push(sum())
      return closed(work(...values))
    }
    if (Object.hasOwn(CONSTANTS, token)) return CONSTANTS[token] as number
    throw new NoTerm()
  }
  const closed = (value: number): number => {
    if (!take(')')) throw new NoTerm()
    return value
  }
  const value = sum()
  if (at < tokens.length) throw new NoTerm()
  return value
}
