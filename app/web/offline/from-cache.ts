import { isPage, mayRecord, URLS } from '../../../platform/urls.ts'

// Decides what the service worker may answer from which cache. Pure functions, so that the worker (worker.ts) and the
// address table (from-cache.test.ts) share them.

/** Where a response comes from: the application, its files, shared content, a person's data, or the network. */
export type Source = 'network' | 'page' | 'recording-page' | 'file' | 'content' | 'own'

/** Pages that must come from the server (product 3.17.3): a test and its console must never be outdated. */
const NETWORK_PAGES = [
  URLS.recruitment,
  URLS.organize,
  '/fairness',
  URLS.auth,
  URLS.secondFactor,
  URLS.confirmEmail,
  URLS.stopReminders,
]

const CONTENT = ['/api/questions', '/api/questions/counts', '/api/questions/topics']

/** Includes everything below each path. */
const OWN = ['/api/results', '/api/mistakes', '/api/progress', '/api/streak', '/api/practice']
/** Reminders are a server setting. A cached response could show the wrong state of the switch. */
const NOT_OWN = ['/api/practice/reminders']

const isUnder = (path: string, above: string) => path === above || path.startsWith(`${above}/`)

/** How the worker answers a request (product 3.17.2, 3.17.3). `files`: paths of the application's files. */
export function sourceOf(
  request: { method: string; mode: string; url: string },
  origin: string,
  files: ReadonlySet<string>,
): Source {
  const url = new URL(request.url)
  const path = url.pathname
  if (request.method !== 'GET' || url.origin !== origin) return 'network'
  if (path === URLS.landing || NETWORK_PAGES.some((page) => isUnder(path, page))) return 'network'
  if (request.mode === 'navigate') {
    if (!isPage(path)) return 'network'
    return mayRecord(path) ? 'recording-page' : 'page'
  }
  if (files.has(path)) return 'file'
  if (CONTENT.includes(path)) return 'content'
  if (NOT_OWN.some((above) => isUnder(path, above))) return 'network'
  return OWN.some((above) => isUnder(path, above)) ? 'own' : 'network'
}

/** Cache prefix for the files of one application version. */
export const SHELL = 'superday-shell-'
/** Cache prefix for one person's responses. The page creates it at sign-in (person-cache.ts). */
export const PERSON = 'superday-person-'

/** An access token's user id, or null if unreadable. It only names a cache and proves nothing. */
export function personOf(authorization: string | null): string | null {
  const [, payload = ''] = authorization?.replace(/^Bearer /, '').split('.') ?? []
  try {
    const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof sub === 'string' && /^[0-9a-f-]{36}$/.test(sub) ? sub : null
  } catch {
    return null
  }
}

/** Maximum age of cached content that is used without asking the server, in milliseconds: an hour less than a day. */
export const FRESH_MS = 23 * 3600 * 1000
/** Newer content isn't fetched again, because the bank changes only with an import. */
export const CURRENT_MS = 3600 * 1000

/** Pages on which a new version may be offered, because nothing is interrupted there (product 3.17.6). */
const QUIET_PAGES = [
  URLS.dashboard,
  URLS.practice,
  URLS.dueDone,
  URLS.drills,
  URLS.cases,
  URLS.aloud,
  URLS.plan,
  URLS.formulaSheet,
  URLS.personalHub,
  URLS.about,
  URLS.faq,
  URLS.careerHub,
  URLS.recruitmentResources,
] as readonly string[]

/** Whether a new version may be offered on this page (product 3.17.6). */
export function isQuiet(path: string): boolean {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path
  return QUIET_PAGES.includes(trimmed) || isUnder(path, '/tests') || isUnder(path, '/results')
}
