import {
  PROOF_COLUMNS,
  type Proof,
  requireOrganiserProof,
  storeOrganiserCall,
} from '../../../accounts/server/proof-store.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { OrganiserGuard } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { type Act, type HeldRole, mayWith, needsSecondFactor } from '../../roles.ts'

/**
 * Whether a row m of memberships is in force at $now (product 7.7.5).
 * @param now number of the parameter
 */
export const IN_FORCE = (now: number) =>
  `m.ended_at is null and (m.until is null or m.until > $${now})`

/**
 * Whether a row m of memberships reaches an assessment a, which has to be the same society's. A rehearsal or a
 * simulation is reached by nobody: no page of an assessment opens it (product 7.11.1).
 */
export const REACHES = `m.society_id = a.society_id and a.trial is null and (m.all_assessments or exists (
  select from membership_assessments x where x.membership_id = m.id and x.assessment = a.code))`

/**
 * Whether a user u is a candidate of an assessment a: stands in its list by the e-mail address, has given a
 * candidate's credentials, or had an attempt. Demo candidates are for trying out (product 7.7.6).
 */
export const IS_CANDIDATE = `(
  exists (select from candidates c
    where c.assessment = a.code and not c.is_demo
      and (lower(c.username) = u.email or lower(c.email) = u.email))
  or exists (select from attempt_events e join candidates c on c.id = e.candidate_id
    where e.user_id = u.id and c.assessment = a.code and not c.is_demo)
  or exists (select from attempts t
    where t.user_id = u.id and t.assessment = a.code and not t.is_demo))`

/**
 * The guard of organisers' calls: every call reads session and roles, so that one that was ended is refused at
 * once. Both are one read: who watches a room asks every two seconds, and each trip to the database costs.
 * @param contentVersion SQL of CurrentUser's contentVersion, without parameters
 */
export function createOrganiserGuard(
  { db, now, secondFactorRequired }: Pick<AppDependencies, 'db' | 'now' | 'secondFactorRequired'>,
  contentVersion: string,
): OrganiserGuard {
  const columns = `u.email, ${contentVersion} as "contentVersion", ${HELD}, ${PROOF_COLUMNS}`
  const texts = { ofSociety: ofSociety(columns), ofAssessment: ofAssessment(columns) }
  return {
    async requireOrganiser(
      holder,
      { organiser, within = [], fresh = false, keys = false },
      { society, code },
    ) {
      const at = now()
      const { rows } = await db.$client.query<
        Proof & {
          society: string
          email: string | null
          contentVersion: number
          held: HeldRole[]
          isCandidate: boolean
        }
      >({
        name: code === undefined ? 'organiser-of-society' : 'organiser-of-assessment',
        text: code === undefined ? texts.ofSociety : texts.ofAssessment,
        values: [holder.id, society, at, holder.sessionId, ...(code === undefined ? [] : [code])],
      })
      const found = rows[0]
      if (!found) throw notYours()
      const roles = found.held.map(({ role }) => role)
      const extent = mayWith(roles, organiser as Act)
      if (extent !== 'all' && !extent.some((limit) => within.includes(limit))) throw notYours()
      // To a member alone, who may know that there is such an assessment.
      if (found.isCandidate) throw isCandidate()
      const always = secondFactorRequired ? 'always' : 'where there is one'
      const factor = needsSecondFactor(roles) ? always : 'never'
      requireOrganiserProof(found, { factor, fresh, keys }, at)
      await storeOrganiserCall(db, holder.sessionId, found, { keys }, at)
      const { email, contentVersion } = found
      return {
        user: { ...holder, email, isAnonymous: false, contentVersion },
        organiser: {
          societyId: society,
          society: found.society,
          code: code ?? null,
          extent: extent === 'all' ? extent : extent.filter((limit) => within.includes(limit)),
          roles: found.held,
        },
      }
    },
  }
}

/** Finds the society in which a user has a role for an assessment, whichever: who helps there rehearses too. */
export function createHelperSearch({ db, now }: Pick<AppDependencies, 'db' | 'now'>) {
  return async (userId: string, code: string): Promise<string | null> => {
    const { rows } = await db.$client.query<{ id: string; isCandidate: boolean }>(
      `select m.society_id as id, bool_or(${IS_CANDIDATE}) as "isCandidate"
       from memberships m join users u on u.id = m.user_id join assessments a on a.code = $2
       where m.user_id = $1 and ${IN_FORCE(3)} and not u.is_anonymous and ${REACHES}
       group by m.society_id`,
      [userId, code, now()],
    )
    return rows[0] && !rows[0].isCandidate ? rows[0].id : null
  }
}

// A guest has no roles, and is asked for nevertheless: an account that is being deleted is one.
const HELD = `json_agg(json_build_object('role', m.role, 'room', m.room)) as held`

const ofSociety = (columns: string) => `
  select s.name as society, false as "isCandidate", ${columns}
  from memberships m join societies s on s.id = m.society_id join users u on u.id = m.user_id
  join sessions n on n.id = $4 and n.user_id = u.id
  where m.user_id = $1 and m.society_id = $2 and ${IN_FORCE(3)} and not u.is_anonymous
  group by s.id, n.id, u.id`

const ofAssessment = (columns: string) => `
  select s.name as society, bool_or(${IS_CANDIDATE}) as "isCandidate", ${columns}
  from memberships m join societies s on s.id = m.society_id join users u on u.id = m.user_id
  join sessions n on n.id = $4 and n.user_id = u.id
  join assessments a on a.code = $5
  where m.user_id = $1 and m.society_id = $2 and ${IN_FORCE(3)} and not u.is_anonymous and ${REACHES}
  group by s.id, n.id, u.id`

/** One answer for all that is not the caller's: what there is, nobody learns (product 9.1.4). */
const notYours = () =>
  new ApiError(404, 'no_society', 'There is no such society, or you have no role in it for this.')

const isCandidate = () =>
  new ApiError(
    403,
    'is_candidate',
    'You are a candidate of this assessment, so you have no role in it. Please ask another organiser.',
  )
