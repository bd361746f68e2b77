import * as z from 'zod/mini'
import { type KeyValueStore, parseStored } from '../../../../platform/web/storage.ts'
import type { WAYS_OPENED } from '../../../violations.ts'

type WayOpened = (typeof WAYS_OPENED)[number]

/** How a page arrived at the test (product 6.8.17). */
export interface Arrival {
  /** new: the first page here. reload: the same page again. return: this tab showed the test before and came back. */
  kind: 'new' | 'reload' | 'return'
  opened: WayOpened
}

/** Stored in the tab when its page closes, until the next page reads it. */
const LEFT_KEY = 'superday-left-test'
const leftSchema = z.object({
  code: z.string(),
  historyLength: z.int(),
  hasForward: z.optional(z.boolean()),
})

/** Notes that the page of a running test closes. @param from hasForward: Back led to it */
export function noteLeft(
  tab: KeyValueStore,
  code: string,
  from: { historyLength: number; hasForward: boolean },
): void {
  tab.set(LEFT_KEY, JSON.stringify({ code, ...from }))
}

/** Deletes the note when the same page is shown again. */
export function forgetLeft(tab: KeyValueStore): void {
  tab.remove(LEFT_KEY)
}

/**
 * Determines how a document arrived at the test, once, since it deletes the tab's note. Entering the same address again
 * keeps the history length, so it is a reload. So is a reload after a network error, which adds one entry in WebKit.
 * Another site and the way back add two. After a crash or in a new tab, the page is new (product 6.8.19).
 * @param here.isOnTest whether the document was opened at the test's address
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
