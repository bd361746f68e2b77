import { ApiError } from '../../../platform/server/api.ts'
import { act } from '../action.ts'
import { type Member, reaches } from './reach.ts'

/** What a member writes down; of all where neither is given. */
export interface GivenReport {
  /** made by the page */
  id: string
  candidate: string | null
  room: string | null
  happenedAt: Date
  note: string
}

/** A clock that is a little ahead is no lie. */
const AHEAD_MS = 5 * 60_000

/**
 * Keeps what a member saw of a candidate, a room or all (product 7.16.8). Sent twice it is kept once.
 * Errors: 404 not_found for a candidate that is not on the list, or not of the member's room; 403 other_room;
 * 400 one_of_two, not_yet.
 */
export function writeReport(
  member: Member,
  code: string,
  { id, candidate, room, happenedAt, note }: GivenReport,
): Promise<{ id: string }> {
  return act(member, 'report-incident', code, async (client) => {
    const { userId, now, actor, reach } = member
    if (candidate !== null && room !== null) {
      throw new ApiError(400, 'one_of_two', 'A report is about a candidate, a room, or all.')
    }
    if (happenedAt.getTime() > now.getTime() + AHEAD_MS) {
      throw new ApiError(400, 'not_yet', 'This time has not come yet.')
    }
    let number: number | null = null
    if (candidate !== null) {
      const { rows } = await client.query<{ room: string | null; number: number | null }>(
        `select c.room, b.number from candidates c
         left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
         where c.assessment = $1 and c.id = $2 and not c.is_demo`,
        [code, candidate],
      )
      if (!rows[0] || !reaches(reach, rows[0])) {
        throw new ApiError(404, 'not_found', 'This candidate is not on your list.')
      }
      number = rows[0].number
    } else if (!reaches(reach, { room })) {
      throw new ApiError(
        403,
        'other_room',
        `You look after room ${reach.room}: please write it for that room or somebody in it.`,
      )
    }
    await client.query(
      `insert into incident_reports (id, assessment, candidate_id, room, happened_at, note, reported_by,
         user_id, reported_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (id) do nothing`,
      [id, code, candidate, room, happenedAt, note, actor, userId, now],
    )
    return { result: { id }, detail: { report: id, candidate: number, room, note } }
  })
}
