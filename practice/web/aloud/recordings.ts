import * as z from 'zod/mini'
import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'
import { ratingSchema } from '../../contract/aloud.ts'
import { createPersonStore, RECORDINGS_KEPT } from '../person-store.ts'
import type { Sound } from './player.tsx'

/** How long this browser keeps recordings and unchecked answers (product 3.13.6). */
export const KEPT_MS = 7 * 24 * 3600 * 1000

const draftSchema = z.object({
  id: z.uuid(),
  tookMs: z.int(),
  answeredAt: z.iso.datetime(),
  points: z.array(z.int()),
  /** the person's choice, or null to use the proposal */
  rating: z.nullable(ratingSchema),
})
export type SpokenDraft = z.infer<typeof draftSchema>

/** Stores drafts by person and prompt, and ignores old ones. @param nowMs the device's clock */
export const createSpokenDrafts = (store: KeyValueStore, nowMs: () => number) =>
  createPersonStore(
    store,
    'aloud',
    draftSchema,
    ({ answeredAt }) => nowMs() - Date.parse(answeredAt) < KEPT_MS,
  )

/** The last recording of a prompt. It stays in this browser and is never sent (product 3.13.6). */
export interface Recording extends Sound {
  userId: string
  prompt: string
  recordedAtMs: number
}

const STORE = 'recordings'

/** Rejects if the browser stores nothing, as in a private window or without IndexedDB. */
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
      // A full disk aborts the transaction after the request succeeded.
      transaction.onabort = () => reject(transaction.error)
      transaction.onerror = () => reject(transaction.error)
    })
  } finally {
    database.close()
  }
}

/** Stores a recording and replaces the prompt's last one. @returns whether there was room */
export async function keepRecording(recording: Recording): Promise<boolean> {
  try {
    // The flag is set first, so every stored recording is found later.
    deviceStore.set(RECORDINGS_KEPT, 'true')
    await transact((store) => store.put(recording))
    return true
  } catch {
    return false
  }
}

/** Returns a prompt's recording, or null if there is none or it's too old. */
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
