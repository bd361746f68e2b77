import sql from 'sql-template-tag'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentOrganiser } from '../../../platform/server/current-user.ts'
import { stateOf } from '../../assessment-state.ts'
import { mayWith, type Role } from '../../roles.ts'
import type { Client } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { inForce, REACHES } from '../team/guard.ts'

/** What a member may do on the pages of analysis and rulings. */
export interface Reach {
  /** blind numbers and points of candidates, not of questions alone */
  seesScores: boolean
  ruling: 'rule' | 'propose' | 'none'
  /** the keys of a test that still goes on leave the server: the caller notes it (product 7.9.2) */
  isEarly: boolean
}

/**
 * How far a member's roles go here. Every figure of the analysis shows keys, so that who may read them only
 * afterwards sees nothing before (product 7.18.2).
 * Errors: 403 not_closed, OrganiserRefusal.
 */
export async function requireReach(
  client: Client,
  { societyId, code }: Pick<CurrentOrganiser, 'societyId'> & { code: string },
  userId: string,
  now: Date,
): Promise<Reach> {
  const assessment = await requireAssessment(client, { code, societyId })
  const { rows } = await client.query<{ roles: Role[] | null; runningCount: number }>(
    sql`select (select array_agg(m.role) from memberships m join assessments a on a.code = ${code}
        where m.user_id = ${userId} and m.society_id = ${societyId} and ${inForce(now)} and ${REACHES}) as roles,
      (select count(*)::int from attempts
        where assessment = ${code} and not is_demo and submitted_at is null) as "runningCount"`,
  )
  const roles = rows[0]?.roles ?? []
  const state = stateOf(
    {
      isDraft: assessment.isDraft,
      opensAtMs: assessment.opensAt?.getTime() ?? null,
      closesAtMs: assessment.closesAt?.getTime() ?? null,
      runningCount: rows[0]?.runningCount ?? 0,
    },
    now.getTime(),
  )
  if (mayWith(roles, 'read_keys') !== 'all' && state !== 'closed') {
    throw new ApiError(
      403,
      'not_closed',
      'You can see how the questions did when nobody can sit the test any more.',
    )
  }
  const ruling = mayWith(roles, 'rule_on_question')
  return {
    seesScores: mayWith(roles, 'see_scores') === 'all',
    ruling: ruling === 'all' ? 'rule' : ruling.includes('propose') ? 'propose' : 'none',
    isEarly: state !== 'closed',
  }
}
