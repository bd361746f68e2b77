/**
 * The item ids in the order that a new attempt gets (product 6.4.3): the table's, or shuffled, each order as
 * likely as any other (Fisher-Yates).
 * @param ids in the table's order; left as they are
 * @param random from 0 up to but not 1
 */
export function orderPaper(
  ids: readonly number[],
  isShuffled: boolean,
  random: () => number,
): number[] {
  const order = [...ids]
  if (!isShuffled) return order
  for (let last = order.length - 1; last > 0; last -= 1) {
    const chosen = Math.floor(random() * (last + 1))
    ;[order[last], order[chosen]] = [order[chosen] as number, order[last] as number]
  }
  return order
}
