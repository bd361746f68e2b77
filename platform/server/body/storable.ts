/** Whether PostgreSQL can store a text: no NUL and no unpaired surrogate. */
export const isStorable = (text: string) => !/[\0\p{Surrogate}]/u.test(text)

/** Whether every text and key in a JSON value can be stored. It isn't recursive, because the depth is unlimited. */
export function isStorableJson(value: unknown): boolean {
  const open = [value]
  while (open.length > 0) {
    const next = open.pop()
    if (typeof next === 'string') {
      if (!isStorable(next)) return false
    } else if (Array.isArray(next)) {
      for (const inner of next) open.push(inner)
    } else if (typeof next === 'object' && next !== null) {
      for (const [key, inner] of Object.entries(next)) open.push(key, inner)
    }
  }
  return true
}
