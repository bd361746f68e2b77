import { useEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type OptionLetter, optionLetterSchema } from '../../../platform/options.ts'
import { deviceStore, type KeyValueStore } from '../../../platform/web/storage.ts'
import type { Answer, Question } from '../../question.ts'
import { createPersonStore } from '../person-store.ts'

const draftSchema = z.object({
  answers: z.record(z.string(), optionLetterSchema),
  /** when each answer was chosen, in milliseconds since 1970; with two tabs, the later choice wins */
  chosenAtMs: z._default(z.record(z.string(), z.number()), {}),
  tookMs: z._default(z.record(z.string(), z.int().check(z.nonnegative())), {}),
  /** ids of questions whose answer was checked and can't change (product 3.3.16) */
  checked: z._default(z.array(z.int()), []),
  index: z.int().check(z.nonnegative()),
  startedAtMs: z.number(),
  savedAtMs: z.number(),
  /** set by Finish, so a second click or a reload finishes the same attempt */
  finished: z.optional(
    z.object({ id: z.uuid(), completedAt: z.iso.datetime(), timeZone: z.string() }),
  ),
})
export type Draft = z.infer<typeof draftSchema>
export type Progress = Omit<Draft, 'savedAtMs'>

const LIFETIME_MS = 7 * 24 * 3600 * 1000
/** For this long after Finish, a reload leads to the results. */
const FINISH_WINDOW_MS = 60_000

/** Names a test's draft. Without a number, it's the cell's error practice. */
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
    /** Reads another tab's draft from a storage event. Returns null for another test. */
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

/** Removes questions that no longer exist. With `mayStayOpen`, open questions may be submitted (product 3.14.7). */
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

/** Merges two tabs' drafts (product 3.3.14): checked answers, then later choices, the longer time, the first finish. */
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

const drafts = createDrafts(deviceStore, Date.now)

/** A test in progress, merged with other tabs (product 3.3.6, 3.3.14, 3.3.15). `questions` must not change. */
export function useQuizDraft(
  userId: string,
  name: string,
  questions: readonly Question[],
  mayStayOpen: boolean,
) {
  const fit = (draft: Draft | null) => fitDraft(draft, questions, Date.now(), mayStayOpen)
  const [progress, setProgress] = useState(() => fit(drafts.load(userId, name)))
  // A click and leaving the page can both write before the next render.
  const newest = useRef(progress)
  const clock = useRef(clockFrom(progress.tookMs))
  /** After Finish in this tab, changes from other tabs are ignored. */
  const isOver = useRef(false)

  function show(next: Progress): void {
    newest.current = next
    setProgress(next)
  }

  function merged(): Progress {
    const mine = { ...newest.current, tookMs: readClock(clock.current, performance.now()) }
    const stored = drafts.load(userId, name)
    return stored ? mergeDrafts(mine, fit(stored)) : mine
  }

  function keep(change: (current: Progress) => Progress): Progress {
    const next = change(merged())
    show(next)
    drafts.save(userId, name, next)
    return next
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per test and reads only refs
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const theirs = drafts.heard(userId, name, event)
      if (!theirs || isOver.current) return
      show(mergeDrafts(newest.current, fit(theirs)))
    }
    // This is the last event that every browser sends, so measured times are saved now.
    const onHidden = () => {
      const hasAnswers = Object.keys(newest.current.answers).length > 0
      if (document.visibilityState === 'hidden' && hasAnswers && !isOver.current) {
        keep((current) => current)
      }
    }
    addEventListener('storage', onStorage)
    document.addEventListener('visibilitychange', onHidden)
    return () => {
      removeEventListener('storage', onStorage)
      document.removeEventListener('visibilitychange', onHidden)
      // The time since the last answer is saved too.
      if (Object.keys(newest.current.answers).length > 0 && !isOver.current) keep((now) => now)
    }
  }, [])

  return {
    progress,
    isLostOnReload: drafts.isLostOnReload(userId, name),
    keep,
    look: (questionId: number | null) => {
      clock.current = turnTo(clock.current, questionId, performance.now())
    },
    timesNow: () => readClock(clock.current, performance.now()),
    end: () => {
      isOver.current = true
    },
    forget: () => drafts.remove(userId, name),
  }
}

/** Measures a question's time while it and the page are visible, until its answer is checked. */
export function useTimeInView(
  questionId: number | undefined,
  isJudged: boolean,
  look: (questionId: number | null) => void,
): void {
  const latest = useRef(look)
  latest.current = look
  useEffect(() => {
    const turn = () => {
      const isInView = document.visibilityState === 'visible' && !isJudged
      latest.current(isInView ? (questionId ?? null) : null)
    }
    turn()
    document.addEventListener('visibilitychange', turn)
    return () => {
      latest.current(null)
      document.removeEventListener('visibilitychange', turn)
    }
  }, [questionId, isJudged])
}

interface QuizClock {
  tookMs: Record<string, number>
  inView: { questionId: number; sinceMs: number } | null
}

/** The server accepts at most a day. */
const LONGEST_MS = 86_400_000

export function clockFrom(tookMs: Record<string, number>): QuizClock {
  return { tookMs, inView: null }
}

export function turnTo(clock: QuizClock, questionId: number | null, nowMs: number): QuizClock {
  return {
    tookMs: readClock(clock, nowMs),
    inView: questionId === null ? null : { questionId, sinceMs: nowMs },
  }
}

/** Returns the milliseconds in view by question, at most a day each. */
export function readClock({ tookMs, inView }: QuizClock, nowMs: number): Record<string, number> {
  if (!inView) return tookMs
  const before = tookMs[inView.questionId] ?? 0
  const now = Math.round(before + Math.max(0, nowMs - inView.sinceMs))
  return { ...tookMs, [inView.questionId]: Math.min(LONGEST_MS, now) }
}
