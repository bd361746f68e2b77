import type * as z from 'zod/mini'

/** The part of the browser's Storage that is used; tests pass their own. */
export type RawStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export interface KeyValueStore {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
  /** whether a value is in memory alone, so that a reload loses it */
  isLostOnReload(key: string): boolean
  /** all keys that begin with a prefix, in no particular order */
  keys(prefix: string): string[]
}

/** A store that never throws; what the browser's can't take is kept in memory. */
export function createStore(raw: RawStorage | null): KeyValueStore {
  const memory = new Map<string, string>()

  const attempt = <T>(action: (storage: RawStorage) => T, otherwise: T): T => {
    if (!raw) return otherwise
    try {
      return action(raw)
    } catch {
      return otherwise
    }
  }

  return {
    get: (key) => memory.get(key) ?? attempt((storage) => storage.getItem(key), null),
    set(key, value) {
      const stored = attempt((storage) => {
        storage.setItem(key, value)
        return true
      }, false)
      if (stored) memory.delete(key)
      else memory.set(key, value)
    },
    isLostOnReload: (key) => memory.has(key),
    remove(key) {
      memory.delete(key)
      attempt((storage) => storage.removeItem(key), undefined)
    },
    keys(prefix) {
      const stored = attempt((storage) => {
        const found: string[] = []
        for (let index = 0; index < storage.length; index += 1) {
          const key = storage.key(index)
          if (key !== null) found.push(key)
        }
        return found
      }, [])
      return [...new Set([...stored, ...memory.keys()])].filter((key) => key.startsWith(prefix))
    },
  }
}

/** Reading the property alone throws where the browser forbids storage. */
function storageOrNull(read: () => RawStorage): RawStorage | null {
  try {
    return read()
  } catch {
    return null
  }
}

export const deviceStore = createStore(storageOrNull(() => localStorage))

export const tabStore = createStore(storageOrNull(() => sessionStorage))

/** What a stored text holds; null where it is none that the schema can read. */
export function parseStored<S extends z.ZodMiniType>(
  text: string | null,
  schema: S,
): z.infer<S> | null {
  try {
    return schema.parse(JSON.parse(text ?? 'null'))
  } catch {
    return null
  }
}
