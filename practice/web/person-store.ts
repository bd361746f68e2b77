import type * as z from 'zod/mini'
import { type KeyValueStore, parseStored } from '../../platform/web/storage.ts'

/** What each person has under way on this device, by name: it survives a reload. */
export function createPersonStore<S extends z.ZodMiniType>(
  store: KeyValueStore,
  prefix: string,
  schema: S,
) {
  const keyOf = (userId: string, name: string) => `${prefix}${userId}:${name}`
  return {
    /** null where there is none, or none that the schema can read */
    load(userId: string, name: string): z.infer<S> | null {
      return parseStored(store.get(keyOf(userId, name)), schema)
    },
    save(userId: string, name: string, value: z.infer<S>): void {
      store.set(keyOf(userId, name), JSON.stringify(value))
    },
    remove(userId: string, name: string): void {
      store.remove(keyOf(userId, name))
    },
    forget(userId: string): void {
      for (const key of store.keys(keyOf(userId, ''))) store.remove(key)
    },
  }
}
