/**
 * The share that had an item right in each fifth of the candidates by total, the weakest first. Candidates
 * with the same total are spread evenly over the fifths that they reach into, as an average over all orders
 * in which they could stand.
 * @param marks by candidate, 0 or 1
 * @param totals in the same order
 * @returns five shares; empty with fewer than five candidates
 */
export function quintiles(marks: readonly number[], totals: readonly number[]): number[] {
  const people = totals.length
  if (people < 5) return []
  const byTotal = new Map<number, { count: number; right: number }>()
  for (const [candidate, total] of totals.entries()) {
    const tied = byTotal.get(total) ?? { count: 0, right: 0 }
    tied.count += 1
    tied.right += marks[candidate] as number
    byTotal.set(total, tied)
  }
  const fifth = people / 5
  const right = [0, 0, 0, 0, 0]
  let from = 0
  for (const [, tied] of [...byTotal].sort(([a], [b]) => a - b)) {
    for (const index of right.keys()) {
      const [start, end] = [index * fifth, (index + 1) * fifth]
      const within = Math.min(end, from + tied.count) - Math.max(start, from)
      if (within > 0) right[index] = (right[index] as number) + (within * tied.right) / tied.count
    }
    from += tied.count
  }
  return right.map((count) => count / fifth)
}
