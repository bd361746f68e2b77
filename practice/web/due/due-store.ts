import * as z from 'zod/mini'
import { optionLetterSchema } from '../../../platform/options.ts'
import { deviceStore, parseStored } from '../../../platform/web/storage.ts'
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
  dueCount: z.int(),
  /** the plan's day when it began */
  plan: getDue.response.shape.plan,
  items: getDue.response.shape.items,
  /** in order; what was wrong comes once more behind the items */
  given: z.array(givenSchema),
})
export type Sitting = z.infer<typeof sittingSchema>

const PREFIX = 'superday-due:'

export const dueSittings = {
  /** The one of a local day, null where there is none. */
  load(userId: string, day: string): Sitting | null {
    const sitting = parseStored(deviceStore.get(PREFIX + userId), sittingSchema)
    return sitting?.day === day ? sitting : null
  },
  save(userId: string, sitting: Sitting): void {
    deviceStore.set(PREFIX + userId, JSON.stringify(sitting))
  },
  forget(userId: string): void {
    deviceStore.remove(PREFIX + userId)
  },
}
