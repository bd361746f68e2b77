import {
  type AttemptLog,
  choicesMade,
  type LoggedEvent,
  type LoggedWindow,
} from '../../../assessments/attempt-log.ts'
import { EVENT_KINDS } from '../../../assessments/violations.ts'

export type Told = Partial<LoggedEvent> & { kind: string }

const isPageKind = (kind: string) => (EVENT_KINDS as readonly string[]).includes(kind)

/**
 * A log of events in order. Page events are numbered by page, received immediately, and from page 'w1' unless they say
 * otherwise. Pages are ready unless `unready` names them.
 */
export function logOf(
  told: readonly Told[],
  { unready = [], ...more }: Partial<AttemptLog> & { unready?: string[] } = {},
): AttemptLog {
  const windows = new Map<string, LoggedWindow>()
  const events = told.map((one, index): LoggedEvent => {
    const windowId = one.windowId === undefined ? 'w1' : one.windowId
    const atMs = one.atMs ?? 0
    const heardMs = one.heardMs ?? atMs
    const known = windows.get(windowId ?? '')
    const window = known ?? {
      id: windowId ?? '',
      openedMs: heardMs,
      isReady: !unready.includes(windowId ?? ''),
      lastEvent: 0,
      told: [],
      savedMs: [],
    }
    const number = one.number ?? (isPageKind(one.kind) ? window.told.length + 1 : null)
    if (windowId !== null) {
      windows.set(windowId, {
        ...window,
        told: number === null ? window.told : [...window.told, [number, atMs, heardMs]],
        savedMs: one.kind === 'saved' ? [...window.savedMs, heardMs] : window.savedMs,
      })
    }
    return {
      id: index + 1,
      detail: null,
      isViolation: false,
      isVoided: false,
      voidReason: null,
      account: null,
      address: null,
      agent: null,
      ...one,
      windowId,
      number,
      atMs,
      heardMs,
    }
  })
  const kept = { events, windows: [...windows.values()] }
  return {
    ...kept,
    choices: choicesMade(kept),
    hasHeartbeats: false,
    exemptKinds: [],
    numbers: new Map([1, 2, 3].map((id) => [id, id])),
    wordsOf: new Map(),
    saved: null,
    endMs: 1_800_000,
    ...more,
  }
}

/** A save of choices, each with item, letter, revision and the time that the page claims. */
export const savedAt = (atMs: number, ...choices: [number, string, number, number?][]): Told => ({
  kind: 'saved',
  atMs,
  detail: choices,
})
