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

/**
 * Whether who is signed out and asks for this page is led back to it after signing in (product 2.2.6): those
 * that a society's mail leads to, and where a society begins (product 8.1.7). The redirect carries the page as its
 * `state`, so that it lasts a reload and is forgotten as soon as somebody goes to /auth by themselves.
 */
export function isLedBackTo(path: string): boolean {
  return (
    path === URLS.recruitment || path.startsWith(`${URLS.recruitment}/`) || path === URLS.organise
  )
}

function stored(): WayBack | null {
  const text = tabStore.get(KEY)
  return text ? JSON.parse(text) : null
}
