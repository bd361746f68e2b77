import { useEffect, useRef, useState } from 'react'
import { deviceStore } from '../../../platform/web/storage.ts'
import type { Question } from '../../question.ts'
import { clockFrom, readClock, turnTo } from './quiz-clock.ts'
import { createDrafts, type Draft, fitDraft, mergeDrafts, type Progress } from './quiz-draft.ts'

const drafts = createDrafts(deviceStore, Date.now)

/**
 * A test under way as this device keeps it (product 3.3.6, 3.3.14, 3.3.15): every change is saved at once with
 * the times measured so far, merged with what another tab of the same test saved, and another tab's changes
 * are heard as they come.
 * @param questions must stay the same; a key on whoever calls this makes another test a new one
 * @param mayStayOpen it may be handed in with questions open
 */
export function useQuizDraft(
  userId: string,
  name: string,
  questions: readonly Question[],
  mayStayOpen: boolean,
) {
  const fit = (draft: Draft | null) => fitDraft(draft, questions, Date.now(), mayStayOpen)
  const [progress, setProgress] = useState(() => fit(drafts.load(userId, name)))
  // What is newest, for whoever writes twice before the next render: a press and the page that is left.
  const newest = useRef(progress)
  const clock = useRef(clockFrom(progress.tookMs))
  /** Finish was pressed here: what another tab says of it is no news. */
  const isOver = useRef(false)

  function show(next: Progress): void {
    newest.current = next
    setProgress(next)
  }

  /** What is newest here with what another tab saved meanwhile. */
  function merged(): Progress {
    const mine = { ...newest.current, tookMs: readClock(clock.current, performance.now()) }
    const stored = drafts.load(userId, name)
    return stored ? mergeDrafts(mine, fit(stored)) : mine
  }

  /** Changes the draft, and returns it as it is saved. */
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
    /** Says which question is in view from now on; null for none. */
    look: (questionId: number | null) => {
      clock.current = turnTo(clock.current, questionId, performance.now())
    },
    /** How long each question has been in view by now, milliseconds by question id. */
    timesNow: () => readClock(clock.current, performance.now()),
    /** From here on the results are shown; the draft is of no more use once they are. */
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
