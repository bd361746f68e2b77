import type * as z from 'zod/mini'

/** The parts of the browser's Storage that we use; tests pass their own. */
export type RawStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

export interface KeyValueStore {
  get(key: string): string | null
  set(key: string, value: string): void
  remove(key: string): void
  /** whether a value is only in memory, so that a reload loses it */
  isLostOnReload(key: string): boolean
  /** all keys with a prefix, in no particular order */
  keys(prefix: string): string[]
}

/** A store that never throws. Values that the browser can't store stay in memory. */
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

/** Even reading the property throws where the browser blocks storage. */
function storageOrNull(read: () => RawStorage): RawStorage | null {
  try {
    return read()
  } catch {
    return null
  }
}

export const deviceStore = createStore(storageOrNull(() => localStorage))

export const tabStore = createStore(storageOrNull(() => sessionStorage))

/** Parses a stored text, or returns null if it doesn't match the schema. */
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
