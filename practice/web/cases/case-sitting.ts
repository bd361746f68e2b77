import * as z from 'zod/mini'
import { optionLetterSchema } from '../../../platform/options.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { deviceStore } from '../../../platform/web/storage.ts'
import { type Case, caseItem } from '../../cases/case.ts'
import type { OutboxItem } from '../outbox.ts'
import { createPersonStore } from '../person-store.ts'

const sittingSchema = z.object({
  id: z.uuid(),
  given: z.array(
    z.object({ choice: optionLetterSchema, tookMs: z.int(), answeredAt: z.iso.datetime() }),
  ),
  chosen: z.optional(optionLetterSchema),
  marks: z.array(z.string()),
})
export type CaseSitting = z.infer<typeof sittingSchema>

export const caseSittings = createPersonStore(deviceStore, 'case', sittingSchema)

export function asOutboxItem({ slug, questions }: Case, sitting: CaseSitting): OutboxItem {
  return {
    kind: 'session',
    body: {
      id: sitting.id,
      kind: 'case',
      about: { case: slug },
      answers: sitting.given.map((given, place) => ({
        place,
        item: caseItem(slug, place + 1),
        ...given,
      })),
      isFinished: sitting.given.length === questions.length,
      completedAt: sitting.given.at(-1)?.answeredAt ?? new Date(0).toISOString(),
      timeZone: deviceTimeZone(),
    },
  }
}
