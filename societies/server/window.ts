import { OrganiserRefusal } from './refusal.ts'

/** Errors: OrganiserRefusal when a window would close before it opens. */
export function requireWindow(
  opensAt: Date | null | undefined,
  closesAt: Date | null | undefined,
): void {
  if (!opensAt || !closesAt || opensAt < closesAt) return
  throw new OrganiserRefusal('closes_before_opens', {})
}
