/** How old a finished test may be that a device delivers late. */
const LATEST_DELIVERY_MS = 7 * 24 * 3600 * 1000

/** The device's time of finishing, between seven days ago (or the account's start) and now (product 3.7.5, 4.14). */
export function clampCompletion(
  completedAt: Date,
  { now, memberSince }: { now: Date; memberSince: Date },
): Date {
  const earliest = Math.max(now.getTime() - LATEST_DELIVERY_MS, memberSince.getTime())
  return new Date(Math.min(Math.max(completedAt.getTime(), earliest), now.getTime()))
}
