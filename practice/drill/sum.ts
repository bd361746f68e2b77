import type tricks from '../../content/tricks.json'
import {
  add,
  areEqual,
  exact,
  type Fraction,
  fraction,
  isDecimal,
  numberOf,
  type Value,
  writeNumber,
} from './fraction.ts'

/** For each kind of sum the way of the fewest steps, worked in an example (product 3.11.9): a rule alone is no help. */
export type TrickName = keyof typeof tricks

export type Answering = 'choice' | 'typed'

export interface Sum {
  kind: string
  /** '17 × 24'; with a gap in it the whole line, '? − 18 = 47' */
  prompt: string
  sign: '=' | '≈' | '? ='
  key: string
  options: readonly string[]
  unit: { before: string; after: string }
  trick: TrickName
}

export interface SumDraft {
  prompt: string
  key: Value
  slips: readonly Value[]
  trick: TrickName
  unit?: { before?: string; after?: string }
  isSigned?: boolean
  /** whether the key is the nearest of four and not the value itself */
  isEstimate?: boolean
}

export type SumMaker = (random: SeededRandom, answering: Answering) => SumDraft

const WRONG_OPTIONS = 3

/** Gives a sum three of its slips as wrong options. If it has too few, neighbors of the key fill in. */
export function finishSum(kind: string, draft: SumDraft, random: SeededRandom): Sum {
  const { prompt, trick, unit } = draft
  const key = exact(draft.key)
  const chosen = [key]
  const take = (value: Fraction) => {
    const isPossible = draft.isSigned || value.top > 0 || (value.top === 0 && key.top === 0)
    if (chosen.length > WRONG_OPTIONS || !isPossible || !isReadable(value, key)) return
    if (!chosen.some((one) => areEqual(one, value))) chosen.push(value)
  }
  for (const slip of random.shuffle(draft.slips)) take(exact(slip))
  for (const neighbor of neighborsOf(key)) take(neighbor)
  return {
    kind,
    prompt,
    sign: prompt.includes('?') ? '? =' : draft.isEstimate ? '≈' : '=',
    key: writeNumber(key),
    options: random.shuffle(chosen).map(writeNumber),
    unit: { before: unit?.before ?? '', after: unit?.after ?? '' },
    trick,
  }
}

/** An answer with its unit, the sign in front of all: '−$3 m'. */
export function withUnit({ unit }: Pick<Sum, 'unit'>, answer: string): string {
  const [sign, digits] = /^[-−–]/.test(answer) ? ['−', answer.slice(1)] : ['', answer]
  return `${sign}${unit.before}${digits}${unit.after}`
}

function isReadable(value: Fraction, key: Fraction): boolean {
  if (!isDecimal(key)) return !isDecimal(value) || value.bottom === 1
  if (!isDecimal(value)) return false
  return value.bottom <= Math.max(key.bottom, 1) * 100 && Math.abs(numberOf(value)) < 1_000_000
}

/** Values a digit away from the key, the far ones last; there is always a fourth option among them. */
function neighborsOf(key: Fraction): Fraction[] {
  const size = Math.abs(numberOf(key))
  const step = isDecimal(key)
    ? key.bottom === 1
      ? fraction(size >= 100 ? 10 : 1)
      : fraction(1, 10 ** (writeNumber(key).split('.')[1] ?? '').length)
    : fraction(1, key.bottom)
  return [1, -1, 2, -2, 3, 4, 5, 6, 7].map((times) =>
    add(key, fraction(step.top * times, step.bottom)),
  )
}

/** Chance that comes from a seed: the same seed, the same draws, on every machine. */
export interface SeededRandom {
  between(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
}

/** Seeds are whole numbers from 0 up to this one: what the column holds. */
export const HIGHEST_SEED = 2_147_483_647

/** Mulberry32: 32 bits of state, whole-number arithmetic alone, so that no engine rounds otherwise. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0
  const draw = (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below)
  }
  return {
    between: (least, most) => least + draw(most - least + 1),
    pick: (from) => from[draw(from.length)] as (typeof from)[number],
    shuffle(list) {
      const shuffled = [...list]
      for (let last = shuffled.length - 1; last > 0; last -= 1) {
        const other = draw(last + 1)
        const held = shuffled[last] as (typeof shuffled)[number]
        shuffled[last] = shuffled[other] as (typeof shuffled)[number]
        shuffled[other] = held
      }
      return shuffled
    },
  }
}
