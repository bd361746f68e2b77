import { touchesMinute } from '../../../assessments/attempt-history.ts'
import type { Company } from '../../../assessments/incident-words.ts'

// Who else was away: the fairest thing that there is to say of an absence. A fire alarm is seen by it.

/** When somebody was inside, and away; all times are milliseconds since 1970. */
export interface Presence {
  candidateId: string
  room: string | null
  fromMs: number
  toMs: number
  away: readonly { fromMs: number; toMs: number }[]
}

/**
 * Who else of the room was inside, and away, in the minute around a moment; who has no room is among all. The
 * minute is whole for who leaves at its end too.
 */
export function companyOf(
  { candidateId, room }: Pick<Presence, 'candidateId' | 'room'>,
  ms: number,
  presences: readonly Presence[],
): Company {
  const overlaps = (one: { fromMs: number; toMs: number }) => touchesMinute(one, ms)
  const others = presences.filter(
    (one) =>
      one.candidateId !== candidateId && (room === null || one.room === room) && overlaps(one),
  )
  return { room, away: others.filter((one) => one.away.some(overlaps)).length, of: others.length }
}
