import type pg from 'pg'
import type { Role } from '../../roles.ts'
import { IN_FORCE, REACHES } from '../team/guard.ts'

type Client = Pick<pg.Pool, 'query'>

interface Checked {
  checkedAt: Date | null
  /** of assessments/rehearsal.ts; empty where nobody has checked */
  findings: string[]
}

export interface CheckedCandidate extends Checked {
  id: string
  username: string
  name: string | null
  room: string | null
}

export interface CheckedHelper extends Checked {
  email: string
  roles: Role[]
}

const CHECKED = `d.checked_at as "checkedAt", coalesce(d.troubles, '{}') as findings`

/** Those on an assessment's list with what their newest rehearsal found; the revoked are left out. */
export async function listCheckedCandidates(
  client: Client,
  { societyId, code }: { societyId: string; code: string },
): Promise<CheckedCandidate[]> {
  const { rows } = await client.query<CheckedCandidate>(
    `select c.id, c.username, c.name, c.room, ${CHECKED}
     from assessments a join candidates c on c.assessment = a.code
     left join device_checks d on d.candidate_id = c.id
     where a.society_id = $1 and a.code = $2 and not c.is_demo and c.revoked_at is null
     order by lower(coalesce(c.name, c.username)), lower(c.username)`,
    [societyId, code],
  )
  return rows
}

/** The members who have a role for an assessment now, with the same of their own computers. */
export async function listCheckedHelpers(
  client: Client,
  { societyId, code }: { societyId: string; code: string },
  now: Date,
): Promise<CheckedHelper[]> {
  const { rows } = await client.query<CheckedHelper>(
    `select u.email, array_agg(m.role order by m.role) as roles, ${CHECKED}
     from assessments a join memberships m on ${IN_FORCE(3)} and ${REACHES}
     join users u on u.id = m.user_id and not u.is_anonymous
     left join device_checks d on d.society_id = m.society_id and d.user_id = u.id
     where a.society_id = $1 and a.code = $2
     group by u.email, d.id order by u.email`,
    [societyId, code, now],
  )
  return rows
}
