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

/** The shortest way to solve a kind of question, shown with a worked example (product 3.11.9). */
export type TrickName = keyof typeof tricks

export type Answering = 'choice' | 'typed'

export interface Sum {
  kind: string
  /** '17 × 24', or the whole equation if a number is missing: '? − 18 = 47' */
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
  /** whether the key is the nearest of four options, not the exact value */
  isEstimate?: boolean
}

export type SumMaker = (random: SeededRandom, answering: Answering) => SumDraft

const WRONG_OPTIONS = 3

/** Uses three typical mistakes as wrong options, or neighbors of the key if there are too few. */
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

/** Adds the unit and puts the sign first: '−$3 m'. */
export function withUnit({ unit }: Pick<Sum, 'unit'>, answer: string): string {
  const [sign, digits] = /^[-−–]/.test(answer) ? ['−', answer.slice(1)] : ['', answer]
  return `${sign}${unit.before}${digits}${unit.after}`
}

function isReadable(value: Fraction, key: Fraction): boolean {
  if (!isDecimal(key)) return !isDecimal(value) || value.bottom === 1
  if (!isDecimal(value)) return false
  return value.bottom <= Math.max(key.bottom, 1) * 100 && Math.abs(numberOf(value)) < 1_000_000
}

/** Returns enough values near the key for four options, nearest first. */
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

/** Gives the same random draws for the same seed on every machine. */
export interface SeededRandom {
  between(least: number, most: number): number
  pick<T>(from: readonly T[]): T
  shuffle<T>(list: readonly T[]): T[]
}

/** Seeds go from 0 to this value, the column's maximum. */
export const HIGHEST_SEED = 2_147_483_647

/** Mulberry32 has 32 bits of state and uses only integers, so every engine gives the same numbers. */
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
