import type { SeededRandom, SumDraft, SumMaker, TrickName } from './sum.ts'

function next(random: SeededRandom, terms: readonly number[], trick: TrickName): SumDraft {
  const shown = terms.slice(0, -1)
  const [before = 0, last = 0] = shown.slice(-2)
  const key = terms.at(-1) ?? 0
  return {
    prompt: `${shown.join(', ')}, ?`,
    key,
    // Typical mistakes are to repeat the last step or to get the last addition wrong.
    slips: [2 * last - before, key + random.pick([2, 3]), key - random.pick([1, 2]), key + 10],
    trick,
  }
}

const series = (length: number, term: (index: number) => number) =>
  Array.from({ length }, (_, index) => term(index))

/** The differences grow by a constant. */
export const steps: SumMaker = (random) => {
  const [start, first, growth] = [
    random.between(1, 30),
    random.between(1, 12),
    random.between(1, 7),
  ]
  const terms = series(6, (n) => start + n * first + ((n * (n - 1)) / 2) * growth)
  return next(random, terms, 'look-at-the-steps')
}

/** Each term is the previous one times a number, plus a number. */
export const ratios: SumMaker = (random) => {
  const times = random.between(2, 3)
  const plus = random.between(0, 6)
  const terms = [random.between(1, 9)]
  while (terms.length < 6) terms.push((terms.at(-1) ?? 0) * times + plus)
  return next(random, terms, 'look-at-the-ratios')
}

/** Each term is the sum of the two before it, sometimes plus a constant. */
export const sums: SumMaker = (random) => {
  const plus = random.pick([0, 0, 1, 2, 3])
  const terms = [random.between(1, 14), random.between(1, 19)]
  while (terms.length < 7) terms.push((terms.at(-1) ?? 0) + (terms.at(-2) ?? 0) + plus)
  return next(random, terms, 'add-the-last-two')
}

/** Two arithmetic sequences alternate. */
export const interleaved: SumMaker = (random) => {
  const [a, b] = [random.between(1, 40), random.between(25, 90)]
  const [up, other] = [random.between(2, 12), random.pick([-7, -5, -3, -2, 2, 4, 6, 9])]
  return next(
    random,
    series(8, (n) => (n % 2 === 0 ? a + (n / 2) * up : b + ((n - 1) / 2) * other)),
    'every-other-one',
  )
}

/** The terms are squares, cubes or products of adjacent numbers, shifted by a constant. */
export const powers: SumMaker = (random) => {
  const [from, moved] = [random.between(1, 6), random.between(0, 15)]
  const power = random.pick([
    (n: number) => n * n,
    (n: number) => n * n * n,
    (n: number) => n * (n + 1),
  ])
  return next(
    random,
    series(6, (n) => power(from + n) + moved),
    'near-the-powers',
  )
}
