import * as z from 'zod/mini'
import { optionLetterSchema } from '../../../platform/options.ts'
import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'
import { getDue } from '../../contract/today.ts'

// By itself, because leaving (app/web/personal-hub.tsx) needs it on every screen, and the schedule does not
// belong there.

export type DueItem = z.infer<typeof getDue.response>['items'][number]

const givenSchema = z.object({
  choice: optionLetterSchema,
  tookMs: z.int(),
  isGuess: z.boolean(),
  answeredAt: z.iso.datetime(),
})
export type Given = z.infer<typeof givenSchema>

const sittingSchema = z.object({
  id: z.uuid(),
  /** the local day it is of: on another one it begins anew */
  day: z.iso.date(),
  /** what was due when it began */
  dueCount: z.int(),
  /** the plan's day when it began */
  plan: getDue.response.shape.plan,
  items: getDue.response.shape.items,
  /** in order; what was wrong comes once more behind the items */
  given: z.array(givenSchema),
})
/** A sitting of what is due, as it survives a reload. */
export type Sitting = z.infer<typeof sittingSchema>

const PREFIX = 'superday-due:'

/** The sitting under way of each person on this device. */
function createDueSittings(store: KeyValueStore) {
  return {
    /** The one of a local day, null where there is none. */
    load(userId: string, day: string): Sitting | null {
      const text = store.get(PREFIX + userId)
      const sitting = sittingSchema.safeParse(parseJson(text))
      return sitting.success && sitting.data.day === day ? sitting.data : null
    },
    save(userId: string, sitting: Sitting): void {
      store.set(PREFIX + userId, JSON.stringify(sitting))
    },
    forget(userId: string): void {
      store.remove(PREFIX + userId)
    },
  }
}
export const dueSittings = createDueSittings(deviceStore)

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
