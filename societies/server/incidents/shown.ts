import type { ShownIncident } from '../../contract/incidents.ts'
import { companyOf, type Presence } from './company.ts'
import type { IncidentCandidate, JudgedIncident } from './read-incidents.ts'

/** Incidents of one candidate that an answer has; a script may have left thousands, which ask for nothing. */
const SHOWN_LIMIT = 300

interface Reader {
  /** of all whom the reader sees */
  presences: readonly Presence[]
  userId: string
  /** an invigilator reads no letters and no reasons */
  seesAnswers: boolean
}

/** A candidate's incidents as an answer has them: all that ask or counted, and of the rest the first. */
export function showIncidents(
  candidate: IncidentCandidate | undefined,
  reader: Reader,
): { shown: ShownIncident[]; leftOut: number } {
  if (!candidate) return { shown: [], leftOut: 0 }
  const { incidents } = candidate
  const matters = ({ asks, strike }: JudgedIncident) => asks || strike !== null
  let room = SHOWN_LIMIT - incidents.filter(matters).length
  const chosen = incidents.filter((one) => {
    if (matters(one)) return true
    room -= 1
    return room >= 0
  })
  return {
    shown: chosen.map((one) => shownIncident(one, candidate, reader)),
    leftOut: incidents.length - chosen.length,
  }
}

function shownIncident(
  one: JudgedIncident,
  { candidateId, room }: IncidentCandidate,
  { presences, userId, seesAnswers }: Reader,
): ShownIncident {
  const { name, kind, atMs, lengthMs, act, strike, questions, takeOver, waited, missing } = one
  return {
    ...{ name, kind, atMs, lengthMs, act, questions, takeOver, waited, missing },
    ...{ unheard: one.unheard, asks: one.asks, state: one.state, at: one.at.toISOString() },
    strike: strike && { ...strike, reason: seesAnswers ? strike.reason : null },
    changed: seesAnswers
      ? one.changed
      : one.changed.map(({ question, afterMs }) => ({ question, afterMs })),
    report: one.report && {
      ...{ id: one.report.id, note: one.report.note, by: one.report.by },
      isMine: one.report.userId === userId,
      of: one.report.candidateId ? 'candidate' : one.report.room ? 'room' : 'all',
    },
    company: kind === 'away' ? companyOf({ candidateId, room }, one.at.getTime(), presences) : null,
    verdicts: seesAnswers
      ? one.verdicts.map(({ userId: by, at, withdrawnAt, ...verdict }) => ({
          ...verdict,
          isMine: by === userId,
          at: at.toISOString(),
          withdrawnAt: withdrawnAt?.toISOString() ?? null,
        }))
      : [],
  }
}
