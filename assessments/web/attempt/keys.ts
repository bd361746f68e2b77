import * as z from 'zod/mini'
import type { KeyValueStore } from '../../../platform/web/storage.ts'

/** What this device keeps until the server has it; no name depends on the window, so the next page finds it. */
const PREFIX = 'superday-assessment:'

/** All keys of a candidate's attempt begin with this. */
export function attemptPrefix(code: string, username: string): string {
  return `${PREFIX}${code}:${encodeURIComponent(username.normalize('NFC').trim().toLowerCase())}:`
}

/** One key per question, so that two tabs never overwrite each other's list. */
export const answersPrefix = (prefix: string) => `${prefix}answer:`
export const answerKey = (prefix: string, questionId: number) =>
  `${answersPrefix(prefix)}${questionId}`
/** The events that a window has not got rid of. */
export const eventsPrefix = (prefix: string) => `${prefix}events:`
export const eventsKey = (prefix: string, windowId: string) => `${eventsPrefix(prefix)}${windowId}`
/** Which messages of the society were put away. */
const readMessagesKey = (prefix: string) => `${prefix}read-messages`
/** The window that opened the attempt last on this device. */
export const ownerKey = (prefix: string) => `${prefix}owner`

/** What is stored under a key, or null when it is no JSON. */
export function readJson(store: KeyValueStore, key: string): unknown {
  try {
    return JSON.parse(store.get(key) ?? 'null')
  } catch {
    return null
  }
}

const idsSchema = z.array(z.int())

/** The messages of the society that were put away on this device: they stay so after a reload (product 6.14.3). */
export function readMessageIds(store: KeyValueStore, prefix: string): ReadonlySet<number> {
  const ids = idsSchema.safeParse(readJson(store, readMessagesKey(prefix)))
  return new Set(ids.success ? ids.data : [])
}

/** Puts one away. @returns all that are */
export function putMessageAway(
  store: KeyValueStore,
  prefix: string,
  id: number,
): ReadonlySet<number> {
  const ids = new Set([...readMessageIds(store, prefix), id])
  store.set(readMessagesKey(prefix), JSON.stringify([...ids]))
  return ids
}
