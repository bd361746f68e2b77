/** How old a finished test may be that a device delivers late. */
const LATEST_DELIVERY_MS = 7 * 24 * 3600 * 1000

/**
 * The device's time of finishing, between seven days ago and now (product 3.7.5): no clock earns a day in
 * advance.
 */
export function clampCompletion(completedAt: Date, now: Date): Date {
  const earliest = now.getTime() - LATEST_DELIVERY_MS
  return new Date(Math.min(Math.max(completedAt.getTime(), earliest), now.getTime()))
}
