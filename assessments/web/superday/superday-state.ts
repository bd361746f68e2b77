import * as z from 'zod/mini'
import type { KeyValueStore } from '../../../platform/web/storage.ts'
import { readJson } from '../attempt/keys.ts'

const KEY = 'superday-evening-test'

const stateSchema = z.object({
  /** of the test */
  code: z.string(),
  /** the evening that it is a part of */
  evening: z.uuid(),
})
export type SuperdayTestState = z.infer<typeof stateSchema>

/** The evening of which the test of this tab is a part, or null (product 3.15.3). */
export function readSuperdayTest(tab: KeyValueStore, code: string): SuperdayTestState | null {
  const state = stateSchema.safeParse(readJson(tab, KEY))
  return state.success && state.data.code === code ? state.data : null
}

export function storeSuperdayTest(tab: KeyValueStore, state: SuperdayTestState): void {
  tab.set(KEY, JSON.stringify(state))
}
