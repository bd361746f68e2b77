/** The item ids in a new attempt's order (product 6.4.3): table order, or shuffled evenly (Fisher-Yates). */
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
