import { URLS } from '../urls.ts'
import { tabStore } from './storage.ts'

const KEY = 'superday-way-back'

interface WayBack {
  to: string
  email: string
}

/** Remembers, in this tab, where a sign-in leads, and with which address (product 7.12.3). */
export function rememberWayBack(to: string, email: string): void {
  tabStore.set(KEY, JSON.stringify({ to, email } satisfies WayBack))
}

export function wayBackEmail(): string {
  return stored()?.email ?? ''
}

/** Where the sign-in that has just happened leads, once; null is the dashboard. */
export function takeWayBack(): string | null {
  const to = stored()?.to ?? null
  tabStore.remove(KEY)
  return to
}

/** Whether sign-in leads back to this page (product 2.2.6, 8.1.7): those that a society's mail names, and founding one. */
export function isLedBackTo(path: string): boolean {
  return (
    path === URLS.recruitment || path.startsWith(`${URLS.recruitment}/`) || path === URLS.organize
  )
}

function stored(): WayBack | null {
  const text = tabStore.get(KEY)
  return text ? JSON.parse(text) : null
}
