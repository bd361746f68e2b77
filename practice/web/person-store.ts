import type * as z from 'zod/mini'
import { deviceStore, type KeyValueStore, parseStored } from '../../platform/web/storage.ts'

const PREFIXES = {
  test: 'superday-draft:',
  due: 'superday-due:',
  drill: 'superday-drill:',
  case: 'superday-case:',
  aloud: 'superday-aloud:',
}

/** A flag that this device may have recordings. Without it, there is nothing to look for. */
export const RECORDINGS_KEPT = 'superday-recordings'

/** Stores each person's work in progress on this device, by name. `isAlive` is false for expired values. */
export function createPersonStore<S extends z.ZodMiniType>(
  store: KeyValueStore,
  kind: keyof typeof PREFIXES,
  schema: S,
  isAlive: (value: z.infer<S>) => boolean = () => true,
) {
  const prefix = PREFIXES[kind]
  const keyOf = (userId: string, name: string) => `${prefix}${userId}:${name}`
  const parse = (text: string | null): z.infer<S> | null => {
    const value = parseStored(text, schema)
    return value !== null && isAlive(value) ? value : null
  }
  return {
    keyOf,
    parse,
    /** null if there is none; this also drops all expired values */
    load(userId: string, name: string): z.infer<S> | null {
      for (const key of store.keys(prefix)) if (!parse(store.get(key))) store.remove(key)
      return parse(store.get(keyOf(userId, name)))
    },
    list(userId: string): { name: string; value: z.infer<S> }[] {
      const own = keyOf(userId, '')
      return store.keys(own).flatMap((key) => {
        const value = parse(store.get(key))
        return value === null ? [] : [{ name: key.slice(own.length), value }]
      })
    },
    save(userId: string, name: string, value: z.infer<S>): void {
      store.set(keyOf(userId, name), JSON.stringify(value))
    },
    isLostOnReload: (userId: string, name: string) => store.isLostOnReload(keyOf(userId, name)),
    remove(userId: string, name: string): void {
      store.remove(keyOf(userId, name))
    },
  }
}

export function forgetSittings(userId: string, store: KeyValueStore = deviceStore): void {
  for (const prefix of Object.values(PREFIXES)) {
    for (const key of store.keys(prefix + userId)) store.remove(key)
  }
}
