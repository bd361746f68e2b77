import { type AttemptLog, isOpening } from '../../../assessments/attempt-log.ts'
import type { CandidateOnTheDay } from '../../../societies/live/troubles.ts'

/** The same candidate as Live's statement returns it, with times since the start. */
export function dayOf(log: AttemptLog): CandidateOnTheDay {
  const { events, windows, exemptKinds } = log
  const newest = events.findLast(isOpening)
  const window = windows.find(({ id }) => id === newest?.windowId)
  const savedMs = window?.savedMs.at(-1) ?? null
  const came = events.filter((one) => isOpening(one) || one.kind === 'verified')
  const accounts = [...new Set(came.map(({ account }) => account))].filter((one) => one !== null)
  return {
    ...{ id: 'ana', name: null, username: 'ana', room: null, verifiedMs: 0, startedMs: 0 },
    ...{ deadlineMs: 1e9, submittedMs: null, submitReason: null, reopenedMs: null, help: null },
    ...{ total: 1, answered: 1, savedMs, heardMs: null, addresses: [] },
    window: {
      openedMs: newest?.heardMs ?? 0,
      savedMs: savedMs !== null && newest && savedMs >= newest.heardMs ? savedMs : null,
      toldMs: window?.told.at(-1)?.[2] ?? null,
      isReady: window?.isReady ?? false,
    },
    hasBeat: log.hasHeartbeats,
    strikes: events.flatMap((event, index) => {
      if (!event.isViolation) return []
      const back = events
        .slice(index + 1)
        .find(({ kind }) => ['page_visible', 'ready', 'submitted'].includes(kind))
      const awayMs = (back?.detail as { awayMs?: number } | null)?.awayMs ?? null
      return [
        {
          kind: event.kind,
          atMs: event.atMs,
          isCounted: !event.isVoided && !exemptKinds.includes(event.kind),
          back: back ? { kind: back.kind, atMs: back.atMs, awayMs } : null,
        },
      ]
    }),
    accounts: accounts.map((user) => ({ user, firstMs: 0 })),
  }
}
