/** A set with the item added, or without it where it was in. */
export function toggled<Item>(items: ReadonlySet<Item>, item: Item): ReadonlySet<Item> {
  const next = new Set(items)
  if (!next.delete(item)) next.add(item)
  return next
}
