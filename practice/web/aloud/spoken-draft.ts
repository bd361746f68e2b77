import * as z from 'zod/mini'
import type { KeyValueStore } from '../../../platform/web/storage.ts'
import { ratingSchema } from '../../contract/aloud.ts'
import { createPersonStore } from '../person-store.ts'

/** How long this browser keeps recordings and unchecked answers (product 3.13.6). */
export const KEPT_MS = 7 * 24 * 3600 * 1000

/** A flag that this device may have recordings. Without it, there is nothing to look for. */
export const RECORDINGS_KEPT = 'superday-recordings'

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
