import { useEffect, useRef, useState } from 'react'
import { deviceStore } from '../../../platform/web/storage.ts'
import type { Question } from '../../question.ts'
import { createDrafts, type Draft, fitDraft, mergeDrafts, type Progress } from './quiz-draft.ts'

const drafts = createDrafts(deviceStore, Date.now)

/**
 * A test under way on this device (product 3.3.6, 3.3.14, 3.3.15): every change is saved with its times and merged with
 * other tabs' changes. `questions` must stay the same, so give the caller a key.
 */
export function useQuizDraft(
  userId: string,
  name: string,
  questions: readonly Question[],
  mayStayOpen: boolean,
) {
  const fit = (draft: Draft | null) => fitDraft(draft, questions, Date.now(), mayStayOpen)
  const [progress, setProgress] = useState(() => fit(drafts.load(userId, name)))
  // The newest progress. A press and leaving the page can both write before the next render.
  const newest = useRef(progress)
  const clock = useRef(clockFrom(progress.tookMs))
  /** Finish was pressed here: what another tab says of it is no news. */
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: for the life of the test; all it reads is a ref
  useEffect(() => {
    const onStorage = (event: StorageEvent) => {
      const theirs = drafts.heard(userId, name, event)
      if (!theirs || isOver.current) return
      show(mergeDrafts(newest.current, fit(theirs)))
    }
    // The last moment that every browser tells: what was measured until now is kept.
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
      // Left on the way: what was measured since the last answer is kept too.
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

/** Counts a question's time while it and the page are in view, until its answer is judged. */
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

/** A day: what the server takes at most. */
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

/** Whole milliseconds in view of each question by now, a day at most. */
export function readClock({ tookMs, inView }: QuizClock, nowMs: number): Record<string, number> {
  if (!inView) return tookMs
  const before = tookMs[inView.questionId] ?? 0
  const now = Math.round(before + Math.max(0, nowMs - inView.sinceMs))
  return { ...tookMs, [inView.questionId]: Math.min(LONGEST_MS, now) }
}
