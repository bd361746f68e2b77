import { QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { getContact, getProfile } from '../../accounts/contract.ts'
import { listAssessments } from '../../assessments/contract.ts'
import { getDaily } from '../../daily/contract.ts'
import { ApiFailure, call } from '../../platform/web/api.ts'
import { askedWaitMs, retryPauseMs } from '../../platform/web/retry.ts'
import {
  getMistakes,
  getQuestionCounts,
  getQuestions,
  getResult,
  listResults,
} from '../contract.ts'
import { getProgress } from '../progress-contract.ts'
import type { Question } from '../question.ts'
import { questionsOfTest } from '../scoring.ts'
import { localDay } from '../streak.ts'
import { getStreak } from '../streak-contract.ts'

/** The device's IANA time zone. */
export function deviceTimeZone(): string {
  // Some privacy settings leave it out.
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'
}

export const queryClient = new QueryClient({
  // Streak, progress and profile show no error: it is only logged (specification, section 8, Silent).
  queryCache: new QueryCache({
    onError: (error, query) => {
      // biome-ignore lint/suspicious/noConsole: the specification wants fetch errors logged
      console.warn('could not load', query.queryKey.join(' / '), error.message)
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // A refusal stays a refusal; what may pass is tried again.
      retry: (count, error) => count < 2 && error instanceof ApiFailure && error.isTemporary,
      retryDelay: (count, error) => retryPauseMs(count, askedWaitMs(error), Math.random),
      // A phone in a tunnel: try at once and show the error, rather than wait for 'online' in silence.
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => call(getProfile, {}, { signal }),
})

export const contactQuery = queryOptions({
  queryKey: ['contact'],
  queryFn: ({ signal }) => call(getContact, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const questionCountsQuery = queryOptions({
  queryKey: ['questions', 'counts'],
  queryFn: ({ signal }) => call(getQuestionCounts, {}, { signal }),
  staleTime: 300_000,
})

/** All questions of a cell. */
export const cellQuestionsQuery = (category: string, difficulty: string) =>
  queryOptions({
    queryKey: ['questions', category, difficulty, 'all'],
    queryFn: ({ signal }) => call(getQuestions, { query: { category, difficulty } }, { signal }),
    staleTime: 300_000,
  })

/** The questions of one test; nothing is asked for when the whole cell is here already. */
export const testQuestionsQuery = (category: string, difficulty: string, testNumber: string) => {
  const cell = cellQuestionsQuery(category, difficulty)
  return queryOptions({
    queryKey: ['questions', category, difficulty, testNumber],
    queryFn: ({ signal }) =>
      call(getQuestions, { query: { category, difficulty, testNumber } }, { signal }),
    staleTime: 300_000,
    initialData: (): Question[] | undefined => {
      const inIdOrder = queryClient.getQueryData(cell.queryKey)
      return inIdOrder && questionsOfTest(inIdOrder, Number(testNumber))
    },
    initialDataUpdatedAt: () => queryClient.getQueryState(cell.queryKey)?.dataUpdatedAt,
  })
}

/** The saved results of a cell, newest first. */
export const resultsQuery = (category: string, difficulty: string) =>
  queryOptions({
    queryKey: ['results', category, difficulty],
    queryFn: ({ signal }) => call(listResults, { query: { category, difficulty } }, { signal }),
  })

/** One saved result with its review. */
export const resultQuery = (id: string) =>
  queryOptions({
    queryKey: ['results', id],
    queryFn: ({ signal }) => call(getResult, { params: { id } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const mistakesQuery = (category: string, difficulty: string) =>
  queryOptions({
    queryKey: ['mistakes', category, difficulty],
    queryFn: ({ signal }) => call(getMistakes, { query: { category, difficulty } }, { signal }),
    staleTime: 0,
  })

export const progressQuery = queryOptions({
  queryKey: ['progress'],
  queryFn: ({ signal }) => call(getProgress, {}, { signal }),
})

/** The streak as of today: a new day asks anew. */
export const streakQuery = () => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['streak', timeZone, localDay(Date.now(), timeZone)],
    queryFn: ({ signal }) => call(getStreak, { query: { timeZone } }, { signal }),
  })
}

/** How soon a server whose day has not begun yet is asked again. */
const DAY_CHECK_MS = 60_000

/**
 * The brainteaser of today. Which day that is, the server says; `today` is the device's own, so that a
 * new one asks anew.
 */
export const todaysDailyQuery = (today: string) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['daily', timeZone, 'today', today],
    queryFn: ({ signal }) => call(getDaily, { query: { timeZone } }, { signal }),
    // A device whose clock is ahead is told yesterday's for a while.
    refetchInterval: ({ state }) => (state.data && state.data.date < today ? DAY_CHECK_MS : false),
  })
}

/** The brainteaser of one of the past seven days. */
export const pastDailyQuery = (date: string) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['daily', timeZone, date],
    queryFn: ({ signal }) => call(getDaily, { query: { timeZone, date } }, { signal }),
  })
}

/** The societies' open processes. */
export const assessmentsQuery = queryOptions({
  queryKey: ['assessments'],
  queryFn: ({ signal }) => call(listAssessments, {}, { signal }),
})

/** After something was finished: what shows it is read anew. */
export function refreshAfterPractice(): void {
  for (const key of ['results', 'mistakes', 'progress', 'streak']) {
    void queryClient.invalidateQueries({ queryKey: [key] })
  }
}
