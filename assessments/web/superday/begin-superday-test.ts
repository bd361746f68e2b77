import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { URLS } from '../../../platform/urls.ts'
import { call } from '../../../platform/web/api.ts'
import { type KeyValueStore, parseStored, tabStore } from '../../../platform/web/storage.ts'
import { openSuperdayTest } from '../../contract.ts'
import { enterTest } from '../queries.ts'

/** Opens the test of a mock superday, stores its credentials like any candidate's, and opens the test screen. */
export function useBeginSuperdayTest(): (evening: string) => Promise<void> {
  const navigate = useNavigate()
  return async (evening) => {
    const { code, ...credentials } = await call(openSuperdayTest, { params: { id: evening } })
    await enterTest(code, credentials)
    tabStore.set(KEY, JSON.stringify({ code, evening } satisfies SuperdayTestState))
    await navigate(URLS.recruitmentTest)
  }
}

const KEY = 'superday-evening-test'

const stateSchema = z.object({
  code: z.string(),
  evening: z.uuid(),
})
type SuperdayTestState = z.infer<typeof stateSchema>

/** The mock superday that this tab's test belongs to, or null (product 3.15.3). */
export function readSuperdayTest(tab: KeyValueStore, code: string): SuperdayTestState | null {
  const state = parseStored(tab.get(KEY), stateSchema)
  return state?.code === code ? state : null
}
