import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Endpoint } from '../../platform/endpoint.ts'
import { localDay } from '../../platform/local-day.ts'
import { ApiFailure, call } from '../../platform/web/api.ts'
import { deviceTimeZone } from '../../platform/web/dates.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { endpointQuery } from '../../platform/web/use-endpoint.ts'
import { getCase, listCases } from '../cases/case.ts'
import { getSpokenPrompt, type LastAnswer, listSpokenPrompts } from '../contract/aloud.ts'
import { getReturns, getSlips } from '../contract/sessions.ts'
import { getDue, getToday } from '../contract/today.ts'
import {
  getMistakes,
  getProgress,
  getQuestionCounts,
  getQuestions,
  getQuestionTopics,
  getResult,
  getStreak,
  getWeakTopics,
  listResults,
} from '../contract.ts'
import type { Question } from '../question.ts'
import { questionsOfTest } from '../test-of-ten.ts'

/** The bank changes only with a new version, so questions are fetched once and also work offline. */
const KEPT_MS = 24 * 3600 * 1000

const deviceDay = () => localDay(Date.now(), deviceTimeZone())

/** Whether the id is unknown or belongs to another person (404), or is malformed (400). */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 400)

/** Caches a read for today. A new day fetches again. */
export const queryOfToday = <E extends Endpoint>(endpoint: E, input: CallInput<E>) =>
  endpointQuery(endpoint, input, [deviceDay()])

export const questionCountsQuery = {
  ...endpointQuery(getQuestionCounts, {}),
  staleTime: KEPT_MS,
}

export const topicsQuery = (category: string, difficulty: string) => ({
  ...endpointQuery(getQuestionTopics, { query: { category, difficulty } }),
  staleTime: KEPT_MS,
})

export const cellQuestionsQuery = (category: string, difficulty: string) => ({
  ...endpointQuery(getQuestions, { query: { category, difficulty } }),
  staleTime: KEPT_MS,
  gcTime: KEPT_MS,
})

/** Loads one test's questions, from the second attempt on as variants (product 3.12.2), or uses a cached cell. */
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
  const variant = attempts > 0 ? { variant: String(attempts) } : {}
  const query = { category, difficulty, testNumber, ...variant }
  return queryOptions({
    ...endpointQuery(getQuestions, { query }),
    queryFn: async ({ signal }) => {
      try {
        return await call(getQuestions, { query }, { signal })
      } catch (error) {
        // Status 0 means that no response arrived.
        if (signal.aborted || !(error instanceof ApiFailure && error.status === 0)) throw error
        const known = ownQuestions()
        if (known) return known
        // This browser may have the whole cell but not this test (product 3.17.4).
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
  endpointQuery(listResults, { query: { category, difficulty } })

export const resultQuery = (id: string) => ({
  ...endpointQuery(getResult, { params: { id } }),
  staleTime: 'static' as const,
})

export const mistakesQuery = (category: string, difficulty: string) => ({
  ...endpointQuery(getMistakes, { query: { category, difficulty } }),
  staleTime: 0,
})

export const progressQuery = endpointQuery(getProgress, {})

export const weakTopicsQuery = endpointQuery(getWeakTopics, {})

export const streakQuery = () => queryOfToday(getStreak, { query: { timeZone: deviceTimeZone() } })

export const todayQuery = (day = deviceDay()) =>
  endpointQuery(getToday, { query: { timeZone: deviceTimeZone(), day } })

export const returnsQuery = (questionIds: readonly number[]) => ({
  ...endpointQuery(getReturns, { query: { items: questionIds.join(',') } }),
  enabled: questionIds.length > 0,
})

/** Loads a day's ten questions, today's by default. A sitting in progress has its own (due-sitting.ts). */
export const dueQuery = (day = deviceDay()) => ({
  ...endpointQuery(getDue, { query: { timeZone: deviceTimeZone(), day } }),
  staleTime: 0,
  gcTime: 0,
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
})

export const casesQuery = endpointQuery(listCases, {})

export const caseQuery = (slug: string) => ({
  ...endpointQuery(getCase, { params: { slug } }),
  staleTime: KEPT_MS,
})

const CHANGED = ['results', 'mistakes', 'progress', 'streak', 'practice']
/** These questions must not change while a person answers them. */
const ASKED = ['due', 'build']

export const refreshAfterPractice = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [, room, what] }) =>
      CHANGED.includes(room as string) && !ASKED.includes(what as string),
  })

export const slipsQuery = () => queryOfToday(getSlips, { query: { timeZone: deviceTimeZone() } })

/** A person's mistakes before a test or sitting. Its own answers change nothing, so it's read once. */
export const slipsBeforeQuery = (sessionId: string) => ({
  ...endpointQuery(getSlips, { query: { timeZone: deviceTimeZone(), before: sessionId } }),
  staleTime: 'static' as const,
})

export const spokenPromptsQuery = endpointQuery(listSpokenPrompts, {})

export const spokenPromptQuery = (prompt: string) => ({
  ...queryOfToday(getSpokenPrompt, { params: { prompt }, query: { timeZone: deviceTimeZone() } }),
  staleTime: 300_000,
})

/** Puts an answer into the list before the server has it. */
export function putIntoList(prompt: string, last: LastAnswer, next: string): void {
  queryClient.setQueryData(spokenPromptsQuery.queryKey, (list) =>
    list?.map((one) => (one.slug === prompt ? { ...one, last, next } : one)),
  )
}
