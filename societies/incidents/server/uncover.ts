import sql from 'sql-template-tag'
import { isOver } from '../../../assessments/server/candidate-store.ts'
import type { OptionLetter } from '../../../platform/options.ts'
import { notListed } from '../../access/server/reach.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { type Act, extentOf } from '../../kit/roles.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type { UncoveredScore } from '../contract.ts'

type Roles = Pick<MemberInTest, 'roles'>

/** Whether one of the member's roles allows an action without any limit. */
export const mayAll = ({ roles }: Roles, act: Act): boolean => extentOf(roles, act) === 'all'

/** Whether a member can read keys and questions now. Reviewers can do so once no candidate can take the test (product 7.7.4). */
export async function mayReadKeys(
  client: Client,
  member: Pick<MemberInTest, 'roles' | 'code' | 'now'>,
): Promise<boolean> {
  const limits = extentOf(member.roles, 'read_keys')
  if (limits === 'all' || !limits.includes('after_close')) return limits === 'all'
  const { rows } = await client.query<{ isOver: boolean }>(
    `select ${isOver('a', '$2')} as "isOver" from assessments a where a.code = $1`,
    [member.code, member.now],
  )
  return rows[0]?.isOver ?? false
}

export const notOver = () =>
  refuse(409, 'not_over', 'Reviewers can see questions and keys after the test has closed.')

export async function requireCandidate(client: Client, code: string, candidate: string) {
  const { rows } = await client.query<{
    username: string
    name: string | null
    room: string | null
    number: number | null
    attemptId: string | null
    submittedAt: Date | null
  }>(
    sql`select c.username, c.name, c.room, b.number, a.id as "attemptId", a.submitted_at as "submittedAt"
     from candidates c left join attempts a on a.candidate_id = c.id
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     where c.assessment = ${code} and c.id = ${candidate} and not c.is_demo`,
  )
  if (!rows[0]) throw notListed()
  return rows[0]
}

/** Returns the blind id of a listed candidate. This links name and number, so it's logged as revealing the name. */
export async function findCandidate(member: MemberInTest, candidate: string) {
  if (mayAll(member, 'see_names')) await showName(member, candidate)
  else await requireCandidate(member.db.$client, member.code, candidate)
  return { id: member.cover(candidate) }
}

/** Reveals a candidate's name and logs it (product 7.16.3). Errors: 404 not_found. */
export function showName(member: MemberInTest, candidate: string) {
  return act(member, 'show-name', member.code, async (client) => {
    const { username, name } = await requireCandidate(client, member.code, candidate)
    return { result: { username, name }, detail: { username } }
  })
}

/** Reveals key and score, and logs it. Errors: 404 not_found; 409 still_inside; 409 not_over for a reviewer. */
export function showScore(member: MemberInTest, candidate: string): Promise<UncoveredScore> {
  return act(member, 'show-score', member.code, async (client) => {
    const { attemptId, submittedAt, number } = await requireCandidate(
      client,
      member.code,
      candidate,
    )
    if (attemptId === null || submittedAt === null) {
      throw refuse(409, 'still_inside', 'There is no score until the test is submitted.')
    }
    if (!(await mayReadKeys(client, member))) throw notOver()
    return { result: await readScore(client, attemptId), detail: { candidate: number } }
  })
}

/** Reads the right options on a submitted attempt's paper and the points its choices got. */
export async function readScore(client: Client, attemptId: string): Promise<UncoveredScore> {
  const { rows: keys } = await client.query<{
    number: number
    keys: OptionLetter[]
    points: number | null
  }>(
    sql`select place.number::int as number, k.keys,
       case when k.is_void then null
         when k.is_full_marks or x.choice = any (k.keys) then 1 else 0 end as points
     from attempts a
     cross join lateral unnest(a.paper) with ordinality as place (item_id, number)
     join item_keys k on k.item_id = place.item_id
     left join attempt_answers x on x.attempt_id = a.id and x.item_id = place.item_id
     where a.id = ${attemptId} order by place.number`,
  )
  const { rows } = await client.query<{ correct: number; incorrect: number }>(
    'select correct, incorrect from assessment_results where attempt_id = $1',
    [attemptId],
  )
  return { correct: 0, incorrect: 0, ...rows[0], keys }
}
