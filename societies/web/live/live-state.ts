import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { LiveCandidate, LiveCounts, LiveTrouble, watchLive } from '../../contract/live.ts'

type Answer = ResponseOf<typeof watchLive>
type Picture = NonNullable<Answer['picture']>

/** What the page knows: the whole picture, put together of what has changed. */
export interface LiveState {
  cursor: string
  /** how far the server's clock is ahead of the device's */
  offsetMs: number
  /** the moment that it shows, by the server's clock */
  takenMs: number
  /** null: numbers alone may be seen */
  candidates: ReadonlyMap<string, LiveCandidate> | null
  counts: LiveCounts
  rooms: Picture['rooms']
  savesPerMinute: number[]
  toLookAt: LiveTrouble[]
  feed: NonNullable<Picture['feed']>
  room: string | null
  simulation: Answer['simulation']
}

/**
 * The next state of an answer.
 * @param before null at first, when an answer is whole
 * @param deviceNowMs when the answer came
 */
export function nextState(
  before: LiveState | null,
  answer: Answer,
  deviceNowMs: number,
): LiveState | null {
  const { cursor, takenMs, nowMs, room, simulation, picture } = answer
  // Of another node, which lags behind: what is shown is newer.
  if (before && takenMs < before.takenMs) return before
  const offsetMs = nowMs - deviceNowMs
  if (!picture) return before && { ...before, cursor, takenMs, offsetMs, room, simulation }
  const { counts, rooms, savesPerMinute, toLookAt, feed } = picture
  return {
    ...{ cursor, offsetMs, takenMs, room, simulation, counts, rooms, savesPerMinute },
    candidates: candidatesOf(before, picture),
    toLookAt: toLookAt ?? before?.toLookAt ?? [],
    feed: feed ?? before?.feed ?? [],
  }
}

function candidatesOf(before: LiveState | null, picture: Picture): LiveState['candidates'] {
  if (picture.candidates === null) return null
  const kept = picture.isWhole ? undefined : before?.candidates
  const { candidates, saved, gone } = picture
  if (kept && candidates.length + saved.length + gone.length === 0) return kept
  const next = new Map(kept)
  for (const id of gone) next.delete(id)
  for (const one of candidates) next.set(one.id, one)
  for (const [id, answered, savedMs] of saved) {
    const one = next.get(id)
    if (one) next.set(id, { ...one, answered, savedMs })
  }
  return next
}
