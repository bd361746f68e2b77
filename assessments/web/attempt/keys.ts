import * as z from 'zod/mini'
import { type KeyValueStore, parseStored } from '../../../platform/web/storage.ts'

/** Keys of unsent data on this device. They don't depend on the window, so the next page finds them. */
const PREFIX = 'superday-assessment:'

export function attemptPrefix(code: string, username: string): string {
  return `${PREFIX}${code}:${encodeURIComponent(username.normalize('NFC').trim().toLowerCase())}:`
}

/** One key per question, so that two tabs never overwrite each other's choices. */
export const answersPrefix = (prefix: string) => `${prefix}answer:`
export const answerKey = (prefix: string, questionId: number) =>
  `${answersPrefix(prefix)}${questionId}`
/** A window's unsent events. */
export const eventsPrefix = (prefix: string) => `${prefix}events:`
export const eventsKey = (prefix: string, windowId: string) => `${eventsPrefix(prefix)}${windowId}`
const readMessagesKey = (prefix: string) => `${prefix}read-messages`
/** The window on this device that opened the attempt last. */
export const ownerKey = (prefix: string) => `${prefix}owner`

const idsSchema = z.array(z.int())

/** Ids of messages dismissed on this device, which stay dismissed after a reload (product 6.14.3). */
export function readMessageIds(store: KeyValueStore, prefix: string): ReadonlySet<number> {
  return new Set(parseStored(store.get(readMessagesKey(prefix)), idsSchema))
}

/** Dismisses a message. @returns all dismissed ids */
export function putMessageAway(
  store: KeyValueStore,
  prefix: string,
  id: number,
): ReadonlySet<number> {
  const ids = new Set([...readMessageIds(store, prefix), id])
  store.set(readMessagesKey(prefix), JSON.stringify([...ids]))
  return ids
}
