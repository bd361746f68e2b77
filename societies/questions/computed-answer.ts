// The answer of a question as a term, such as 1.25 / 1.10: numbers, + - * / ^, brackets, percent and a few
// functions. Read by hand: no text of an organiser is ever run.

/** Longer terms are not read. */
export const TERM_CHARACTERS = 300
/** Brackets within brackets. */
const DEPTH = 40

const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  sqrt: Math.sqrt,
  ln: Math.log,
  log: Math.log,
  log10: Math.log10,
  exp: Math.exp,
  abs: Math.abs,
  min: Math.min,
  max: Math.max,
  round: (value, digits = 0) => Number(value.toFixed(Math.min(10, Math.max(0, digits)))),
  floor: Math.floor,
  ceil: Math.ceil,
}
const CONSTANTS: Readonly<Record<string, number>> = { pi: Math.PI, e: Math.E }

const TOKEN = /\s*(\d[\d_]*(?:\.\d+)?(?:e[-+]?\d+)?|\.\d+|[a-z][a-z0-9]*|[-+*/^(),%])/iy

/** What a term comes to; null where it is none, or comes to no finite number. */
export function evaluateTerm(term: string): number | null {
  if (term.length > TERM_CHARACTERS) return null
  const tokens = tokensOf(
    term.replaceAll('−', '-').replaceAll('×', '*').replaceAll('·', '*').replaceAll('÷', '/'),
  )
  if (!tokens || tokens.length === 0) return null
  const reader = new TermReader(tokens)
  const value = reader.read()
  return value !== null && Number.isFinite(value) ? value : null
}

function tokensOf(term: string): string[] | null {
  const tokens: string[] = []
  const text = term.trimEnd()
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text)
    if (!match) return null
    tokens.push((match[1] as string).toLowerCase())
  }
  return tokens
}

/** What a term does wrong ends its reading. */
class NoTerm extends Error {}

/**
 * sum = product (+|- product)*, product = signed (*|/ signed)*, signed = -* power, power = atom %* (^ signed)?
 */
class TermReader {
  readonly #tokens: readonly string[]
  #at = 0
  #depth = 0

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens
  }

  read(): number | null {
    try {
      const value = this.#sum()
      return this.#at === this.#tokens.length ? value : null
    } catch (error) {
      if (error instanceof NoTerm) return null
      throw error
    }
  }

  #take(...wanted: string[]): string | null {
    const token = this.#tokens[this.#at]
    if (token === undefined || !wanted.includes(token)) return null
    this.#at += 1
    return token
  }

  #sum(): number {
    this.#depth += 1
    if (this.#depth > DEPTH) throw new NoTerm()
    let value = this.#product()
    for (let sign = this.#take('+', '-'); sign; sign = this.#take('+', '-')) {
      value += (sign === '-' ? -1 : 1) * this.#product()
    }
    this.#depth -= 1
    return value
  }

  #product(): number {
    let value = this.#signed()
    for (let sign = this.#take('*', '/'); sign; sign = this.#take('*', '/')) {
      const other = this.#signed()
      value = sign === '*' ? value * other : value / other
    }
    return value
  }

  #signed(): number {
    let sign = 1
    for (let token = this.#take('-', '+'); token; token = this.#take('-', '+')) {
      if (token === '-') sign = -sign
    }
    return sign * this.#power()
  }

  #power(): number {
    let value = this.#atom()
    while (this.#take('%')) value /= 100
    return this.#take('^') ? value ** this.#signed() : value
  }

  #atom(): number {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw new NoTerm()
    this.#at += 1
    if (token === '(') return this.#closed(this.#sum())
    if (/^[\d.]/.test(token)) return Number(token.replaceAll('_', ''))
    if (Object.hasOwn(FUNCTIONS, token) && this.#take('(')) {
      const values = [this.#sum()]
      while (this.#take(',')) values.push(this.#sum())
      return this.#closed((FUNCTIONS[token] as (...values: number[]) => number)(...values))
    }
    if (Object.hasOwn(CONSTANTS, token)) return CONSTANTS[token] as number
    throw new NoTerm()
  }

  #closed(value: number): number {
    if (!this.#take(')')) throw new NoTerm()
    return value
  }
}
