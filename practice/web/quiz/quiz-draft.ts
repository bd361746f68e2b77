import * as z from 'zod/mini'
import type { OptionLetter } from '../../../platform/options.ts'
import { optionLetterSchema } from '../../../platform/options.ts'
import type { KeyValueStore } from '../../../platform/web/storage.ts'
import type { Answer, Question } from '../../question.ts'

const draftSchema = z.object({
  /** by question id */
  answers: z.record(z.string(), optionLetterSchema),
  /** the question shown, from 0 */
  index: z.int().check(z.nonnegative()),
  startedAtMs: z.number(),
  savedAtMs: z.number(),
  /** set by Finish, so that a second click or a reload in that moment finishes the same attempt */
  finished: z.optional(
    z.object({ id: z.uuid(), completedAt: z.iso.datetime(), timeZone: z.string() }),
  ),
})
/** A test under way, as it survives a reload. */
export type Draft = z.infer<typeof draftSchema>

/** A draft with the name of its test. */
export interface NamedDraft {
  name: string
  draft: Draft
}

const PREFIX = 'superday-draft:'
const LIFETIME_MS = 7 * 24 * 3600 * 1000
/** How long after Finish a draft still means 'the results were about to be shown'. */
const FINISH_WINDOW_MS = 60_000

/** Names the test of a draft; without a number it is the error-based one of the cell. */
export function draftName(category: string, difficulty: string, testNumber: number | null): string {
  return `${category}/${difficulty}/${testNumber ?? 'error-practice'}`
}

/** The drafts of this device, each kept under its user and its test. */
export function createDrafts(store: KeyValueStore, now: () => number) {
  const keyOf = (userId: string, name: string) => `${PREFIX}${userId}:${name}`

  function read(key: string): Draft | null {
    const text = store.get(key)
    if (text === null) return null
    let parsed: unknown
    try {
      parsed = JSON.parse(text)
    } catch {
      return null
    }
    const draft = draftSchema.safeParse(parsed)
    if (!draft.success || now() - draft.data.savedAtMs > LIFETIME_MS) return null
    const { finished } = draft.data
    return finished && now() - Date.parse(finished.completedAt) > FINISH_WINDOW_MS
      ? null
      : draft.data
  }

  return {
    /** The draft of a test, or null; every draft that is too old is dropped on the way. */
    load(userId: string, name: string): Draft | null {
      for (const key of store.keys(PREFIX)) if (read(key) === null) store.remove(key)
      return read(keyOf(userId, name))
    },
    /** All drafts of a user, the one saved last first. */
    list(userId: string): NamedDraft[] {
      const prefix = keyOf(userId, '')
      return store
        .keys(prefix)
        .flatMap((key) => {
          const draft = read(key)
          return draft ? [{ name: key.slice(prefix.length), draft }] : []
        })
        .sort((a, b) => b.draft.savedAtMs - a.draft.savedAtMs)
    },
    save(userId: string, name: string, draft: Omit<Draft, 'savedAtMs'>): void {
      store.set(keyOf(userId, name), JSON.stringify({ ...draft, savedAtMs: now() }))
    },
    remove(userId: string, name: string): void {
      store.remove(keyOf(userId, name))
    },
    /** Drops everything of a user. */
    forget(userId: string): void {
      for (const key of store.keys(keyOf(userId, ''))) store.remove(key)
    },
  }
}

/**
 * A draft fitted to the questions as they are now: answers to questions that are gone are left out, and
 * nobody stands behind a question they have not answered.
 */
export function fitDraft(
  draft: Draft | null,
  questions: readonly Question[],
  nowMs: number,
): Omit<Draft, 'savedAtMs'> {
  if (!draft) return { answers: {}, index: 0, startedAtMs: nowMs }
  const answers: Record<string, OptionLetter> = {}
  for (const { id } of questions) {
    const answer = draft.answers[id]
    if (answer) answers[id] = answer
  }
  const firstUnanswered = questions.findIndex(({ id }) => !answers[id])
  const isComplete = firstUnanswered === -1
  const furthest = isComplete ? questions.length - 1 : firstUnanswered
  return {
    answers,
    index: Math.min(draft.index, furthest),
    startedAtMs: draft.startedAtMs,
    ...(draft.finished && isComplete ? { finished: draft.finished } : {}),
  }
}

/** The answers of a draft in the questions' order, as results and API take them. */
export function answersOf(draft: Pick<Draft, 'answers'>, questions: readonly Question[]): Answer[] {
  return questions.flatMap(({ id }) => {
    const selectedAnswer = draft.answers[id]
    return selectedAnswer ? [{ questionId: id, selectedAnswer }] : []
  })
}
