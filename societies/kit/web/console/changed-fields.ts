/** The fields that somebody changed, compared with what was read. */
export function changedFields<T extends object>(read: T, mine: T): (keyof T & string)[] {
  const fields = Object.keys(read) as (keyof T & string)[]
  return fields.filter((field) => JSON.stringify(read[field]) !== JSON.stringify(mine[field]))
}
