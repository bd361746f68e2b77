/** Says of an answer that it is not the server's of now: when the server gave it, as an HTTP date. */
export const AS_OF_HEADER = 'Superday-As-Of'
/** In place of the date: as good as of now, but it does not tell whether the server is there. */
export const FRESH = 'fresh'

let asOf: string | null = null
const listeners = new Set<() => void>()

/** Notes how old an answer is; one from the server itself means that all is of now again. */
export function noteAsOf(header: string | null): void {
  if (header === FRESH) return
  // Of several the oldest: what is shown may be as old as that.
  const next =
    header === null || asOf === null || Date.parse(header) < Date.parse(asOf) ? header : asOf
  if (next === asOf) return
  asOf = next
  for (const listener of listeners) listener()
}

/** Since when what is shown may be out of date (product 3.17.4); null where it is the server's of now. */
export const getAsOf = (): string | null => asOf

export function subscribeAsOf(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
