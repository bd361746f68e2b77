import { dayAfter, localDay } from '../../platform/local-day.ts'
import { deviceTimeZone } from '../../platform/web/dates.ts'
import { queryClient } from '../../platform/web/query-client.ts'
import { planSession } from '../aloud/session.ts'
import { drillsQuery } from './drill/queries.ts'
import {
  caseQuery,
  casesQuery,
  cellQuestionsQuery,
  dueQuery,
  mistakesQuery,
  progressQuery,
  questionCountsQuery,
  resultsQuery,
  spokenPromptQuery,
  spokenPromptsQuery,
  streakQuery,
  todayQuery,
  topicsQuery,
} from './queries.ts'

// These functions request what an offline day needs (product 3.17.5). The service worker caches the responses, so the
// requests must be the same as those of the screens.

/** The number of cells to cache: the next test's and those practiced last. */
const CELLS = 3
const SITTINGS_ALOUD = 3

type Query<T> = Parameters<typeof queryClient.fetchQuery<T>>[0]

/** Always uses the network, because the service worker caches only requests that pass it. */
// biome-ignore lint/suspicious/noExplicitAny: each query has its own keys and errors
const ask = <T>(query: any): Promise<T> =>
  queryClient.fetchQuery<T>({ ...(query as Query<T>), staleTime: 0, retry: false })

/** Fetches the reviews for today and tomorrow and their dashboard data. Rejects if the network fails. */
export async function prepareDue(nowMs: number): Promise<void> {
  const today = localDay(nowMs, deviceTimeZone())
  for (const day of [today, dayAfter(today, 1)]) {
    await ask(todayQuery(day))
    await ask(dueQuery(day))
  }
  await ask(streakQuery())
  await ask(progressQuery)
}

/** Fetches the next tests, cases and spoken prompts. Rejects if the network fails. */
export async function prepareContent(nowMs: number): Promise<void> {
  await ask(questionCountsQuery)
  await ask(drillsQuery)
  for (const { category, difficulty } of await cellsToKeep()) {
    await ask(cellQuestionsQuery(category, difficulty))
    await ask(topicsQuery(category, difficulty))
    await ask(resultsQuery(category, difficulty))
    await ask(mistakesQuery(category, difficulty))
  }
  const cases = await queryClient.fetchQuery({ ...casesQuery, staleTime: 0 })
  for (const { slug } of cases) await ask(caseQuery(slug))
  const today = localDay(nowMs, deviceTimeZone())
  let prompts = await queryClient.fetchQuery({ ...spokenPromptsQuery, staleTime: 0 })
  for (let sitting = 0; sitting < SITTINGS_ALOUD; sitting += 1) {
    const slugs = planSession(prompts, today)
    for (const slug of slugs) await ask(spokenPromptQuery(slug))
    prompts = prompts.filter(({ slug }) => !slugs.includes(slug))
  }
}

async function cellsToKeep(): Promise<{ category: string; difficulty: string }[]> {
  const { attempts } = await queryClient.fetchQuery(progressQuery)
  const { next } = await queryClient.fetchQuery(todayQuery())
  const cells = new Map(
    [...(next ? [next] : []), ...attempts].map(({ category, difficulty }) => [
      `${category}/${difficulty}`,
      { category, difficulty },
    ]),
  )
  return [...cells.values()].slice(0, CELLS)
}
