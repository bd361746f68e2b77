import * as z from 'zod/mini'
import type { KeyValueStore } from '../../../platform/web/storage.ts'
import { readJson, readMessagesKey } from './keys.ts'

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
