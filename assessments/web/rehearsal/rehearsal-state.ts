import * as z from 'zod/mini'
import { type KeyValueStore, parseStored } from '../../../platform/web/storage.ts'
import { REMARKS, TROUBLES } from '../../rehearsal.ts'

const KEY = 'superday-rehearsal'

const stateSchema = z.object({
  code: z.string(),
  /** The token from verify, which also sends the outcome after the test. */
  candidateToken: z.string(),
  /** The link that opened it, for another rehearsal. */
  link: z.object({ token: z.optional(z.string()), assessment: z.optional(z.string()) }),
  label: z.string(),
  contact: z.nullable(z.string()),
  navigator: z.boolean(),
  keptFor: z.enum(['nobody', 'candidate', 'helper']),
  /** How often the candidate left the page, as the page saw it. */
  timesLeft: z.int(),
  wasFullscreen: z.boolean(),
  /** The planned outage: not yet, cut, or survived once an answer got through afterwards. */
  loss: z.enum(['to_come', 'cut', 'survived']),
  outcome: z.nullable(
    z.object({
      browser: z.string(),
      findings: z.array(z.enum([...TROUBLES, ...REMARKS])),
      isReady: z.boolean(),
      isKept: z.boolean(),
      clockOffsetMs: z.int(),
      roundTripMs: z.int(),
      screenWidth: z.int(),
      screenHeight: z.int(),
    }),
  ),
})
export type RehearsalState = z.infer<typeof stateSchema>

export const readRehearsal = (tab: KeyValueStore): RehearsalState | null =>
  parseStored(tab.get(KEY), stateSchema)

export function storeRehearsal(tab: KeyValueStore, state: RehearsalState): void {
  tab.set(KEY, JSON.stringify(state))
}

/** Stores a change if this tab's test is a rehearsal. */
export function noteInRehearsal(
  tab: KeyValueStore,
  code: string,
  change: (state: RehearsalState) => Partial<RehearsalState>,
): void {
  const state = readRehearsal(tab)
  if (state?.code === code) storeRehearsal(tab, { ...state, ...change(state) })
}
