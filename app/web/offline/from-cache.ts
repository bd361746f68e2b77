import { isPage, mayRecord, URLS } from '../../../platform/urls.ts'

// What the service worker may answer without the network, and where it keeps it. Pure, so that the worker
// (worker.ts) and its table of addresses (from-cache.test.ts) read the same.

/** Where an answer comes from: the application, a part of it, shared content, a person's own data, or the network. */
export type Source = 'network' | 'page' | 'recording-page' | 'file' | 'content' | 'own'

/** Pages that only the server answers (product 3.17.3): a test and its console must never be an older version. */
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

/** With what lies below each. */
const OWN = ['/api/results', '/api/mistakes', '/api/progress', '/api/streak', '/api/practice']
/** How one is reminded is a setting of the server: an old answer would show a switch that stands otherwise. */
const NOT_OWN = ['/api/practice/reminders']

const isUnder = (path: string, above: string) => path === above || path.startsWith(`${above}/`)

/** What the worker does with a request (product 3.17.2, 3.17.3). `files`: paths of the application's parts. */
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

/** The parts of one version of the application. */
export const SHELL = 'superday-shell-'
/** What was read for one person; made by the page while they are signed in (person-cache.ts). */
export const PERSON = 'superday-person-'

/** Whose an access token is: the user's id, null where it cannot be read. It names a cache and proves nothing. */
export function personOf(authorization: string | null): string | null {
  const [, payload = ''] = authorization?.replace(/^Bearer /, '').split('.') ?? []
  try {
    const { sub } = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof sub === 'string' && /^[0-9a-f-]{36}$/.test(sub) ? sub : null
  } catch {
    return null
  }
}

/** How old content may be to be answered before the server is asked, milliseconds: an hour short of a day. */
export const FRESH_MS = 23 * 3600 * 1000
/** Content of less than this is not read again: the bank changes with an import. */
export const CURRENT_MS = 3600 * 1000

/** Where nothing may interrupt (product 3.17.6): a new version is offered on these pages alone. */
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

/** Whether a new version may be offered here: nothing is under way on this page (product 3.17.6). */
export function isQuiet(path: string): boolean {
  const trimmed = path.length > 1 ? path.replace(/\/$/, '') : path
  return QUIET_PAGES.includes(trimmed) || isUnder(path, '/tests') || isUnder(path, '/results')
}
