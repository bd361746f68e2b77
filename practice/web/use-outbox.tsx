import { useQuery } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { call } from '../../platform/web/api.ts'
import { askedWaitMs } from '../../platform/web/api-failure.ts'
import { connectivity } from '../../platform/web/connection/connectivity.ts'
import { browserClock } from '../../platform/web/courier.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { useSession } from '../../platform/web/session.tsx'
import { deviceStore } from '../../platform/web/storage.ts'
import { toast } from '../../platform/web/ui/toast.tsx'
import { isCategory, isDifficulty } from '../categories.ts'
import { saveSpokenAnswer } from '../contract/aloud.ts'
import { saveDrill } from '../contract/drills.ts'
import { saveSession } from '../contract/sessions.ts'
import { completePractice, saveResult } from '../contract.ts'
import { percentageOf } from '../scoring.ts'
import type { Taken } from './dashboard/lead-content.ts'
import { createOutbox, type OutboxItem, outcomeOf } from './outbox.ts'
import { progressQuery, refreshAfterPractice, resultsQuery } from './queries.ts'

/** A hanging connection must not hold up the other items. */
const SEND_LIMIT_MS = 20_000

export const outbox = createOutbox({
  clock: browserClock,
  store: deviceStore,
  send: async (userId, item) => {
    const options = {
      onlyAs: userId,
      keepalive: true,
      signal: AbortSignal.timeout(SEND_LIMIT_MS),
    }
    try {
      if (item.kind === 'result') await call(saveResult, { body: item.body }, options)
      else if (item.kind === 'aloud') {
        await call(saveSpokenAnswer, { params: { prompt: item.prompt }, body: item.body }, options)
      } else if (item.kind === 'session') {
        const { id, ...body } = item.body
        await call(saveSession, { params: { id }, body }, options)
      } else if (item.kind === 'drill') await call(saveDrill, { body: item.body }, options)
      else await call(completePractice, { body: item.body }, options)
      return { outcome: 'sent', askedMs: 0 }
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: save failures are only logged (product 3.3.5)
      console.warn('could not save', item.body.id, error)
      return { outcome: outcomeOf(error), askedMs: askedWaitMs(error) }
    }
  },
  onSent: (item) => {
    if (item.kind === 'result') addToList(item)
    refreshAfterPractice()
  },
  onRefused: ({ kind }) =>
    toast.error(
      kind === 'aloud'
        ? 'A spoken answer could not be saved because the server rejected it.'
        : 'A finished test could not be saved because the server rejected it.',
    ),
})

/** Puts a saved result into its cell's list, so it isn't missing until the next read. */
function addToList({ body, score, totalQuestions }: Extract<OutboxItem, { kind: 'result' }>): void {
  const { id, category, difficulty, testNumber, completedAt } = body
  queryClient.setQueryData(resultsQuery(category, difficulty).queryKey, (list) =>
    list && !list.some((result) => result.id === id)
      ? [{ id, testNumber, score, totalQuestions, completedAt }, ...list]
      : list,
  )
}

export function OutboxRunner() {
  const { user } = useSession()
  const userId = user?.id
  useEffect(() => {
    if (!userId) return
    const stop = outbox.run(userId)
    const stopFollowing = connectivity.subscribe(() => {
      if (!connectivity.isOffline()) outbox.wake()
    })
    // This is only a reason to retry. The server may have been reachable before.
    addEventListener('online', outbox.wake)
    // A hidden page may never come back, so sessions in progress are sent now.
    document.addEventListener('visibilitychange', outbox.wake)
    addEventListener('storage', outbox.changed)
    return () => {
      stop()
      stopFollowing()
      removeEventListener('online', outbox.wake)
      document.removeEventListener('visibilitychange', outbox.wake)
      removeEventListener('storage', outbox.changed)
    }
  }, [userId])
  return null
}

export function useSavingLine(userId: string, id: string, what: 'test' | 'drill' | 'case'): string {
  const state = useSyncExternalStore(outbox.subscribe, () => outbox.stateOf(userId, id))
  if (state === 'saved') return ''
  if (state === 'sending') return 'Saving…'
  return state === 'waiting'
    ? 'Saved when you are back online'
    : `This ${what} could not be saved because the server rejected it.`
}

function useWaiting<K extends OutboxItem['kind']>(userId: string, kind: K) {
  useSyncExternalStore(outbox.subscribe, outbox.getVersion)
  return outbox
    .listWaiting(userId)
    .filter((item): item is Extract<OutboxItem, { kind: K }> => item.kind === kind)
    .reverse()
}

export const useWaitingDrills = (userId: string) => useWaiting(userId, 'drill')

export const useWaitingResults = (userId: string, category: string, difficulty: string) =>
  useWaiting(userId, 'result').filter(
    ({ body }) => body.category === category && body.difficulty === difficulty,
  )

/** Returns all known finished tests, including unsent ones. Undefined while loading, null on failure. */
export function useTaken(userId: string): Taken[] | null | undefined {
  const progress = useQuery(progressQuery)
  const waiting = useWaiting(userId, 'result').map(({ body, score, totalQuestions }) => ({
    ...body,
    percentage: percentageOf(score, totalQuestions),
  }))
  if (!progress.data) return waiting.length > 0 ? waiting : progress.isError ? null : undefined
  const saved = progress.data.attempts.flatMap(({ category, difficulty, ...attempt }) =>
    isCategory(category) && isDifficulty(difficulty) ? [{ ...attempt, category, difficulty }] : [],
  )
  return [...waiting, ...saved]
}
