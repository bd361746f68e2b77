import { URLS } from '../../../platform/urls.ts'
import { AS_OF_HEADER, FRESH } from '../../../platform/web/connection/as-of.ts'
import { CURRENT_MS, FRESH_MS, PERSON, personOf, SHELL, sourceOf } from './from-cache.ts'

// The service worker (product 3.17, decision 039), built into /sw.js by app/build/worker-plugin.ts. It contains no
// practice rules. from-cache.ts decides where each response comes from.

/** Set at build time: the paths of the application's files, and the page's first script. */
declare const FILES: string[]
declare const ENTRY: string
/** Set by the server (app/server/web.ts): a hash of this file, the page and its headers. */
const VERSION = '{version}'

// TypeScript's worker library excludes the page's, so these types are declared here.
interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface Fetched extends Lasting {
  request: Request
  respondWith(answer: Promise<Response>): void
}
interface Window {
  url: string
  focus(): Promise<unknown>
}
type Worker = Pick<typeof globalThis, 'caches' | 'location'> & {
  registration: ServiceWorkerRegistration
  skipWaiting(): Promise<void>
  clients: {
    claim(): Promise<void>
    matchAll(options: { type: 'window' }): Promise<Window[]>
    openWindow(url: string): Promise<unknown>
  }
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetched) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  addEventListener(
    type: 'push',
    listener: (event: Lasting & { data: { json(): unknown } | null }) => void,
  ): void
  addEventListener(
    type: 'notificationclick',
    listener: (event: Lasting & { notification: Notification }) => void,
  ): void
}
const worker = globalThis as unknown as Worker
const { caches } = worker

const ownShell = SHELL + VERSION
const files = new Set(FILES)
/** Milliseconds to wait for the network if a cached response exists. */
const PATIENCE_MS = 5_000

worker.addEventListener('install', (event) => {
  event.waitUntil(
    fetchShell().catch(async (error) => {
      // A partial version is unusable: the storage is full, or another node responded. The browser tries again.
      await caches.delete(ownShell)
      throw error
    }),
  )
})

async function fetchShell(): Promise<void> {
  const shell = await caches.open(ownShell)
  await shell.addAll(
    // The browser may have an outdated copy of files without a hash in their name.
    [...files].map((file) => new Request(file, { cache: isHashed(file) ? 'default' : 'reload' })),
  )
  // Fetches each kind of page once, because only the headers of /aloud allow the microphone.
  for (const page of [URLS.dashboard, URLS.aloud]) {
    const answer = await fetch(page, { cache: 'reload', headers: { Accept: 'text/html' } })
    // During a deploy, another node may respond with another version's page.
    const isOurs = answer.ok && (await answer.clone().text()).includes(ENTRY)
    if (!isOurs) throw new Error(`${page} is another version's`)
    await shell.put(page, answer)
  }
}

const isHashed = (file: string) => file.startsWith('/assets/')

worker.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const shells = (await caches.keys()).filter((name) => name.startsWith(SHELL))
      // The previous version stays, because an open tab may need a file that no server has any more.
      const before = shells.filter((name) => name !== ownShell).at(-1)
      for (const name of shells) {
        if (name !== ownShell && name !== before) await caches.delete(name)
      }
      await worker.clients.claim()
    })(),
  )
})

/** Only the page's button triggers this, because a new version is never forced (product 3.17.6). */
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request } = event
  const source = sourceOf(request, worker.location.origin, files)
  if (source === 'network') return
  if (source === 'page') event.respondWith(fromShell(URLS.dashboard, request))
  else if (source === 'recording-page') event.respondWith(fromShell(URLS.aloud, request))
  else if (source === 'file') event.respondWith(fromShell(new URL(request.url).pathname, request))
  else event.respondWith(lastKnown(event, source))
})

async function fromShell(path: string, request: Request): Promise<Response> {
  const kept =
    (await (await caches.open(ownShell)).match(path)) ??
    // File names with a hash mean the same in every version.
    (isHashed(path) ? await caches.match(path) : undefined)
  return kept ?? fetch(request)
}

/** Responds from the network or the cache. Content of less than a day comes from the cache, then is refreshed. */
async function lastKnown(event: Fetched, source: 'content' | 'own'): Promise<Response> {
  const { request } = event
  const person = personOf(request.headers.get('Authorization'))
  const name = PERSON + person
  // Without a cache, nothing is stored. The page creates it at sign-in and deletes it at sign-out.
  if (person === null || !(await hasCache(name))) return fetch(request)

  const kept = await caches.match(request.url, { cacheName: name }).catch(() => undefined)
  const date = kept?.headers.get('Date') ?? ''
  const keptAs = (asOf: string) => {
    const headers = new Headers(kept?.headers)
    headers.set(AS_OF_HEADER, asOf)
    return new Response(kept?.body, { status: kept?.status, headers })
  }
  const ageMs = Date.now() - Date.parse(date)
  const isContent = source === 'content' && kept !== undefined
  // The absolute value handles a device clock that is behind.
  if (isContent && Math.abs(ageMs) < CURRENT_MS) return keptAs(FRESH)

  const network = fetch(request)
  // A copy that isn't read blocks the worker and its next version. The response is therefore cloned only if both the
  // page and the cache read it.
  let isForPage = !(isContent && ageMs < FRESH_MS)
  const keeping = network.then((answer) => {
    if (!isForPage) return keep(name, request.url, answer)
    if (answer.ok) return keep(name, request.url, answer.clone())
  })
  event.waitUntil(keeping.catch(() => {}))
  if (!kept) return network
  if (!isForPage) return keptAs(FRESH)
  const patience = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE_MS))
  const answer = await Promise.race([network.catch(() => null), patience])
  if (answer) return answer
  isForPage = false
  return keptAs(date)
}

const hasCache = (name: string) => caches.has(name).catch(() => false)

/** Checks again that the cache exists, because the person may have signed out meanwhile. */
async function keep(name: string, url: string, answer: Response): Promise<void> {
  if (answer.ok && (await hasCache(name))) await (await caches.open(name)).put(url, answer)
  else await answer.body?.cancel()
}

worker.addEventListener('push', (event) => {
  const said = event.data?.json()
  const { title, url } = (said ?? {}) as { title?: unknown; url?: unknown }
  if (typeof title !== 'string') return
  event.waitUntil(
    worker.registration.showNotification(title, {
      icon: '/icon-192.png',
      // A newer reminder replaces one that was ignored.
      tag: 'reminder',
      data: typeof url === 'string' ? url : URLS.dashboard,
    }),
  )
})

worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(String(event.notification.data), worker.location.origin)
  if (url.origin !== worker.location.origin) return
  event.waitUntil(
    worker.clients.matchAll({ type: 'window' }).then((windows) => {
      // Other windows are not changed, because a test may be running there.
      const open = windows.find((one) => one.url === url.href)
      return open ? open.focus() : worker.clients.openWindow(url.href)
    }),
  )
})
