import * as z from 'zod/mini'
import { optionLetterSchema } from '../../../platform/options.ts'
import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'
import { type Case, caseItem } from '../../cases/case.ts'
import type { OutboxItem } from '../outbox.ts'
import type { Tick } from '../sitting/ticks.tsx'

const sittingSchema = z.object({
  /** made here: the session's id with the server */
  id: z.uuid(),
  /** what was answered, in order; an answer stays once Next was pressed (product 3.12.8) */
  given: z.array(
    z.object({ choice: optionLetterSchema, tookMs: z.int(), answeredAt: z.iso.datetime() }),
  ),
  /** chosen and not locked yet */
  chosen: z.optional(optionLetterSchema),
  /** marked lines, 'income.revenue' */
  marks: z.array(z.string()),
})
/** A case under way, as it survives a reload. */
export type CaseSitting = z.infer<typeof sittingSchema>

const PREFIX = 'superday-case:'

/** The cases under way of this device, each under its person. */
function createCaseSittings(store: KeyValueStore) {
  const keyOf = (userId: string, slug: string) => `${PREFIX}${userId}:${slug}`
  return {
    load(userId: string, slug: string): CaseSitting | null {
      const sitting = sittingSchema.safeParse(parseJson(store.get(keyOf(userId, slug))))
      return sitting.success ? sitting.data : null
    },
    save(userId: string, slug: string, sitting: CaseSitting): void {
      store.set(keyOf(userId, slug), JSON.stringify(sitting))
    },
    remove(userId: string, slug: string): void {
      store.remove(keyOf(userId, slug))
    },
    /** Drops everything of a user. */
    forget(userId: string): void {
      for (const key of store.keys(keyOf(userId, ''))) store.remove(key)
    },
  }
}
export const caseSittings = createCaseSittings(deviceStore)

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

/** A tick a question: the head of a case tells no verdict before its end. */
export function caseTicks(count: number, answered: number, shown: number): Tick[] {
  return Array.from({ length: count }, (_, index) =>
    index === shown ? 'now' : index < answered ? 'done' : 'open',
  )
}

/** What the outbox sends: all answers so far. */
export function asOutboxItem(
  { slug, questions }: Case,
  sitting: CaseSitting,
  timeZone: string,
): Extract<OutboxItem, { kind: 'session' }> {
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
      timeZone,
    },
  }
}
