import { queryOptions } from '@tanstack/react-query'
import type { CallInput, Endpoint, ResponseOf } from '../../platform/endpoint.ts'
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

/** The bank changes only with a new version, so its questions are fetched once and serve offline too. */
const KEPT_MS = 24 * 3600 * 1000

const deviceDay = () => localDay(Date.now(), deviceTimeZone())

/** Whether the server has nothing under an id (404, also for another person's), or it is malformed (400). */
export const isMissing = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.status === 404 || error.status === 400)

/** A read as of today: a new day asks again. */
export function queryOfToday<E extends Endpoint>(endpoint: E, input: CallInput<E>) {
  const query = endpointQuery(endpoint, input)
  return queryOptions<ResponseOf<E>>({ ...query, queryKey: [...query.queryKey, deviceDay()] })
}

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
  const variant = attempts > 0 ? { variant: String(attempts) } : {}
  const query = { category, difficulty, testNumber, ...variant }
  return queryOptions({
    ...endpointQuery(getQuestions, { query }),
    queryFn: async ({ signal }) => {
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

/** The ten of a day, today's by default. A sitting under way does not ask (due-sitting.ts). */
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
/** Questions that are being answered: they never change meanwhile. */
const ASKED = ['due', 'build']

export const refreshAfterPractice = (): Promise<void> =>
  queryClient.invalidateQueries({
    predicate: ({ queryKey: [, room, what] }) =>
      CHANGED.includes(room as string) && !ASKED.includes(what as string),
  })

export const slipsQuery = () => queryOfToday(getSlips, { query: { timeZone: deviceTimeZone() } })

/** A person's slips before a test or sitting: its own answers change nothing, so it is read once. */
export const slipsBeforeQuery = (sessionId: string) => ({
  ...endpointQuery(getSlips, { query: { timeZone: deviceTimeZone(), before: sessionId } }),
  staleTime: 'static' as const,
})

export const spokenPromptsQuery = endpointQuery(listSpokenPrompts, {})

export const spokenPromptQuery = (prompt: string) => ({
  ...queryOfToday(getSpokenPrompt, { params: { prompt }, query: { timeZone: deviceTimeZone() } }),
  staleTime: 300_000,
})

/** An answer stands in the list at once, also before the server has it. */
export function putIntoList(prompt: string, last: LastAnswer, next: string): void {
  queryClient.setQueryData(spokenPromptsQuery.queryKey, (list) =>
    list?.map((one) => (one.slug === prompt ? { ...one, last, next } : one)),
  )
}
