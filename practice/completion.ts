/** How old a finished test may be that a device delivers late. */
const LATEST_DELIVERY_MS = 7 * 24 * 3600 * 1000

/**
 * The device's time of finishing, between seven days ago and now, and not before there was an account
 * (product 3.7.5, 4.14): no clock earns a day in advance, nor one from before the person came.
 */
export function clampCompletion(
  completedAt: Date,
  { now, memberSince }: { now: Date; memberSince: Date },
): Date {
  const earliest = Math.max(now.getTime() - LATEST_DELIVERY_MS, memberSince.getTime())
  return new Date(Math.min(Math.max(completedAt.getTime(), earliest), now.getTime()))
}
