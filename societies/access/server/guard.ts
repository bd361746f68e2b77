import sql, { empty, raw, type Sql } from 'sql-template-tag'
import {
  areKeysUncovered,
  isOrganizerCallStored,
  type OrganizerCall,
  PROOF_COLUMNS,
  type Proof,
  requireOrganizerProof,
  storeOrganizerCalls,
} from '../../../accounts/server/proof-store.ts'
import { lastStart } from '../../../assessments/server/candidate-store.ts'
import { textKey } from '../../../assessments/server/tables.ts'
import type { OrganizerAccess } from '../../../platform/endpoint.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { OrganizerGuard, TokenHolder } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { inRounds } from '../../../platform/server/rounds.ts'
import { type Act, type HeldRole, may, mayWith, needsSecondFactor, ROLES } from '../../kit/roles.ts'
import { refuse } from '../../kit/server/refuse.ts'

/** SQL for whether a row m of memberships is active (product 7.7.5). An invigilator's role expires with the test. */
export const inForce = (now: Date) =>
  sql`m.ended_at is null and (m.assessment is null or exists (
    select from assessments o where o.code = m.assessment and o.deleted_at is null
      and (m.role <> 'invigilator' or coalesce(${raw(lastStart('o'))} >= ${now}, true) or exists (
        select from attempts t where t.assessment = o.code and t.submitted_at is null and not t.is_demo))))`

/** SQL for whether a membership m reaches assessment a, without deleted ones and trials (product 7.11.1). */
export const REACHES = sql`m.society_id = a.society_id and a.trial is null and a.deleted_at is null
  and (m.assessment is null or m.assessment = a.code)`

/** SQL for whether a user u is a candidate of an assessment, by current address, invited address, or attempt. */
const sits = (of: 'a' | 'b') => {
  const code = raw(`${of}.code`)
  return sql`(exists (select from candidates c
      where c.assessment = ${code} and not c.is_demo
        and (lower(c.username) = u.email or lower(c.email) = u.email))
    or exists (select from society_invitations v join candidates c
      on c.assessment = ${code} and not c.is_demo and v.email in (lower(c.username), lower(c.email))
      where v.user_id = u.id)
    or exists (select from attempt_events e join candidates c on c.id = e.candidate_id
      where e.user_id = u.id and c.assessment = ${code} and not c.is_demo)
    or exists (select from attempts t
      where t.user_id = u.id and t.assessment = ${code} and not t.is_demo))`
}

const IS_CANDIDATE = sits('a')

/**
 * SQL for the codes, as shared.codes, of a society's tests that share a question with one that user u can still take,
 * because their keys are the same (product 7.7.6). Most members take none, and then no question is read.
 */
const sharedAt = (now: Date) => sql`
  cross join lateral (select array(select b.code from assessments b
    where b.society_id = s.id and b.trial is null and ${sits('b')} and (b.closes_at is null or ${raw(lastStart('b'))} > ${now}
      or exists (select from attempts t
        where t.assessment = b.code and t.submitted_at is null and not t.is_demo))) as codes offset 0) taken
  cross join lateral (select case when taken.codes = '{}' then '{}' else array(
    -- Each question and each text is looked up once by an index: comparing all pairs of a season takes minutes.
    select a.code from assessments a where a.society_id = s.id and a.code in (
      select i.assessment from (select distinct j.question_id as id from assessment_items j
          where j.assessment = any (taken.codes) and not j.is_sample) asks
        cross join lateral (select i.assessment from assessment_items i
          where i.question_id = asks.id offset 0) i
      union select i.assessment from (select distinct ${raw(textKey('j.question'))} as text from assessment_items j
          where j.assessment = any (taken.codes) and not j.is_sample) asks
        cross join lateral (select i.assessment from assessment_items i
          where ${raw(textKey('i.question'))} = asks.text offset 0) i)
  ) end as codes offset 0) shared`

/** SQL for whether a member has the full permission in an assessment a that the member doesn't take. */
export const mayIn = (
  { userId, now, sits: taken }: { userId: string; now: Date; sits: readonly string[] },
  act: Act,
) => sql`(exists (
    select from memberships m where m.user_id = ${userId} and ${inForce(now)} and ${REACHES}
      and m.role = any (${ROLES.filter((role) => may(role, act) === 'all')}::text[]))
  and a.code <> all (${taken}) and not exists (select from users u where u.id = ${userId} and ${IS_CANDIDATE}))`

/** Requests stop sharing a read that takes longer than this, in milliseconds. */
const SLOW_READ_MS = 50
/** The cache of Live viewers, with one entry per viewer and test of about 1 kB. */
const KNOWN = { limit: 1_000, keepMs: 10_000 }

interface Asked {
  holder: TokenHolder
  society: string
  /** Null if the request isn't about an assessment. */
  code: string | null
  mayBeKnown: boolean
}

const keyOf = ({ holder, society, code }: Asked) =>
  [holder.id, holder.sessionId, society, code].join(' ')

interface Member extends Proof {
  society: string
  email: string | null
  contentVersion: number
  held: HeldRole[]
  /** When the first role expires; null if none does. */
  until: Date | null
  isCandidate: boolean
  /** Tests that share a question with one the member can take; for a society, all tests the member takes. */
  sits: string[]
}

/**
 * The guard for organizers' requests. Every request reads session and roles, and concurrent requests share one read.
 * Viewers of Live are cached while this node receives all change notifications (product 7.14.13).
 * @param contentVersion SQL for CurrentUser's contentVersion, without parameters
 */
export function createOrganizerGuard(
  dependencies: Pick<AppDependencies, 'db' | 'now' | 'log' | 'secondFactorRequired' | 'knownUsers'>,
  contentVersion: string,
): OrganizerGuard {
  const { db, now, log, secondFactorRequired, knownUsers } = dependencies
  const columns = raw(`u.email, ${contentVersion} as "contentVersion", ${HELD}, ${PROOF_COLUMNS}`)
  const known = knownUsers?.beside<Member>(KNOWN)

  async function read(calls: readonly Asked[]): Promise<(Member | 'none')[]> {
    if (!known) return readAll(calls)
    const reading = known.beginRead()
    try {
      const members = await readAll(calls)
      for (const [at, member] of members.entries()) {
        const asked = calls[at] as Asked
        if (asked.mayBeKnown && member !== 'none') {
          known.remember(keyOf(asked), asked.holder.id, member, reading)
        }
      }
      return members
    } finally {
      known.endRead(reading)
    }
  }

  async function readAll(calls: readonly Asked[]): Promise<(Member | 'none')[]> {
    const found = new Map<Asked, Member>()
    const readSome = async (ofTests: boolean) => {
      const some = calls.filter(({ code }) => (code !== null) === ofTests)
      if (some.length === 0) return
      const name = `organizers-of-${ofTests ? 'assessments' : 'societies'}`
      const { text, values } = rolesOf(some, columns, ofTests, now())
      const { rows } = await db.$client.query<Member & { nr: number }>({ name, text, values })
      for (const row of rows) found.set(some[row.nr - 1] as Asked, row)
    }
    await Promise.all([readSome(true), readSome(false)])
    return calls.map((asked) => found.get(asked) ?? 'none')
  }

  // The queue is unlimited because requests have their own limits.
  const readInRound = inRounds(log, read, {
    slowMs: SLOW_READ_MS,
    waitingLimit: Number.POSITIVE_INFINITY,
  })

  const storeInRound = inRounds(log, async (calls: readonly OrganizerCall[]) => {
    await storeOrganizerCalls(db, calls)
    return calls.map(() => true)
  })

  /** Returns the extent of a member's roles. Errors: those of requireOrganizer. */
  function judge(
    found: Member,
    { organizer, within = [], fresh = false, keys = false }: OrganizerAccess,
    at: Date,
  ): 'all' | string[] {
    const roles = found.held.map(({ role }) => role)
    const extent = mayWith(roles, organizer as Act)
    if (extent !== 'all' && !extent.some((limit) => within.includes(limit))) throw notYours()
    // Only members get this far, so the error may reveal that the assessment exists.
    if (found.isCandidate) throw isCandidate()
    const always = secondFactorRequired ? 'always' : 'where there is one'
    const factor = needsSecondFactor(roles) || fresh ? always : 'never'
    requireOrganizerProof(found, { factor, fresh, keys }, at)
    return extent === 'all' ? extent : extent.filter((limit) => within.includes(limit))
  }

  /** Returns a cached member. If it would be rejected, its roles are read again, as they may be new. */
  function recall(asked: Asked, access: OrganizerAccess, at: Date): Member | undefined {
    const member = asked.mayBeKnown ? known?.recall(keyOf(asked)) : undefined
    if (!member || (member.until !== null && member.until <= at)) return undefined
    try {
      judge(member, access, at)
      return member
    } catch (error) {
      if (error instanceof ApiError) return undefined
      throw error
    }
  }

  return {
    forgetMembers: () => known?.forgetAll(),
    async requireOrganizer(holder, access, { society, code = null }, mayBeKnown = false) {
      const at = now()
      const asked = { holder, society, code, mayBeKnown }
      const found =
        recall(asked, access, at) ??
        (await readInRound(asked)) ??
        (await read([asked]))[0] ??
        'none'
      if (found === 'none') throw notYours()
      const extent = judge(found, access, at)
      const call = { sessionId: holder.sessionId, keys: access.keys ?? false, at }
      if (!isOrganizerCallStored(found, call)) {
        if (!(await storeInRound(call))) await storeOrganizerCalls(db, [call])
        found.organizerAt = at
      }
      const { email, contentVersion, society: name, held: roles, sits } = found
      const areKeysOpen = areKeysUncovered(found, at)
      return {
        user: { ...holder, email, isAnonymous: false, contentVersion },
        organizer: { societyId: society, society: name, code, extent, roles, sits, areKeysOpen },
      }
    },
  }
}

/** Finds a society in which a user has a role for an assessment, so that its helpers can rehearse too. */
export function createHelperSearch({ db, now }: Pick<AppDependencies, 'db' | 'now'>) {
  return async (userId: string, code: string): Promise<string | null> => {
    const { rows } = await db.$client.query<{ id: string; isCandidate: boolean }>(
      sql`select m.society_id as id, bool_or(${IS_CANDIDATE}) as "isCandidate"
        from memberships m join users u on u.id = m.user_id join assessments a on a.code = ${code}
        where m.user_id = ${userId} and ${inForce(now())} and not u.is_anonymous and ${REACHES}
        group by m.society_id`,
    )
    return rows[0] && !rows[0].isCandidate ? rows[0].id : null
  }
}

// The room of a role for the test takes precedence over that of a role for the society.
const HELD = `json_agg(json_build_object('role', m.role, 'room', m.room,
    'assessment', m.assessment) order by m.assessment is null, m.role) as held,
  min((select ${lastStart('o')} from assessments o where o.code = m.assessment and m.role = 'invigilator')) as until`

const SITS = sql`false as "isCandidate", shared.codes
  || array(select a.code from assessments a where a.society_id = s.id and ${IS_CANDIDATE}) as sits`
const SITS_IT = sql`bool_or(${IS_CANDIDATE} or a.code = any (shared.codes)) as "isCandidate", shared.codes as sits`

/** Selects roles and sessions for requests that are all about tests or all about societies. Guests have none. */
function rolesOf(calls: readonly Asked[], columns: Sql, ofTests: boolean, now: Date): Sql {
  // The query joins unnest, because `= any` makes PostgreSQL plan again on every request.
  return sql`
    select asked.nr::int, s.name as society,
      ${ofTests ? SITS_IT : SITS}, ${columns}
    from unnest(${calls.map(({ holder }) => holder.id)}::uuid[],
      ${calls.map(({ society }) => society)}::uuid[],
      ${calls.map(({ holder }) => holder.sessionId)}::uuid[],
      ${calls.map(({ code }) => code)}::text[])
      with ordinality as asked(user_id, society_id, session_id, code, nr)
    join memberships m on m.user_id = asked.user_id and m.society_id = asked.society_id
    join societies s on s.id = m.society_id join users u on u.id = m.user_id
    join sessions n on n.id = asked.session_id and n.user_id = u.id
    ${ofTests ? sql`join assessments a on a.code = asked.code` : empty} ${sharedAt(now)}
    where ${inForce(now)} and not u.is_anonymous ${ofTests ? sql`and ${REACHES}` : empty}
    group by asked.nr, s.id, n.id, u.id, shared.codes`
}

/** One response for everything out of reach, so that strangers can't find out what exists (product 9.1.4). */
const notYours = () =>
  refuse(404, 'no_society', 'There is no such society, or you have no role in it for this.')

const isCandidate = () =>
  refuse(
    403,
    'is_candidate',
    "You are a candidate of this test, or of one that asks the same questions and isn't over, so you have no role in it. Ask another organizer.",
  )
