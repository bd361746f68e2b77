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
  right: readonly Uint8Array[]
  /** which item of the responses each column is: void ones have none */
  items: readonly number[]
  /** by candidate: how many are right */
  totals: readonly number[]
}

/** How one candidate's choices are marked, so that a large test can be scored in slices. */
export function marking({ keys, voidItems, fullMarksItems }: Omit<Responses, 'choices'>) {
  const [isVoid, isFull] = [new Set(voidItems), new Set(fullMarksItems)]
  const items = keys.map((_, item) => item).filter((item) => !isVoid.has(item))
  // Looked up millions of times, so the rule is asked once for each option.
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
