import { divide, fraction, multiply, numberOf, type Value, writeNumber } from './fraction.ts'
import type { SeededRandom, SumDraft, SumMaker, TrickName } from './sum.ts'

// These questions ask for an estimate. One of the four options is within a few percent (product 3.11.3).

const OFF = [fraction(13, 20), fraction(4, 5), fraction(5, 4), fraction(8, 5), 10, fraction(1, 10)]

function estimate(random: SeededRandom, prompt: string, value: Value, trick: TrickName): SumDraft {
  return {
    prompt,
    key: roughly(value),
    slips: random.shuffle(OFF).map((off) => roughly(multiply(value, off))),
    trick,
    isEstimate: true,
  }
}

/** Rounds to two significant digits: 1,047 to 1,000 and 0.0347 to 0.035. */
function roughly(value: Value): Value {
  const places = 1 - Math.floor(Math.log10(Math.abs(numberOf(value))))
  const scaled = Math.round(numberOf(value) * 10 ** places)
  return places > 0 ? fraction(scaled, 10 ** places) : scaled * 10 ** -places
}

const tenths = (random: SeededRandom, least: number, most: number) =>
  fraction(random.between(least * 10, most * 10) + random.between(0, 1) * 3, 10)

export const products: SumMaker = (random) => {
  const [a, b] = [tenths(random, 11, 98), tenths(random, 11, 98)]
  return estimate(
    random,
    `${writeNumber(a)} × ${writeNumber(b)}`,
    multiply(a, b),
    'one-up-one-down',
  )
}

export const quotients: SumMaker = (random) => {
  const [a, b] = [random.between(411, 9_899), tenths(random, 11, 89)]
  return estimate(random, `${a} ÷ ${writeNumber(b)}`, divide(a, b), 'move-both-sides')
}

export const shares: SumMaker = (random) => {
  const [share, whole] = [tenths(random, 3, 97), random.between(113, 9_899)]
  return estimate(
    random,
    `${writeNumber(share)}% of ${whole}`,
    divide(multiply(share, whole), 100),
    'nearest-fraction',
  )
}

export const roots: SumMaker = (random) => {
  const square = random.between(120, 9_800)
  // Thousandths are enough, because the key is rounded to two digits.
  const root = fraction(Math.round(Math.sqrt(square) * 1_000), 1_000)
  return estimate(random, `√${square}`, root, 'between-two-squares')
}
