import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { listIncidents } from '../../contract/incidents.ts'
import { read } from '../action.ts'
import { type Member, mayAll } from './reach.ts'
import { presencesOf, readIncidents } from './read-incidents.ts'
import { showIncidents } from './shown.ts'

/** Incidents of one answer that ask for nothing; those that ask are always told. */
const QUIET_LIMIT = 5_000

/**
 * What happened to each candidate, of an invigilator's room alone where there is one (product 7.16.4). Leaves no
 * note.
 */
export function readList(member: Member, code: string): Promise<ResponseOf<typeof listIncidents>> {
  return read(member, async (client) => {
    const { userId, now, reach } = member
    const candidates = await readIncidents(client, code, { room: reach.room })
    const presences = presencesOf(candidates, now)
    const seesAnswers = mayAll(reach, 'see_scores')
    let quiet = QUIET_LIMIT
    let leftOut = 0
    const shown = candidates.map((one) => {
      const found = showIncidents(one, { presences, userId, seesAnswers })
      const incidents = found.shown.filter(({ asks, strike }) => {
        if (asks || strike) return true
        quiet -= 1
        return quiet >= 0
      })
      leftOut += found.leftOut + found.shown.length - incidents.length
      return {
        ...{ id: one.candidateId, number: one.number, room: one.room, incidents },
        commentedAt: one.commentedAt?.toISOString() ?? null,
        isInside: one.attempt !== null && one.attempt.submittedAt === null,
      }
    })
    return { ownRoom: reach.room, candidates: shown, leftOut }
  })
}
