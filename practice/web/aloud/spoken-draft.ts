import * as z from 'zod/mini'
import type { KeyValueStore } from '../../../platform/web/storage.ts'
import { ratingSchema } from '../../contract/aloud.ts'
import { createPersonStore } from '../person-store.ts'

/** How long a recording stays in this browser, and an answer that was not checked (product 3.13.6). */
export const KEPT_MS = 7 * 24 * 3600 * 1000

/** The device's mark that it may hold a recording: without it nothing has to be looked for. */
export const RECORDINGS_KEPT = 'superday-recordings'

const draftSchema = z.object({
  id: z.uuid(),
  tookMs: z.int(),
  answeredAt: z.iso.datetime(),
  points: z.array(z.int()),
  /** what the person chose; null while the proposal stands */
  rating: z.nullable(ratingSchema),
})
export type SpokenDraft = z.infer<typeof draftSchema>

/** The drafts by person and prompt; an old one is none. @param nowMs the device's clock */
export const createSpokenDrafts = (store: KeyValueStore, nowMs: () => number) =>
  createPersonStore(
    store,
    'aloud',
    draftSchema,
    ({ answeredAt }) => nowMs() - Date.parse(answeredAt) < KEPT_MS,
  )
