/** Below this number of candidates only counts are shown, because percentages would suggest false precision. */
export const SHARES_FROM = 15
/** Below this number there is no reliability or item correlation: with 15 people, a .30 lies between −.25 and .70. */
export const FIGURES_FROM = 30

/** An option in the item's own order, A to D, never its position on a shuffled paper. */
export type Choice = 0 | 1 | 2 | 3
export const CHOICES: readonly Choice[] = [0, 1, 2, 3]

/** One form's answers from closed attempts without demos. Items are counted from 0, in the test's order. */
export interface Responses {
  /** By candidate, then by item. Null means blank, which counts 0. */
  choices: readonly (readonly (Choice | null)[])[]
  /** The options that count as right, by item. */
  keys: readonly (readonly Choice[])[]
  voidItems?: readonly number[]
  /** Items with full marks for all, whatever was chosen. They stay in the test. */
  fullMarksItems?: readonly number[]
}

export interface Scores {
  /** By candidate, then by counting item; 1 means right. */
  right: readonly Uint8Array[]
  /** The item of each column. Void items have no column. */
  items: readonly number[]
  /** The number of right answers by candidate. */
  totals: readonly number[]
}

/** Returns a function that marks one candidate's choices, so that a large test can be scored in slices. */
export function marking({ keys, voidItems, fullMarksItems }: Omit<Responses, 'choices'>) {
  const [isVoid, isFull] = [new Set(voidItems), new Set(fullMarksItems)]
  const items = keys.map((_, item) => item).filter((item) => !isVoid.has(item))
  // The result per option is precomputed because it's looked up millions of times.
  const rightOptions = items.map((item) => CHOICES.map((one) => keys[item]?.includes(one) ?? false))
  const hasMark = items.map((item) => isFull.has(item))
  const mark = (chosen: readonly (Choice | null)[]): Uint8Array => {
    const right = new Uint8Array(items.length)
    for (let column = 0; column < right.length; column += 1) {
      const choice = chosen[items[column] as number] ?? null
      if (hasMark[column] || (choice !== null && rightOptions[column]?.[choice])) right[column] = 1
    }
    return right
  }
  return { items, mark }
}

export function totalOf(right: Uint8Array): number {
  let total = 0
  for (const one of right) total += one
  return total
}

export function score({ choices, ...rules }: Responses): Scores {
  const { items, mark } = marking(rules)
  const right = choices.map(mark)
  return { right, items, totals: right.map(totalOf) }
}
