import { tabStore } from './storage.ts'

const KEY = 'superday-way-back'

interface WayBack {
  to: string
  email: string
}

/**
 * Remembers, in this tab, where a sign-in leads instead of the dashboard, and with which address: somebody
 * came by a link that needs an account (product 7.12.3).
 */
export function rememberWayBack(to: string, email: string): void {
  tabStore.set(KEY, JSON.stringify({ to, email } satisfies WayBack))
}

/** The address that the way back is for, or ''. */
export function wayBackEmail(): string {
  return stored()?.email ?? ''
}

/** Where the sign-in that has just happened leads, once; null is the dashboard. */
export function takeWayBack(): string | null {
  const to = stored()?.to ?? null
  tabStore.remove(KEY)
  return to
}

function stored(): WayBack | null {
  const text = tabStore.get(KEY)
  return text ? JSON.parse(text) : null
}
