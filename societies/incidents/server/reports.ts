import type { BodyOf } from '../../../platform/endpoint.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { writeReport as endpoint } from '../contract.ts'
import { ownRoom, reaches } from './reach.ts'

/** A member's clock may be ahead by this much. */
const AHEAD_MS = 5 * 60_000

/**
 * Stores what a member saw of a candidate, a room or all (product 7.16.8); sent twice, once.
 * Errors: 404 not_found for a candidate that is not on the list or not of the member's room; 403 other_room;
 * 400 one_of_two, not_yet.
 */
export function writeReport(
  member: MemberInTest,
  { id, candidate, room, happenedAt, note }: BodyOf<typeof endpoint>,
): Promise<{ id: string }> {
  const { code, userId, now, actor } = member
  return act(member, 'report-incident', code, async (client) => {
    if (candidate !== null && room !== null) {
      throw refuse(400, 'one_of_two', 'Report about a candidate or a room, not both.')
    }
    if (Date.parse(happenedAt) > now.getTime() + AHEAD_MS) {
      throw refuse(400, 'not_yet', 'This time is in the future.')
    }
    let number: number | null = null
    if (candidate !== null) {
      const { rows } = await client.query<{ room: string | null; number: number | null }>(
        `select c.room, b.number from candidates c
         left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
         where c.assessment = $1 and c.id = $2 and not c.is_demo`,
        [code, candidate],
      )
      if (!rows[0] || !reaches(member, rows[0].room)) {
        throw refuse(404, 'not_found', 'This candidate is not on your list.')
      }
      number = rows[0].number
    } else if (!reaches(member, room)) {
      const own = ownRoom(member)
      throw refuse(
        403,
        'other_room',
        `You look after room ${own}. Report about that room or one of its candidates.`,
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
