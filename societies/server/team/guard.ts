import {
  isOrganiserCallStored,
  type OrganiserCall,
  PROOF_COLUMNS,
  type Proof,
  requireOrganiserProof,
  storeOrganiserCalls,
} from '../../../accounts/server/proof-store.ts'
import type { OrganiserAccess } from '../../../platform/endpoint.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { OrganiserGuard, TokenHolder } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { inRounds } from '../../../platform/server/rounds.ts'
import { type Act, type HeldRole, mayWith, needsSecondFactor } from '../../roles.ts'

/**
 * Whether a row m of memberships is in force at $now (product 7.7.5). A role for a deleted test waits for its
 * restoration; an invigilator's for one test is over when nobody can start it any more and nobody is inside.
 * @param now number of the parameter
 */
export const IN_FORCE = (now: number) =>
  `m.ended_at is null and (m.assessment is null or exists (
    select from assessments o where o.code = m.assessment and o.deleted_at is null
      and (m.role <> 'invigilator' or o.closes_at is null or o.closes_at >= $${now} or exists (
        select from attempts t where t.assessment = o.code and t.submitted_at is null and not t.is_demo))))`

/**
 * Whether a row m of memberships reaches an assessment a, which has to be the same society's. A rehearsal or a
 * simulation is reached by nobody, since no page of an assessment opens it (product 7.11.1), nor is a deleted one.
 */
export const REACHES = `m.society_id = a.society_id and a.trial is null and a.deleted_at is null
  and (m.assessment is null or m.assessment = a.code)`

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

/** A read that takes longer, milliseconds, holds nobody else up. */
const SLOW_READ_MS = 50
/** Who watches is remembered: of each call about one test. Some 1 kB each. */
const KNOWN = { limit: 1_000, keepMs: 10_000 }

interface Asked {
  holder: TokenHolder
  society: string
  /** null: about no assessment */
  code: string | null
  mayBeKnown: boolean
}

const keyOf = ({ holder, society, code }: Asked) =>
  [holder.id, holder.sessionId, society, code].join(' ')

/** A member's part in what a call is about, as it is stored. */
interface Member extends Proof {
  society: string
  email: string | null
  contentVersion: number
  held: HeldRole[]
  /** when the first of them can end by itself; null: none does */
  until: Date | null
  isCandidate: boolean
}

/**
 * The guard of organisers' calls: every call reads session and roles, so that one that was ended is refused at
 * once. Both are one read, and calls of the same moment share it. Of who watches, what was read a moment ago serves
 * as long as every change of it is heard of (product 7.14.13): twenty who watch would else be read all the time.
 * @param contentVersion SQL of CurrentUser's contentVersion, without parameters
 */
export function createOrganiserGuard(
  {
    db,
    now,
    log,
    secondFactorRequired,
    knownUsers,
  }: Pick<AppDependencies, 'db' | 'now' | 'log' | 'secondFactorRequired' | 'knownUsers'>,
  contentVersion: string,
): OrganiserGuard {
  const columns = `u.email, ${contentVersion} as "contentVersion", ${HELD}, ${PROOF_COLUMNS}`
  const known = knownUsers?.beside<Member>(KNOWN)
  const texts = { ofSociety: ofSociety(columns), ofAssessment: ofAssessment(columns) }

  async function readSome(
    name: string,
    text: string,
    some: readonly Asked[],
    codes: readonly unknown[],
  ): Promise<(Member | 'none')[]> {
    const { rows } = await db.$client.query<Member & { nr: number }>({
      ...{ name, text },
      values: [
        some.map(({ holder }) => holder.id),
        some.map(({ society }) => society),
        now(),
        some.map(({ holder }) => holder.sessionId),
        ...codes,
      ],
    })
    const found = new Map(rows.map((row) => [row.nr, row]))
    return some.map((_, at) => found.get(at + 1) ?? 'none')
  }

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
    const ofSocieties = calls.filter(({ code }) => code === null)
    const ofAssessments = calls.filter(({ code }) => code !== null)
    const [first, second] = await Promise.all([
      ofSocieties.length > 0
        ? readSome('organisers-of-societies', texts.ofSociety, ofSocieties, [])
        : [],
      ofAssessments.length > 0
        ? readSome('organisers-of-assessments', texts.ofAssessment, ofAssessments, [
            ofAssessments.map(({ code }) => code),
          ])
        : [],
    ])
    return calls.map(({ code }) => (code === null ? first.shift() : second.shift()) ?? 'none')
  }

  // However many wait: what their calls are for has limits of its own.
  const readInRound = inRounds(log, read, {
    slowMs: SLOW_READ_MS,
    waitingLimit: Number.POSITIVE_INFINITY,
  })

  const storeInRound = inRounds(log, async (calls: readonly OrganiserCall[]) => {
    await storeOrganiserCalls(db, calls)
    return calls.map(() => true)
  })

  /** How far a member may go. Errors: those of requireOrganiser for one who was found. */
  function judge(
    found: Member,
    { organiser, within = [], fresh = false, keys = false }: OrganiserAccess,
    at: Date,
  ): 'all' | string[] {
    const roles = found.held.map(({ role }) => role)
    const extent = mayWith(roles, organiser as Act)
    if (extent !== 'all' && !extent.some((limit) => within.includes(limit))) throw notYours()
    // To a member alone, who may know that there is such an assessment.
    if (found.isCandidate) throw isCandidate()
    const always = secondFactorRequired ? 'always' : 'where there is one'
    const factor = needsSecondFactor(roles) ? always : 'never'
    requireOrganiserProof(found, { factor, fresh, keys }, at)
    return extent === 'all' ? extent : extent.filter((limit) => within.includes(limit))
  }

  /** A member as read a moment ago. Whoever would be refused is read anew: something may have been granted since. */
  function recall(asked: Asked, access: OrganiserAccess, at: Date): Member | undefined {
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
    async requireOrganiser(holder, access, { society, code = null }, mayBeKnown = false) {
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
      if (!isOrganiserCallStored(found, call)) {
        if (!(await storeInRound(call))) await storeOrganiserCalls(db, [call])
        found.organiserAt = at
      }
      const { email, contentVersion, society: name, held } = found
      return {
        user: { ...holder, email, isAnonymous: false, contentVersion },
        organiser: { societyId: society, society: name, code, extent, roles: held },
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

// A guest has no roles, and is asked for nevertheless: an account that is being deleted is one. The room of a role
// for the test stands before that of one for the society.
const HELD = `json_agg(json_build_object('role', m.role, 'room', m.room) order by m.assessment is null, m.role) as held,
  min((select o.closes_at from assessments o where o.code = m.assessment and m.role = 'invigilator')) as until`

// Joined to unnest, not `= any`, for which PostgreSQL makes a new plan at every call.
const ofSociety = (columns: string) => `
  select asked.nr::int, s.name as society, false as "isCandidate", ${columns}
  from unnest($1::uuid[], $2::uuid[], $4::uuid[]) with ordinality as asked(user_id, society_id, session_id, nr)
  join memberships m on m.user_id = asked.user_id and m.society_id = asked.society_id
  join societies s on s.id = m.society_id join users u on u.id = m.user_id
  join sessions n on n.id = asked.session_id and n.user_id = u.id
  where ${IN_FORCE(3)} and not u.is_anonymous
  group by asked.nr, s.id, n.id, u.id`

const ofAssessment = (columns: string) => `
  select asked.nr::int, s.name as society, bool_or(${IS_CANDIDATE}) as "isCandidate", ${columns}
  from unnest($1::uuid[], $2::uuid[], $4::uuid[], $5::text[]) with ordinality
    as asked(user_id, society_id, session_id, code, nr)
  join memberships m on m.user_id = asked.user_id and m.society_id = asked.society_id
  join societies s on s.id = m.society_id join users u on u.id = m.user_id
  join sessions n on n.id = asked.session_id and n.user_id = u.id
  join assessments a on a.code = asked.code
  where ${IN_FORCE(3)} and not u.is_anonymous and ${REACHES}
  group by asked.nr, s.id, n.id, u.id`

/** One answer for all that is not the caller's: what there is, nobody learns (product 9.1.4). */
const notYours = () =>
  new ApiError(404, 'no_society', 'There is no such society, or you have no role in it for this.')

export const isCandidate = () =>
  new ApiError(
    403,
    'is_candidate',
    'You are a candidate of this assessment, so you have no role in it. Please ask another organiser.',
  )
