import * as z from 'zod/mini'
import type { KeyValueStore } from '../../../platform/web/storage.ts'
import { KEPT_MS } from './how-long.ts'

const draftSchema = z.object({
  /** becomes the saved answer's */
  id: z.uuid(),
  tookMs: z.int(),
  answeredAt: z.iso.datetime(),
  /** ticked, ascending */
  points: z.array(z.int()),
  /** what the person chose; null while the proposal stands */
  rating: z.nullable(z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])),
})
/** An answer that was spoken and not checked to its end: a reload or a closed page loses nothing of it. */
export type SpokenDraft = z.infer<typeof draftSchema>

const KEY = 'superday-aloud'

/** @param nowMs the device's clock */
export function createSpokenDrafts(store: KeyValueStore, nowMs: () => number) {
  const keyOf = (userId: string, prompt: string) => `${KEY}:${userId}:${prompt}`
  return {
    /** The draft of a prompt; null when there is none, or an old or unreadable one. */
    load(userId: string, prompt: string): SpokenDraft | null {
      try {
        const draft = draftSchema.parse(JSON.parse(store.get(keyOf(userId, prompt)) ?? ''))
        return nowMs() - Date.parse(draft.answeredAt) < KEPT_MS ? draft : null
      } catch {
        return null
      }
    },
    save(userId: string, prompt: string, draft: SpokenDraft): void {
      store.set(keyOf(userId, prompt), JSON.stringify(draft))
    },
    remove(userId: string, prompt: string): void {
      store.remove(keyOf(userId, prompt))
    },
    /** Drops all drafts of a person. */
    forget(userId: string): void {
      for (const key of store.keys(keyOf(userId, ''))) store.remove(key)
    },
  }
}
