import { queryOptions } from '@tanstack/react-query'
import { useEffect, useReducer } from 'react'
import { call } from '../../platform/web/api.ts'
import { tabStore } from '../../platform/web/storage.ts'
import { listAssessments, verifyCandidate } from '../contract.ts'
import { storeCandidate, type TypedCredentials } from './attempt/candidate.ts'

export const assessmentsQuery = queryOptions({
  queryKey: ['assessments'],
  queryFn: async ({ signal }) => {
    const listed = await call(listAssessments, {}, { signal })
    const nowMs = performance.now()
    return listed.map(({ closesInMs, ...process }) => ({
      ...process,
      /** The last moment to start, by the page's monotonic clock, because the device's clock may be wrong. */
      closesAtMs: closesInMs === null ? null : nowMs + closesInMs,
    }))
  },
})
export type Process = Awaited<ReturnType<NonNullable<typeof assessmentsQuery.queryFn>>>[number]

/** Checks society credentials and stores the candidate in this tab. Errors: ApiFailure. */
export async function enterTest(code: string, credentials: TypedCredentials) {
  const entered = await call(verifyCandidate, { params: { code }, body: credentials })
  const { username } = credentials
  storeCandidate(tabStore, { code, username, token: entered.candidateToken })
  return entered
}

/** The longest delay that setTimeout supports. Longer ones fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Whether the last moment to start has passed. Updates while the page is open (product 6.1.9). */
export function useIsClosed(processes: readonly Process[]): (process: Process) => boolean {
  const [, look] = useReducer((looks: number) => looks + 1, 0)
  const nowMs = performance.now()
  const moments = processes.flatMap(({ closesAtMs }) => closesAtMs ?? [])
  const next = Math.min(...moments.filter((moment) => moment >= nowMs))

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = () => {
      const leftMs = next - performance.now()
      if (leftMs < 0) look()
      // Some browsers round this clock down, so this waits one millisecond longer.
      else timer = setTimeout(wait, Math.min(leftMs + 1, LONGEST_TIMER_MS))
    }
    if (next !== Number.POSITIVE_INFINITY) wait()
    return () => clearTimeout(timer)
  }, [next])

  return ({ closesAtMs }) => closesAtMs !== null && closesAtMs < nowMs
}
