import { sum } from './moments.ts'

/** Below so many candidates there are only counts: a share of fewer says more than it knows. */
export const SHARES_FROM = 15
/** Below so many nothing is said of reliability or separation: a .30 among 15 lies between −.25 and .70. */
export const FIGURES_FROM = 30

/** An option in the item's own order, A to D: never its place on a candidate's shuffled paper. */
export type Choice = 0 | 1 | 2 | 3
export const CHOICES: readonly Choice[] = [0, 1, 2, 3]

/** One form's answers: closed attempts that are no demo. Items are counted from 0, in the test's order. */
export interface Responses {
  /** by candidate, then by item; null: nothing was chosen, which counts 0 */
  choices: readonly (readonly (Choice | null)[])[]
  /** the options that count as right, by item */
  keys: readonly (readonly Choice[])[]
  /** items that count for nobody */
  voidItems?: readonly number[]
  /** items that everybody gets, whatever was chosen: they stay in the test */
  fullMarksItems?: readonly number[]
}

export interface Scores {
  /** by candidate, then by counting item: 1 is right */
  right: readonly (readonly (0 | 1)[])[]
  /** which item of the responses each column is: void ones have none */
  items: readonly number[]
  /** by candidate: how many are right */
  totals: readonly number[]
}

export function score({ choices, keys, voidItems, fullMarksItems }: Responses): Scores {
  const [isVoid, isFull] = [new Set(voidItems), new Set(fullMarksItems)]
  const items = keys.map((_, item) => item).filter((item) => !isVoid.has(item))
  const right = choices.map((chosen) =>
    items.map((item): 0 | 1 => {
      if (isFull.has(item)) return 1
      const choice = chosen[item] ?? null
      return choice !== null && keys[item]?.includes(choice) ? 1 : 0
    }),
  )
  return { right, items, totals: right.map(sum) }
}

export const columnOf = (right: Scores['right'], column: number): number[] =>
  right.map((row) => row[column] as number)
