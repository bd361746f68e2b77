import {
  add,
  decimal,
  divide,
  fraction,
  multiply,
  numberOf,
  subtract,
  type Value,
  writeNumber,
} from './fraction.ts'
import type { SeededRandom, SumDraft, SumMaker, TrickName } from './sum.ts'

// These are the questions of 'Mental math' (product 3.11.3). Any number can be missing, decimals have up to three
// places, and fractions aren't always in lowest terms.

type Sign = '+' | '−' | '×' | '÷'

/** Makes 'a ∘ b' and asks for the result or, in three of ten cases, for one of the numbers. */
function equation(
  random: SeededRandom,
  [a, sign, b, result]: [a: Value, sign: Sign, b: Value, result: Value],
  slips: readonly Value[],
  trick: TrickName,
): SumDraft {
  const place = random.between(1, 20)
  if (place > 6)
    return { prompt: `${writeNumber(a)} ${sign} ${writeNumber(b)}`, key: result, slips, trick }
  const key = place > 3 ? a : b
  const written = place > 3 ? `? ${sign} ${writeNumber(b)}` : `${writeNumber(a)} ${sign} ?`
  return {
    prompt: `${written} = ${writeNumber(result)}`,
    key,
    // Typical mistakes are to calculate the wrong way around or to lose a carry.
    slips: [
      sign === '+' ? add(result, key === a ? b : a) : add(key, 10),
      subtract(key, 10),
      add(key, numberOf(key) > 30 ? 10 : 1),
      subtract(key, 1),
      add(key, 2),
    ],
    trick: 'work-backwards',
  }
}

export const addition: SumMaker = (random) => {
  const [least, most] = random.pick([
    [12, 99],
    [25, 499],
    [101, 999],
  ] as const)
  const [a, b] = [random.between(least, most), random.between(least, most)]
  const carried = [10, -10, ...(a + b > 300 ? [100, -100] : [1, -1])]
  if (random.between(0, 1) === 0) {
    const slips = carried.map((by) => a + b + by)
    const trick = b % 10 >= 7 ? 'round-first' : 'left-to-right'
    return equation(random, [a, '+', b, a + b], slips, trick)
  }
  const slips = [...carried.map((by) => b + by), digitsApart(a + b, a)]
  const trick = b < 60 ? 'count-up' : a % 10 >= 7 ? 'round-first' : 'left-to-right'
  return equation(random, [a + b, '−', a, b], slips, trick)
}

/** Subtracts the smaller digit from the larger in each place, a typical mistake: 91 − 47 = 56. */
function digitsApart(a: number, b: number): number {
  let apart = 0
  for (let unit = 1; unit <= a; unit *= 10) {
    apart += Math.abs((Math.floor(a / unit) % 10) - (Math.floor(b / unit) % 10)) * unit
  }
  return apart
}

export const multiplication: SumMaker = (random) => {
  const [a, b] = random.pick([
    () => [random.between(12, 99), random.between(3, 9)],
    () => [random.between(12, 99), random.between(3, 9)],
    () => [random.between(12, 39), random.between(11, 29)],
    () => [random.between(12, 39), random.between(11, 29)],
    () => [random.between(3, 24) * 4, random.pick([5, 25])],
    () => [random.between(13, 89), 11],
  ] as const)() as [number, number]
  const product = a * b
  const crossLost = Math.floor(a / 10) * Math.floor(b / 10) * 100 + (a % 10) * (b % 10)
  const slips = [
    a * (b + 1),
    a * (b - 1),
    product + 10,
    product - 10,
    (a - 1) * b,
    b > 10 ? crossLost : (a + 1) * b,
  ]
  return equation(random, [a, '×', b, product], slips, trickOfProduct(a, b))
}

function trickOfProduct(a: number, b: number): TrickName {
  const [small, large] = a < b ? [a, b] : [b, a]
  if (small === 11 || large === 11) return 'times-eleven'
  if ([5, 25, 50].includes(small) || [25, 50].includes(large)) return 'times-five'
  if (small > 10 && small === large && small % 10 === 5) return 'square-ending-in-five'
  if (
    small > 10 &&
    (large - small) % 2 === 0 &&
    large - small <= 8 &&
    ((small + large) / 2) % 5 === 0
  ) {
    return 'difference-of-squares'
  }
  if (small === 9 || [8, 9].includes(large % 10)) return 'near-a-round-number'
  if (small > 10 && [1, 2].includes(large % 10)) return 'near-a-round-number'
  if (small % 2 === 0 && large % 10 === 5) return 'halve-and-double'
  return 'split-the-factor'
}

export const division: SumMaker = (random) => {
  const divisor = random.pick([3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 16, 18, 19, 25])
  const result = random.between(6, divisor > 10 ? 35 : 90)
  const slips = [result + 1, result - 1, result + 2, result + 10, result - 10, result * 10]
  return equation(random, [divisor * result, '÷', divisor, result], slips, trickOfDivisor(divisor))
}

function trickOfDivisor(divisor: number): TrickName {
  if ([5, 25].includes(divisor)) return 'divide-by-five'
  if ([4, 8, 16].includes(divisor)) return 'halve-again'
  return [6, 9, 12, 14, 15, 18].includes(divisor) ? 'divide-by-factors' : 'multiply-back'
}

export const fractionsAndDecimals: SumMaker = (random, answering) =>
  random.pick([shareOfNumber, decimalProduct, decimalTotal, fractionTotal, decimalQuotient])(
    random,
    answering,
  )

const shareOfNumber: SumMaker = (random, answering) => {
  const bottom = random.pick([3, 4, 5, 6, 7, 8, 9, 12])
  const top = random.between(2, bottom - 1)
  const part = random.between(3, 40)
  // The real test sometimes has fractions that aren't in lowest terms.
  const by = answering === 'choice' ? random.pick([1, 1, 2, 3]) : 1
  return {
    prompt: `${top * by}/${bottom * by} of ${part * bottom}`,
    key: top * part,
    slips: [
      (top + 1) * part,
      (top - 1) * part,
      (bottom - top) * part,
      top * part + 10,
      top * part - 5,
    ],
    trick: 'one-part-first',
  }
}

const pointMoved = (key: Value) => [multiply(key, 10), divide(key, 10)]

const decimalProduct: SumMaker = (random) => {
  const places = random.pick([1, 2, 2])
  const a = decimal(random.between(2, 95), places)
  const b = random.between(2, 19) * random.pick([1, 10, 10])
  const key = multiply(a, b)
  return {
    prompt: `${writeNumber(a)} × ${b}`,
    key,
    slips: [...pointMoved(key), add(key, multiply(a, b >= 20 ? 10 : 1)), subtract(key, a)],
    trick: 'shift-the-point',
  }
}

const decimalTotal: SumMaker = (random) => {
  const [long, short] = [random.between(1_001, 9_999), random.between(11, 999)]
  const [a, b] = [decimal(long, random.pick([2, 3])), decimal(short, random.pick([1, 2]))]
  const isSum = numberOf(a) <= numberOf(b) || random.between(0, 1) === 0
  const key = isSum ? add(a, b) : subtract(a, b)
  const endsLinedUp = fraction(isSum ? long + short : long - short, a.bottom)
  return {
    prompt: `${writeNumber(a)} ${isSum ? '+' : '−'} ${writeNumber(b)}`,
    key,
    slips: [endsLinedUp, add(key, decimal(1, 1)), subtract(key, decimal(1, 1)), add(key, 1)],
    trick: 'line-up-the-points',
  }
}

const fractionTotal: SumMaker = (random, answering) => {
  const bottoms = answering === 'typed' ? [2, 4, 5, 8, 10, 20] : [2, 3, 4, 5, 6, 8, 9, 10, 12]
  const [p, q] = [random.pick(bottoms), random.pick(bottoms)]
  const [a, b] = [random.between(1, p - 1), random.between(1, q - 1)]
  const [left, right] = [fraction(a, p), fraction(b, q)]
  const isSum = numberOf(left) <= numberOf(right) || random.between(0, 2) > 0
  const key = isSum ? add(left, right) : subtract(left, right)
  const times = isSum ? 1 : -1
  return {
    prompt: `${a}/${p} ${isSum ? '+' : '−'} ${b}/${q}`,
    key,
    slips: [
      fraction(a + b * times, p + q),
      fraction(a + b * times, p * q),
      add(key, fraction(1, p * q)),
      subtract(key, fraction(1, p)),
      add(key, fraction(1, q)),
    ],
    trick: 'common-bottom',
  }
}

const decimalQuotient: SumMaker = (random) => {
  const key = random.between(2, 12) * random.pick([1, 5, 10])
  const divisor = decimal(random.between(2, 12), random.pick([1, 2]))
  return {
    prompt: `${writeNumber(multiply(divisor, key))} ÷ ${writeNumber(divisor)}`,
    key,
    slips: [...pointMoved(key), key + 10, key + 5, divide(key, 100)],
    trick: 'shift-the-point',
  }
}

export const percentages: SumMaker = (random, answering) =>
  random.pick([shareOf, shareOf, whatShare, changedBy, wholeOf])(random, answering)

const SHARES = [4, 5, 8, 12, 15, 16, 18, 20, 24, 25, 30, 35, 40, 45, 60, 65, 75, 80, 90]

const shareOf: SumMaker = (random) => {
  const share = random.pick(SHARES)
  const whole = random.between(2, 48) * random.pick([5, 10, 20, 25])
  const key = fraction(share * whole, 100)
  return {
    prompt: `${share}% of ${whole}`,
    key,
    slips: [
      fraction((share + 5) * whole, 100),
      fraction(Math.abs(share - 5) * whole, 100),
      fraction((100 - share) * whole, 100),
      ...pointMoved(key),
    ],
    trick: [20, 25, 50, 75, 200, 250, 500].includes(whole)
      ? 'swap-the-percentage'
      : 'blocks-of-ten-percent',
  }
}

const whatShare: SumMaker = (random) => {
  const share = random.pick(SHARES)
  const whole = random.between(2, 24) * random.pick([20, 25, 50])
  // The part must be a whole number. 5% of 250 would ask about 12.5.
  const part = fraction(share * whole, 100)
  if (part.bottom !== 1) return whatShare(random, 'typed')
  return {
    prompt: `${part.top} is what % of ${whole}`,
    key: share,
    slips: [100 - share, share + 5, share - 5, share + 10, share * 2],
    trick: 'reduce-then-hundred',
    unit: { after: '%' },
  }
}

const changedBy: SumMaker = (random) => {
  const share = random.pick([5, 10, 12, 15, 20, 25, 30, 35, 40, 45])
  const whole = random.between(2, 45) * 20
  const isMore = random.between(0, 1) === 0
  const part = fraction(share * whole, 100)
  const [more, less] = [add(whole, part), subtract(whole, part)]
  return {
    prompt: `${whole} ${isMore ? 'plus' : 'less'} ${share}%`,
    key: isMore ? more : less,
    slips: [
      part,
      isMore ? less : more,
      isMore ? whole + share : whole - share,
      fraction(whole * (isMore ? 105 + share : 95 - share), 100),
    ],
    trick: 'one-factor',
  }
}

const wholeOf: SumMaker = (random) => {
  const share = random.pick(SHARES)
  const whole = random.between(2, 24) * random.pick([20, 25, 50])
  const part = fraction(share * whole, 100)
  return {
    prompt: `${share}% of ? = ${writeNumber(part)}`,
    key: whole,
    slips: [...pointMoved(whole), multiply(part, fraction(share, 100)), whole + 20, whole - 10],
    trick: 'find-the-whole',
  }
}

export const sprintAddition: SumMaker = (random) => {
  const [a, b] = [random.between(2, 100), random.between(2, 100)]
  const isSum = random.between(0, 1) === 0
  return {
    prompt: isSum ? `${a} + ${b}` : `${a + b} − ${a}`,
    key: isSum ? a + b : b,
    slips: [],
    trick: (isSum ? b : a) % 10 >= 7 ? 'round-first' : isSum ? 'left-to-right' : 'count-up',
  }
}
export const sprintMultiplication: SumMaker = (random) => {
  const [a, b] = [random.between(2, 12), random.between(2, 100)]
  return { prompt: `${a} × ${b}`, key: a * b, slips: [], trick: trickOfProduct(a, b) }
}
export const sprintDivision: SumMaker = (random) => {
  const [a, b] = [random.between(2, 12), random.between(2, 100)]
  return { prompt: `${a * b} ÷ ${a}`, key: b, slips: [], trick: trickOfDivisor(a) }
}
