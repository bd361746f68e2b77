import { queryOptions } from '@tanstack/react-query'
import { localDay } from '../../../platform/local-day.ts'
import { call } from '../../../platform/web/api.ts'
import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { getSpokenPrompt, type LastAnswer, listSpokenPrompts } from '../../contract/aloud.ts'

export const spokenPromptsQuery = queryOptions({
  queryKey: ['aloud', 'list'],
  queryFn: ({ signal }) => call(listSpokenPrompts, {}, { signal }),
})

/** A prompt whole, with the days of today: a new day asks anew. */
export const spokenPromptQuery = (prompt: string) => {
  const timeZone = deviceTimeZone()
  return queryOptions({
    queryKey: ['aloud', prompt, timeZone, localDay(Date.now(), timeZone)],
    queryFn: ({ signal }) =>
      call(getSpokenPrompt, { params: { prompt }, query: { timeZone } }, { signal }),
    staleTime: 300_000,
  })
}

/** An answer stands in the list at once, also before the server has it. */
export function putIntoList(prompt: string, last: LastAnswer, next: string): void {
  queryClient.setQueryData(spokenPromptsQuery.queryKey, (list) =>
    list?.map((one) => (one.slug === prompt ? { ...one, last, next } : one)),
  )
}
