import { deviceTimeZone } from '../../../platform/web/dates.ts'
import { queryClient } from '../../../platform/web/query-client.ts'
import { endpointQuery } from '../../../platform/web/use-endpoint.ts'
import { getSpokenPrompt, type LastAnswer, listSpokenPrompts } from '../../contract/aloud.ts'
import { queryOfToday } from '../queries.ts'

export const spokenPromptsQuery = endpointQuery(listSpokenPrompts, {})

/** A prompt whole, with the days of today. */
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
