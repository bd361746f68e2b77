import { touchesMinute } from '../../../assessments/attempt-history.ts'
import type { Company } from '../../../assessments/incident-words.ts'
import type { IncidentCandidate } from './read-incidents.ts'

/** When a candidate was taking the test, and away; all times are milliseconds since 1970. */
export interface Presence {
  candidateId: string
  room: string | null
  fromMs: number
  toMs: number
  away: readonly { fromMs: number; toMs: number }[]
}

/** When all candidates were taking the test and away, for companyOf. */
export function presencesOf(candidates: readonly IncidentCandidate[], now: Date): Presence[] {
  return candidates.flatMap(({ candidateId, room, attempt, incidents }) => {
    if (!attempt) return []
    const toMs = (attempt.submittedAt ?? now).getTime()
    const away = incidents
      .filter(({ kind }) => kind === 'away')
      .map(({ at, lengthMs }) => ({
        fromMs: at.getTime(),
        toMs: lengthMs === null ? toMs : at.getTime() + lengthMs,
      }))
    return [{ candidateId, room, fromMs: attempt.startedAt.getTime(), toMs, away }]
  })
}

/**
 * How many others of the room were taking the test, and away, in the minute around a moment: it shows a fire alarm.
 * A candidate without a room is compared with all.
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
