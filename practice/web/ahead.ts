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

// What is fetched before it is asked for. A failure means nothing: the screen itself fetches again and tells.

/** The quiz and the questions of a test: the first question then shows without a wait, also without a network. */
export function fetchTestAhead(category: string, difficulty: string, testNumber: number): void {
  fetchScreenAhead(URLS.quiz)
  void queryClient.prefetchQuery(testQuestionsQuery(category, difficulty, String(testNumber)))
}

/** What the list of a cell's tests shows. */
export function fetchListAhead(category: string, difficulty: string): void {
  void queryClient.prefetchQuery(questionCountsQuery)
  void queryClient.prefetchQuery(resultsQuery(category, difficulty))
  void queryClient.prefetchQuery(topicsQuery(category, difficulty))
}

/** Fetches what the dashboard shows if a person is signed in. */
export function fetchTodayAhead(): null {
  if (!storedSession()) return null
  void queryClient.prefetchQuery(todayQuery())
  void queryClient.prefetchQuery(progressQuery)
  void queryClient.prefetchQuery(streakQuery())
  void queryClient.prefetchQuery(questionCountsQuery)
  return null
}

/** The quiz and every question of a cell. */
export function fetchCellAhead(category: string, difficulty: string): void {
  fetchScreenAhead(URLS.quiz)
  void queryClient.prefetchQuery(cellQuestionsQuery(category, difficulty))
}

/** For a link: fetches ahead as soon as a finger, a mouse or the focus is on it. */
export function onIntent(fetchAhead: () => unknown) {
  return { onPointerEnter: fetchAhead, onPointerDown: fetchAhead, onFocus: fetchAhead }
}

/** Fetches only the review's code, because its questions are chosen when it opens. */
export function fetchDueAhead(): void {
  import('./due/due.tsx').catch(() => {})
}
