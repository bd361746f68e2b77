import { queryOptions } from '@tanstack/react-query'
import { localDay } from '../../platform/local-day.ts'
import { ApiFailure, call } from '../../platform/web/api.ts'
import { deviceTimeZone } from '../../platform/web/dates.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { getCase, listCases } from '../contract/cases.ts'
import { getReturns } from '../contract/sessions.ts'
import { getDue, getToday } from '../contract/today.ts'
import { getQuestionTopics, getWeakTopics } from '../contract/topics.ts'
import {
  getMistakes,
  getProgress,
  getQuestionCounts,
  getQuestions,
  getResult,
  getStreak,
  listResults,
} from '../contract.ts'
import type { Question } from '../question.ts'
import { questionsOfTest } from '../test-of-ten.ts'

/** The bank changes only with a new version, so its questions are fetched once and serve offline too. */
const KEPT_MS = 24 * 3600 * 1000

export const questionCountsQuery = queryOptions({
  queryKey: ['questions', 'counts'],
  queryFn: ({ signal }) => call(getQuestionCounts, {}, { signal }),
  staleTime: KEPT_MS,
})

/** What the questions of a cell are about: the titles of its tests are made of it. */
export const topicsQuery = (category: string, difficulty: string) =>
  queryOptions({
    queryKey: ['questions', category, difficulty, 'topics'],
    queryFn: ({ signal }) =>
      call(getQuestionTopics, { query: { category, difficulty } }, { signal }),
    staleTime: KEPT_MS,
  })

export const cellQuestionsQuery = (category: string, difficulty: string) =>
  queryOptions({
    queryKey: ['questions', category, difficulty, 'all'],
    queryFn: ({ signal }) => call(getQuestions, { query: { category, difficulty } }, { signal }),
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
  })

/** One test's questions, unless the whole cell is here; from the second attempt on variants (product 3.12.2). */
export const testQuestionsQuery = (
  category: string,
  difficulty: string,
  testNumber: string,
  attempts = 0,
) => {
  const cell = cellQuestionsQuery(category, difficulty)
  const ownQuestions = (): Question[] | undefined => {
    const inIdOrder = queryClient.getQueryData(cell.queryKey)
    return inIdOrder && questionsOfTest(inIdOrder, Number(testNumber))
  }
  return queryOptions({
    queryKey: ['questions', category, difficulty, testNumber, attempts],
    queryFn: async ({ signal }) => {
      const variant = attempts > 0 ? { variant: String(attempts) } : {}
      const query = { category, difficulty, testNumber, ...variant }
      try {
        return await call(getQuestions, { query }, { signal })
      } catch (error) {
        // 0: no answer came.
        if (signal.aborted || !(error instanceof ApiFailure && error.status === 0)) throw error
        const known = ownQuestions()
        if (known) return known
        // The whole cell may lie in this browser (product 3.17.4), where the test alone does not.
        const inIdOrder = await call(getQuestions, { query: { category, difficulty } }, { signal })
        return questionsOfTest(inIdOrder, Number(testNumber))
      }
    },
    staleTime: KEPT_MS,
    gcTime: KEPT_MS,
    initialData: () => (attempts === 0 ? ownQuestions() : undefined),
    initialDataUpdatedAt: () => queryClient.getQueryState(cell.queryKey)?.dataUpdatedAt,
  })
}

export const resultsQuery = (category: string, difficulty: string) =>
  queryOptions({
    queryKey: ['results', category, difficulty],
    queryFn: ({ signal }) => call(listResults, { query: { category, difficulty } }, { signal }),
  })

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

/** What goes worst; the hub leads on with it. */
export const weakTopicsQuery = queryOptions({
  queryKey: ['progress', 'weak-topics'],
  queryFn: ({ signal }) => call(getWeakTopics, {}, { signal }),
})

/** The streak as of today: a new day asks anew. */
export const streakQuery = () => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['streak', timeZone, localDay(Date.now(), timeZone)],
    queryFn: ({ signal }) => call(getStreak, { query: { timeZone } }, { signal }),
  })
}

const deviceDay = () => localDay(Date.now(), deviceTimeZone())

/** What there is to do on a day, today where none is named. */
export const todayQuery = (day = deviceDay()) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['practice', 'today', timeZone, day],
    queryFn: ({ signal }) => call(getToday, { query: { timeZone, day } }, { signal }),
  })
}

/** On which day each of some questions comes back (product 3.5.14). */
export const returnsQuery = (questionIds: readonly number[]) => {
  const items = questionIds.join(',')
  return queryOptions({
    queryKey: ['practice', 'returns', items],
    queryFn: ({ signal }) => call(getReturns, { query: { items } }, { signal }),
    enabled: items !== '',
  })
}

/** The ten of a day, today's by default. A sitting under way does not ask (due-sitting.ts). */
export const dueQuery = (day = deviceDay()) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['due', timeZone, day],
    queryFn: ({ signal }) => call(getDue, { query: { timeZone, day } }, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
}

export const casesQuery = queryOptions({
  queryKey: ['cases'],
  queryFn: ({ signal }) => call(listCases, {}, { signal }),
})

export const caseQuery = (slug: string) =>
  queryOptions({
    queryKey: ['cases', slug],
    queryFn: ({ signal }) => call(getCase, { params: { slug } }, { signal }),
    staleTime: KEPT_MS,
  })

/** After something was finished: what shows it is read anew. */
export function refreshAfterPractice(): void {
  const keys = [
    ...['results', 'mistakes', 'progress', 'streak', 'practice', 'drills', 'aloud', 'cases'],
    'superdays',
  ]
  for (const key of keys) {
    void queryClient.invalidateQueries({ queryKey: [key] })
  }
}
