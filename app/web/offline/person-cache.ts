import { PERSON, SHELL } from './from-cache.ts'

/** What was prepared for offline use, and when (product 3.17.5). */
interface Prepared {
  /** the local day of the preparation */
  day: string
  dueAtMs: number
  contentAtMs: number
}

/** Cache key for what was prepared. It isn't an address of the product. */
const PREPARED = '/prepared'
/** Maximum responses in a person's cache. The oldest are removed. */
const ANSWERS_AT_MOST = 400

/** Keeps only one person's cached responses in this browser, or none (product 3.17.7). */
export async function keepOnly(userId: string | null): Promise<void> {
  if (!('caches' in window)) return
  for (const name of await caches.keys()) {
    if (name.startsWith(PERSON) && name !== PERSON + userId) await caches.delete(name)
  }
}

/** Creates a person's cache. Without one, the worker caches nothing. */
export async function openCache(userId: string): Promise<void> {
  const cache = await caches.open(PERSON + userId)
  const kept = await cache.keys()
  for (const old of kept.slice(0, Math.max(0, kept.length - ANSWERS_AT_MOST))) {
    await cache.delete(old)
  }
}

/** Whether a worker caches the application here. Otherwise preparing a day is useless. */
export async function isShellKept(): Promise<boolean> {
  return (await caches.keys()).some((name) => name.startsWith(SHELL))
}

/** Null if nothing was prepared yet. */
export async function readPrepared(userId: string): Promise<Prepared | null> {
  const kept = await caches.match(PREPARED, { cacheName: PERSON + userId })
  return kept ? kept.json() : null
}

/** Records what was prepared, unless the person has signed out meanwhile. */
export async function notePrepared(userId: string, prepared: Prepared): Promise<void> {
  if (!(await caches.has(PERSON + userId))) return
  const cache = await caches.open(PERSON + userId)
  await cache.put(PREPARED, new Response(JSON.stringify(prepared)))
}
