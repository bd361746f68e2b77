import type { OptionLetter } from '../../../platform/options.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { UncoveredScore } from '../../contract/incidents.ts'
import { act, type Client } from '../action.ts'
import { type Member, mayReadKeys, reaches } from './reach.ts'

interface Place {
  code: string
  candidate: string
}

/** To a reviewer before the close. */
export const notOver = () =>
  new ApiError(
    409,
    'not_over',
    'Reviewers see questions and keys when nobody can sit the test any more.',
  )

const gone = () => new ApiError(404, 'not_found', 'This candidate is not on the list any more.')

interface Found {
  username: string
  name: string | null
  room: string | null
  number: number | null
  attemptId: string | null
  isDone: boolean
}

async function requireFound(client: Client, member: Member, place: Place): Promise<Found> {
  const { rows } = await client.query<Found>(
    `select c.username, c.name, c.room, b.number, a.id as "attemptId",
       a.submitted_at is not null as "isDone"
     from candidates c left join attempts a on a.candidate_id = c.id
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     where c.assessment = $1 and c.id = $2 and not c.is_demo`,
    [place.code, place.candidate],
  )
  const [found] = rows
  if (!found || !reaches(member.reach, found)) throw gone()
  return found
}

/** Whose page it is: one press, and one line in the log (product 7.16.3). Errors: 404 not_found. */
export function showName(
  member: Member,
  place: Place,
): Promise<{ username: string; name: string | null }> {
  return act(member, 'show-name', place.code, async (client) => {
    const { username, name } = await requireFound(client, member, place)
    return { result: { username, name }, detail: { username } }
  })
}

/**
 * Key and score of a closed attempt: one press, and one line in the log.
 * Errors: 404 not_found; 409 still_inside; 409 not_over to a reviewer before nobody can sit the test any more.
 */
export function showScore(member: Member, place: Place): Promise<UncoveredScore> {
  return act(member, 'show-score', place.code, async (client) => {
    const found = await requireFound(client, member, place)
    if (!found.attemptId || !found.isDone) {
      throw new ApiError(409, 'still_inside', 'There is no score before the test is handed in.')
    }
    if (!(await mayReadKeys(client, place.code, member.reach, member.now))) throw notOver()
    return {
      result: await readScore(client, found.attemptId),
      detail: { candidate: found.number },
    }
  })
}

/** What counts as right on a closed attempt's paper, with the points that its choices got. */
export async function readScore(client: Client, attemptId: string): Promise<UncoveredScore> {
  const { rows: keys } = await client.query<{
    number: number
    keys: OptionLetter[]
    points: number | null
  }>(
    `select place.number::int as number, k.keys,
       case when k.is_void then null
         when k.is_full_marks or x.choice = any (k.keys) then 1 else 0 end as points
     from attempts a
     cross join lateral unnest(a.paper) with ordinality as place (item_id, number)
     join item_keys k on k.item_id = place.item_id
     left join attempt_answers x on x.attempt_id = a.id and x.item_id = place.item_id
     where a.id = $1 order by place.number`,
    [attemptId],
  )
  const { rows } = await client.query<{ correct: number; incorrect: number }>(
    'select correct, incorrect from assessment_results where attempt_id = $1',
    [attemptId],
  )
  return { correct: rows[0]?.correct ?? 0, incorrect: rows[0]?.incorrect ?? 0, keys }
}
