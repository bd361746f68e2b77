import * as z from 'zod/mini'
import { type OptionLetter, optionLetterSchema } from '../../../platform/options.ts'
import type { KeyValueStore } from '../../../platform/web/storage.ts'
import type { Answer, Question } from '../../question.ts'
import { createPersonStore } from '../person-store.ts'

const draftSchema = z.object({
  answers: z.record(z.string(), optionLetterSchema),
  /** when each answer was chosen, milliseconds since 1970: of two tabs' choices the later one stands */
  chosenAtMs: z._default(z.record(z.string(), z.number()), {}),
  tookMs: z._default(z.record(z.string(), z.int().check(z.nonnegative())), {}),
  /** ids of questions whose answer was judged, and is fixed (product 3.3.16) */
  checked: z._default(z.array(z.int()), []),
  index: z.int().check(z.nonnegative()),
  startedAtMs: z.number(),
  savedAtMs: z.number(),
  /** set by Finish, so that a second click or a reload in that moment finishes the same attempt */
  finished: z.optional(
    z.object({ id: z.uuid(), completedAt: z.iso.datetime(), timeZone: z.string() }),
  ),
})
export type Draft = z.infer<typeof draftSchema>
export type Progress = Omit<Draft, 'savedAtMs'>

const LIFETIME_MS = 7 * 24 * 3600 * 1000
/** How long after Finish a draft still means 'the results were about to be shown'. */
const FINISH_WINDOW_MS = 60_000

/** Names the test of a draft; without a number it is the error-based one of the cell. */
export function draftName(category: string, difficulty: string, testNumber: number | null): string {
  return `${category}/${difficulty}/${testNumber ?? 'error-practice'}`
}

const BUILT = 'built/'

export const builtDraftName = (search: string): string => `${BUILT}${search}`

export const builtSearchOf = (name: string): string | null =>
  name.startsWith(BUILT) ? name.slice(BUILT.length) : null

export function createDrafts(store: KeyValueStore, now: () => number) {
  const drafts = createPersonStore(store, 'test', draftSchema, ({ savedAtMs, finished }) => {
    if (now() - savedAtMs > LIFETIME_MS) return false
    return !finished || now() - Date.parse(finished.completedAt) <= FINISH_WINDOW_MS
  })
  return {
    ...drafts,
    /** The draft of a test that a tab wrote, as its storage event tells; null for another test's. */
    heard(userId: string, name: string, event: { key: string | null; newValue: string | null }) {
      return event.key === drafts.keyOf(userId, name) ? drafts.parse(event.newValue) : null
    },
    list: (userId: string) =>
      drafts.list(userId).sort((a, b) => b.value.savedAtMs - a.value.savedAtMs),
    save(userId: string, name: string, draft: Progress): void {
      drafts.save(userId, name, { ...draft, savedAtMs: now() })
    },
  }
}
export type Drafts = ReturnType<typeof createDrafts>

/**
 * A draft fitted to today's questions: gone ones are dropped, and the index is no further than the first unanswered.
 * `mayStayOpen`: it may be handed in with questions open (product 3.14.7).
 */
export function fitDraft(
  draft: Draft | null,
  questions: readonly Question[],
  nowMs: number,
  mayStayOpen = false,
): Progress {
  if (!draft) {
    return { answers: {}, chosenAtMs: {}, tookMs: {}, checked: [], index: 0, startedAtMs: nowMs }
  }
  const known = new Set(questions.map(({ id }) => String(id)))
  const fitted = <T>(byId: Record<string, T>): Record<string, T> =>
    Object.fromEntries(Object.entries(byId).filter(([id]) => known.has(id)))
  const answers = fitted(draft.answers)
  const firstUnanswered = questions.findIndex(({ id }) => !answers[id])
  const isComplete = firstUnanswered === -1
  const furthest = isComplete ? questions.length - 1 : firstUnanswered
  return {
    answers,
    chosenAtMs: fitted(draft.chosenAtMs),
    tookMs: fitted(draft.tookMs),
    checked: draft.checked.filter((id) => answers[id]),
    index: Math.min(draft.index, furthest),
    startedAtMs: draft.startedAtMs,
    ...(draft.finished && (isComplete || mayStayOpen) ? { finished: draft.finished } : {}),
  }
}

/** Merges two tabs' drafts (product 3.3.14): judged answers, then later choices; the longer time; the first finish. */
export function mergeDrafts(mine: Progress, theirs: Progress): Progress {
  const answers: Record<string, OptionLetter> = { ...theirs.answers }
  const chosenAtMs: Record<string, number> = { ...theirs.chosenAtMs }
  for (const [id, answer] of Object.entries(mine.answers)) {
    const [isMineFixed, isTheirsFixed] = [mine, theirs].map((draft) =>
      draft.checked.includes(Number(id)),
    )
    const isMineLater = (mine.chosenAtMs[id] ?? 0) >= (theirs.chosenAtMs[id] ?? 0)
    if (answers[id] && (isMineFixed === isTheirsFixed ? !isMineLater : isTheirsFixed)) continue
    answers[id] = answer
    chosenAtMs[id] = mine.chosenAtMs[id] ?? 0
  }
  const tookMs = { ...theirs.tookMs }
  for (const [id, ms] of Object.entries(mine.tookMs)) tookMs[id] = Math.max(ms, tookMs[id] ?? 0)
  const finished = theirs.finished ?? mine.finished
  return {
    answers,
    chosenAtMs,
    tookMs,
    checked: [...new Set([...mine.checked, ...theirs.checked])],
    index: mine.index,
    startedAtMs: Math.min(mine.startedAtMs, theirs.startedAtMs),
    ...(finished && { finished }),
  }
}

export function answersOf(draft: Pick<Draft, 'answers'>, questions: readonly Question[]): Answer[] {
  return questions.flatMap(({ id }) => {
    const selectedAnswer = draft.answers[id]
    return selectedAnswer ? [{ questionId: id, selectedAnswer }] : []
  })
}
