import { URLS } from '../urls.ts'
import { tabStore } from './storage.ts'

const KEY = 'superday-way-back'

interface WayBack {
  to: string
  email: string
}

/** Stores in this tab where a sign-in leads, and with which address (product 7.12.3). */
export function rememberWayBack(to: string, email: string): void {
  tabStore.set(KEY, JSON.stringify({ to, email } satisfies WayBack))
}

export function wayBackEmail(): string {
  return stored()?.email ?? ''
}

/** Where the sign-in that just happened leads. Works once; null means the dashboard. */
export function takeWayBack(): string | null {
  const to = stored()?.to ?? null
  tabStore.remove(KEY)
  return to
}

/** Whether sign-in returns to this page (product 2.2.6, 8.1.7): pages linked in a society's mail, and founding one. */
export function isLedBackTo(path: string): boolean {
  return (
    path === URLS.recruitment || path.startsWith(`${URLS.recruitment}/`) || path === URLS.organize
  )
}

function stored(): WayBack | null {
  const text = tabStore.get(KEY)
  return text ? JSON.parse(text) : null
}
