import { touchesMinute } from '../../../assessments/attempt-history.ts'
import type { Company } from '../../../assessments/incident-words.ts'
import { mapInSlices } from '../../../platform/server/shares/slices.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { read } from '../../kit/server/action.ts'
import {
  type IncidentCandidate,
  type JudgedIncident,
  readIncidents,
  readNotes,
} from './read-incidents.ts'
import { mayAll } from './uncover.ts'

/** The maximum number of incidents needing no decision in one response. Those that need one are always included. */
const QUIET_LIMIT = 5_000
/** The maximum number of incidents per candidate, because a script may have produced thousands. */
const SHOWN_LIMIT = 300

const isQuiet = ({ asks, strike }: { asks: boolean; strike: unknown }) => !asks && strike === null

/** Lists incidents by candidate, for an invigilator only in their room (product 7.16.4). This isn't logged. */
export function readList(member: MemberInTest) {
  return read(member, async (client) => {
    const { room } = member
    const candidates = await readIncidents(client, member.code, { room })
    const reader = readerOf(member, candidates)
    let quiet = QUIET_LIMIT
    let leftOut = 0
    const shown = await mapInSlices(candidates, (one) => {
      const found = showIncidents(one, reader, quiet)
      quiet -= found.shown.filter(isQuiet).length
      leftOut += found.leftOut
      return {
        id: member.cover(one.candidateId),
        number: one.number,
        room: one.room,
        incidents: found.shown,
        commentedAt: one.commentedAt,
        isInside: one.attempt !== null && one.attempt.submittedAt === null,
      }
    })
    const notes = (await readNotes(client, member.code, room)).map(
      ({ id, at, room, note, by }) => ({ id, at, room, note, by }),
    )
    return { ownRoom: room, candidates: shown, notes, leftOut }
  })
}

/** Describes what a member can read of incidents. @param candidates all candidates within the member's reach */
export const readerOf = (member: MemberInTest, candidates: readonly IncidentCandidate[]) => ({
  presences: presencesOf(candidates, member.now),
  userId: member.userId,
  cover: member.cover,
  /** An invigilator reads no letters and no reasons. */
  seesAnswers: mayAll(member, 'see_scores'),
})

/** Returns a candidate's incidents as a member can read them: all that need a decision, and the first of the rest. */
export function showIncidents(
  candidate: IncidentCandidate | undefined,
  { presences, userId, cover, seesAnswers }: ReturnType<typeof readerOf>,
  mostQuiet = SHOWN_LIMIT,
) {
  if (!candidate) return { shown: [], leftOut: 0 }
  const { incidents } = candidate
  let quiet = Math.min(mostQuiet, SHOWN_LIMIT - incidents.filter((one) => !isQuiet(one)).length)
  const chosen = incidents.filter((one) => {
    if (!isQuiet(one)) return true
    quiet -= 1
    return quiet >= 0
  })
  const shown = chosen.map(({ events, weight, look, ...one }: JudgedIncident) => {
    const { strike, report } = one
    return {
      ...one,
      // Lists with names also show events, so an incident name made of the event would link the name to the number.
      name: cover(one.name),
      strike: strike && { ...strike, reason: seesAnswers ? strike.reason : null },
      changed: one.changed.map(({ from, to, ...change }) => ({
        ...change,
        ...(seesAnswers ? { from, to } : {}),
      })),
      report: report && {
        id: report.id,
        note: report.note,
        by: report.by,
        isMine: report.userId === userId,
        of: report.of,
      },
      company: one.kind === 'away' ? companyOf(candidate, one.at.getTime(), presences) : null,
      verdicts: seesAnswers
        ? one.verdicts.map(({ userId: by, about, ...verdict }) => ({
            ...verdict,
            isMine: by === userId,
          }))
        : [],
    }
  })
  return { shown, leftOut: incidents.length - chosen.length }
}

export type ShownIncident = ReturnType<typeof showIncidents>['shown'][number]

/** When a candidate was taking the test, and when they were away, in milliseconds since 1970. */
export interface Presence {
  candidateId: string
  room: string | null
  fromMs: number
  toMs: number
  away: readonly { fromMs: number; toMs: number }[]
}

/** Returns when all candidates were taking the test and when they were away, for companyOf. */
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

/** Counts others in the room, or in all, who were away within a minute, such as during a fire alarm. */
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
