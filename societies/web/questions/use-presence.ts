import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '../../../platform/web/api.ts'
import { beAtQuestion } from '../../contract/questions.ts'
import { assessmentKey } from '../console/queries.ts'
import type { Desk } from './queries.ts'

/** How often it is said who is here, milliseconds; a hidden page says nothing. */
const EVERY_MS = 10_000

/**
 * Says at which question one is and hears who else is where; what somebody has changed meanwhile is read again.
 * @param question null for none
 */
export function usePresence(desk: Desk, question: string | null, isOn: boolean) {
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['presence', desk.society, desk.code, question],
    queryFn: ({ signal }) =>
      call(beAtQuestion, { params: { ...desk }, body: { question } }, { signal }),
    refetchInterval: EVERY_MS,
    staleTime: 0,
    gcTime: 0,
    retry: false,
    enabled: isOn,
  })
  const seen = useRef<string | undefined>(undefined)
  const state = data?.stateVersion
  useEffect(() => {
    if (state !== undefined && seen.current !== undefined && seen.current !== state) {
      void client.invalidateQueries({ queryKey: assessmentKey(desk.society, desk.code) })
    }
    if (state !== undefined) seen.current = state
  }, [state, client, desk.society, desk.code])
  return data?.others ?? []
}
