/** How long a closed assessment stays listed, so that who is inside can come back to it (product 6.1.5). */
const LISTED_AFTER_CLOSE_MS = 24 * 3600 * 1000

/** Whoever closed after this moment is still listed now. */
export function listedSince(now: Date): Date {
  return new Date(now.getTime() - LISTED_AFTER_CLOSE_MS)
}
