import type { MemberInTest } from '../../access/server/serve-members.ts'
import { read } from '../../kit/server/action.ts'
import { companyOf, type Presence, presencesOf } from './company.ts'
import { mayAll, ownRoom } from './reach.ts'
import { type IncidentCandidate, type JudgedIncident, readIncidents } from './read-incidents.ts'

/** Incidents of one answer that need no decision; those that need one are always shown. */
const QUIET_LIMIT = 5_000
/** Incidents of one candidate: a script may have left thousands. */
const SHOWN_LIMIT = 300

const matters = ({ asks, strike }: { asks: boolean; strike: unknown }) => asks || strike !== null

/** Incidents by candidate, for an invigilator only of their room (product 7.16.4). Leaves no line in the log. */
export function readList(member: MemberInTest) {
  return read(member, async (client) => {
    const room = ownRoom(member)
    const candidates = await readIncidents(client, member.code, { room })
    const reader = readerOf(member, candidates)
    let quiet = QUIET_LIMIT
    let leftOut = 0
    const shown = candidates.map((one) => {
      const found = showIncidents(one, reader, quiet)
      quiet -= found.shown.filter((incident) => !matters(incident)).length
      leftOut += found.leftOut
      return {
        id: one.candidateId,
        number: one.number,
        room: one.room,
        incidents: found.shown,
        commentedAt: one.commentedAt,
        isInside: one.attempt !== null && one.attempt.submittedAt === null,
      }
    })
    return { ownRoom: room, candidates: shown, leftOut }
  })
}

interface Reader {
  presences: readonly Presence[]
  userId: string
  /** an invigilator reads no letters and no reasons */
  seesAnswers: boolean
}

/** @param candidates all whom the member reaches */
export const readerOf = (
  member: MemberInTest,
  candidates: readonly IncidentCandidate[],
): Reader => ({
  presences: presencesOf(candidates, member.now),
  userId: member.userId,
  seesAnswers: mayAll(member, 'see_scores'),
})

/** A candidate's incidents as a member reads them: all that matter, and the first of the rest. */
export function showIncidents(
  candidate: IncidentCandidate | undefined,
  reader: Reader,
  mostQuiet = SHOWN_LIMIT,
) {
  if (!candidate) return { shown: [], leftOut: 0 }
  const { incidents } = candidate
  let quiet = Math.min(mostQuiet, SHOWN_LIMIT - incidents.filter(matters).length)
  const chosen = incidents.filter((one) => {
    if (matters(one)) return true
    quiet -= 1
    return quiet >= 0
  })
  return {
    shown: chosen.map((one) => showIncident(one, candidate, reader)),
    leftOut: incidents.length - chosen.length,
  }
}

export type ShownIncident = ReturnType<typeof showIncident>

function showIncident(
  one: JudgedIncident,
  candidate: IncidentCandidate,
  { presences, userId, seesAnswers }: Reader,
) {
  const { strike, report } = one
  return {
    name: one.name,
    kind: one.kind,
    at: one.at,
    atMs: one.atMs,
    lengthMs: one.lengthMs,
    act: one.act,
    questions: one.questions,
    takeOver: one.takeOver,
    waited: one.waited,
    missing: one.missing,
    unheard: one.unheard,
    asks: one.asks,
    state: one.state,
    strike: strike && { ...strike, reason: seesAnswers ? strike.reason : null },
    changed: one.changed.map(({ question, afterMs, from, to }) => ({
      question,
      afterMs,
      ...(seesAnswers ? { from, to } : {}),
    })),
    report: report && {
      id: report.id,
      note: report.note,
      by: report.by,
      isMine: report.userId === userId,
      of: reportedOf(report),
    },
    company: one.kind === 'away' ? companyOf(candidate, one.at.getTime(), presences) : null,
    verdicts: seesAnswers
      ? one.verdicts.map(({ userId: by, ...verdict }) => ({ ...verdict, isMine: by === userId }))
      : [],
  }
}

const reportedOf = (report: {
  candidateId: string | null
  room: string | null
}): 'candidate' | 'room' | 'all' =>
  report.candidateId ? 'candidate' : report.room ? 'room' : 'all'
