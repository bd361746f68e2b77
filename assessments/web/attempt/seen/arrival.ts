import * as z from 'zod/mini'
import { type KeyValueStore, parseStored } from '../../../../platform/web/storage.ts'
import type { WAYS_OPENED } from '../../../violations.ts'

type WayOpened = (typeof WAYS_OPENED)[number]

/** How a page came to the test (product 6.8.17). */
export interface Arrival {
  /** new: first here; reload: the same page again; return: this tab showed the test before, and is back */
  kind: 'new' | 'reload' | 'return'
  opened: WayOpened
}

/** What a tab keeps from the moment its page went until the next one has asked. */
const LEFT_KEY = 'superday-left-test'
const leftSchema = z.object({
  code: z.string(),
  historyLength: z.int(),
  hasForward: z.optional(z.boolean()),
})

/** The page of a running test goes. @param from hasForward: it was reached by Back */
export function noteLeft(
  tab: KeyValueStore,
  code: string,
  from: { historyLength: number; hasForward: boolean },
): void {
  tab.set(LEFT_KEY, JSON.stringify({ code, ...from }))
}

/** The same page is shown again, as it was. */
export function forgetLeft(tab: KeyValueStore): void {
  tab.remove(LEFT_KEY)
}

/**
 * How a document came to the test; asked once, since the tab forgets it. The same address entered again takes its own
 * place in the history: a reload. So does a reload that the network failed, or, in WebKit, it comes one place later;
 * another site and the way back are two places. After a crash and in a new tab it is a new page (product 6.8.19).
 * @param here.isOnTest whether the document itself was opened at the test's address
 */
export function takeArrival(
  tab: KeyValueStore,
  code: string,
  here: { type: string; isOnTest: boolean; historyLength: number },
): Arrival {
  const left = parseStored(tab.get(LEFT_KEY), leftSchema)
  forgetLeft(tab)
  const from = left?.code === code ? left : null
  const opened = here.type === 'reload' || here.type === 'back_forward' ? here.type : 'navigate'
  const further = from ? here.historyLength - from.historyLength : null
  const isEnteredAgain =
    opened === 'navigate' && (further === 0 || (further === 1 && from?.hasForward === false))
  if (here.isOnTest && (opened === 'reload' || isEnteredAgain)) return { kind: 'reload', opened }
  return { kind: from ? 'return' : 'new', opened }
}
