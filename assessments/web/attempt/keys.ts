import * as z from 'zod/mini'
import { type KeyValueStore, parseStored } from '../../../platform/web/storage.ts'

/** What this device keeps until the server has it; no name depends on the window, so the next page finds it. */
const PREFIX = 'superday-assessment:'

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
const readMessagesKey = (prefix: string) => `${prefix}read-messages`
/** The window that opened the attempt last on this device. */
export const ownerKey = (prefix: string) => `${prefix}owner`

const idsSchema = z.array(z.int())

/** The messages of the society that were put away on this device: they stay so after a reload (product 6.14.3). */
export function readMessageIds(store: KeyValueStore, prefix: string): ReadonlySet<number> {
  return new Set(parseStored(store.get(readMessagesKey(prefix)), idsSchema))
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
