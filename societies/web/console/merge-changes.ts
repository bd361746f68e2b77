const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** The fields that somebody changed, compared with what was read. */
export function changedFields<T extends object>(read: T, mine: T): (keyof T & string)[] {
  const fields = Object.keys(read) as (keyof T & string)[]
  return fields.filter((field) => !isSame(read[field], mine[field]))
}

/**
 * What two people made of the same fields: those that one of them alone touched are taken as they are; where both
 * did, and not alike, the person picks. Until then mine stand (product 7.8.6, 7.10.15).
 * @param read what both began with
 */
export function mergeChanges<T extends object>(
  read: T,
  mine: T,
  theirs: T,
): { merged: T; conflicts: (keyof T & string)[] } {
  const touched = changedFields(read, mine)
  const conflicts = touched.filter(
    (field) => !isSame(read[field], theirs[field]) && !isSame(mine[field], theirs[field]),
  )
  const kept = Object.fromEntries(touched.map((field) => [field, mine[field]]))
  return { merged: { ...theirs, ...kept }, conflicts }
}
