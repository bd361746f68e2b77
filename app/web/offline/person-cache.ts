import { PERSON, SHELL } from './from-cache.ts'

/** What was prepared for a day without a network, and when (product 3.17.5). */
interface Prepared {
  /** the local day it was done on */
  day: string
  dueAtMs: number
  contentAtMs: number
}

/** Under which a person's cache says what was prepared: no address of the product. */
const PREPARED = '/prepared'
/** Answers that a person's cache holds at most; the oldest go. */
const ANSWERS_AT_MOST = 400

/** Keeps only one person's answers in this browser, or nobody's (product 3.17.7). */
export async function keepOnly(userId: string | null): Promise<void> {
  if (!('caches' in window)) return
  for (const name of await caches.keys()) {
    if (name.startsWith(PERSON) && name !== PERSON + userId) await caches.delete(name)
  }
}

/** Makes a person's cache: the worker keeps nothing for whom there is none. */
export async function openCache(userId: string): Promise<void> {
  const cache = await caches.open(PERSON + userId)
  const kept = await cache.keys()
  for (const old of kept.slice(0, Math.max(0, kept.length - ANSWERS_AT_MOST))) {
    await cache.delete(old)
  }
}

/** Whether a worker keeps the application here: else preparing a day is for nothing. */
export async function isShellKept(): Promise<boolean> {
  return (await caches.keys()).some((name) => name.startsWith(SHELL))
}

/** Null where nothing was prepared yet. */
export async function readPrepared(userId: string): Promise<Prepared | null> {
  const kept = await caches.match(PREPARED, { cacheName: PERSON + userId })
  return kept ? kept.json() : null
}

/** Notes what was prepared; nothing where the person has signed out meanwhile. */
export async function notePrepared(userId: string, prepared: Prepared): Promise<void> {
  if (!(await caches.has(PERSON + userId))) return
  const cache = await caches.open(PERSON + userId)
  await cache.put(PREPARED, new Response(JSON.stringify(prepared)))
}
