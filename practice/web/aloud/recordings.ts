import { deviceStore } from '../../../platform/web/storage.ts'
import type { Sound } from './player.tsx'
import { KEPT_MS, RECORDINGS_KEPT } from './spoken-draft.ts'

/** What was said last to a prompt. It is in this browser alone and never sent (product 3.13.6). */
export interface Recording extends Sound {
  userId: string
  prompt: string
  recordedAtMs: number
}

const STORE = 'recordings'

/** Rejects where the browser keeps nothing: a private window, or no IndexedDB at all. */
function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('superday-recordings', 1)
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore(STORE, { keyPath: ['userId', 'prompt'] })
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = () => reject(opening.error)
    opening.onblocked = () => reject(new Error('blocked'))
  })
}

async function transact<T>(act: (store: IDBObjectStore) => IDBRequest<T> | undefined): Promise<T> {
  const database = await open()
  try {
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction(STORE, 'readwrite')
      const request = act(transaction.objectStore(STORE))
      transaction.oncomplete = () => resolve(request?.result as T)
      // A full disk aborts it after the request went well.
      transaction.onabort = () => reject(transaction.error)
      transaction.onerror = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** Keeps a recording in place of the last one of its prompt. @returns whether there was room for it */
export async function keepRecording(recording: Recording): Promise<boolean> {
  try {
    // First, so that nothing is ever kept that nobody looks for.
    deviceStore.set(RECORDINGS_KEPT, 'true')
    await transact((store) => store.put(recording))
    return true
  } catch {
    return false
  }
}

/** The recording of a prompt that is not too old; null when there is none, or the browser keeps nothing. */
export async function findRecording(
  userId: string,
  prompt: string,
  nowMs: number,
): Promise<Recording | null> {
  try {
    const found: Recording | undefined = await transact((store) => store.get([userId, prompt]))
    return found && nowMs - found.recordedAtMs < KEPT_MS ? found : null
  } catch {
    return null
  }
}

export async function dropRecording(userId: string, prompt: string): Promise<void> {
  await transact((store) => store.delete([userId, prompt])).catch(() => {})
}

export async function keepOnly(userId: string | null, nowMs: number): Promise<void> {
  let left = 0
  await transact((store) => {
    const cursor = store.openCursor()
    cursor.onsuccess = () => {
      const at = cursor.result
      if (!at) return
      const recording: Recording = at.value
      if (recording.userId === userId && nowMs - recording.recordedAtMs < KEPT_MS) left += 1
      else at.delete()
      at.continue()
    }
    return undefined
  })
  if (left === 0) deviceStore.remove(RECORDINGS_KEPT)
}
