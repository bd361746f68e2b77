import { URLS } from '../../platform/urls.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { fetchScreenAhead } from '../../platform/web/screens.ts'
import { storedSession } from '../../platform/web/session.tsx'
import {
  cellQuestionsQuery,
  progressQuery,
  questionCountsQuery,
  resultsQuery,
  streakQuery,
  testQuestionsQuery,
  todayQuery,
  topicsQuery,
} from './queries.ts'

// These functions prefetch data. Failures are ignored, because the screen fetches again and reports errors.

export function fetchTestAhead(category: string, difficulty: string, testNumber: number): void {
  fetchScreenAhead(URLS.quiz)
  void queryClient.prefetchQuery(testQuestionsQuery(category, difficulty, String(testNumber)))
}

export function fetchListAhead(category: string, difficulty: string): void {
  void queryClient.prefetchQuery(questionCountsQuery)
  void queryClient.prefetchQuery(resultsQuery(category, difficulty))
  void queryClient.prefetchQuery(topicsQuery(category, difficulty))
}

export function fetchTodayAhead(): null {
  if (!storedSession()) return null
  void queryClient.prefetchQuery(todayQuery())
  void queryClient.prefetchQuery(progressQuery)
  void queryClient.prefetchQuery(streakQuery())
  void queryClient.prefetchQuery(questionCountsQuery)
  return null
}

export function fetchCellAhead(category: string, difficulty: string): void {
  fetchScreenAhead(URLS.quiz)
  void queryClient.prefetchQuery(cellQuestionsQuery(category, difficulty))
}

export function onIntent(fetchAhead: () => unknown) {
  return { onPointerEnter: fetchAhead, onPointerDown: fetchAhead, onFocus: fetchAhead }
}
