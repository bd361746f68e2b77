import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../../platform/database/database.ts'
import { type Api, ApiError, type EnterTurn } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createLimiter, secondsToWait } from '../../../platform/server/quota.ts'
import { isStorableJson } from '../../../platform/server/storable.ts'
import { credentialsShown, verifyCandidate } from '../../contract.ts'
import {
  type Candidate,
  getCandidateByName,
  hashToken,
  listCandidatesByName,
} from '../candidate-store.ts'
import type { Origin } from '../event-store.ts'
import { hashCandidatePassword } from '../password-store.ts'
import { createOriginOf } from '../seat.ts'
import { finaliseAttemptOf, statusOf } from '../status.ts'

/** Wrong tries of one signed-in user from one address. */
const WRONG_TRIES = { points: 20, duration: 300 }
/** Wrong tries for one username, from anywhere: they only make the answer slower. */
const TRIES_PER_USERNAME = { points: 1_000_000, duration: 300 }
const DELAY_PER_TRY_MS = 20
const MAX_DELAY_MS = 1_000

const wrongCredentials = () =>
  new ApiError(
    401,
    'invalid_credentials',
    'The username or password you entered is incorrect. Please try again.',
  )

/** POST …/verify: society credentials for a candidate token (product 6.2). */
export function serveCredentials(
  api: Api,
  dependencies: AppDependencies,
  enterTurn: EnterTurn,
): void {
  const { db, now } = dependencies
  const credentials = createCredentials(dependencies)
  const originOf = createOriginOf(dependencies)

  api.serveInTurn(verifyCandidate, enterTurn, async ({ user, params, body, context }) => {
    const origin = originOf(user, context)
    const candidate = await credentials.check(params.code, body.username, body.password, origin)
    const at = now()
    const issued = await issueCandidateToken(db, candidate, user, origin, at)
    const attempt = issued.hasStarted ? await finaliseAttemptOf(db, candidate.id, at) : null
    return { candidateToken: issued.token, status: statusOf(attempt) }
  })
}

/** The candidate's id by credentials as JSON, for entry at the guest limit (product 6.2.13). 64 bits need no tries limit. */
export function createEntrance(
  dependencies: AppDependencies,
): (proof: string) => Promise<string | null> {
  const credentials = createCredentials(dependencies)
  return async (proof) => {
    const parsed = credentialsShown.safeParse(parseJson(proof))
    if (!parsed.success || !isStorableJson(parsed.data)) return null
    const { username, password } = parsed.data
    const named = await listCandidatesByName(dependencies.db.$client, username)
    const candidate = named.find((one) => isPasswordOf(dependencies, one, password))
    if (!candidate) await credentials.slowDown('', username)
    return candidate?.id ?? null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether it is the candidate's password; without a candidate the same work, and no. */
function isPasswordOf(
  { secretKey }: AppDependencies,
  candidate: Candidate | null,
  password: string,
): boolean {
  const known = candidate?.revokedAt === null ? candidate.passwordHash : null
  const given = hashCandidatePassword(secretKey, password)
  return timingSafeEqual(given, known ?? Buffer.alloc(32)) && known !== null
}

interface Credentials {
  /** Waits after a wrong try for one username, the longer the more there were, a second at most. */
  slowDown(assessment: string, username: string): Promise<void>
  /**
   * The candidate of a username and password. A right password is always admitted, or a rival could lock a candidate
   * out. Wrong name and wrong password look alike. Errors: 401 invalid_credentials, 429 too_many_tries with
   * Retry-After.
   */
  check(
    assessment: string,
    username: string,
    password: string,
    from: { userId: string; address: string },
  ): Promise<Candidate>
}

function createCredentials(dependencies: AppDependencies): Credentials {
  const { db, wait = sleep } = dependencies
  const perUser = createLimiter(dependencies, 'candidateTries', WRONG_TRIES)
  const perUsername = createLimiter(dependencies, 'candidateName', TRIES_PER_USERNAME)
  const keyOf = (...parts: string[]) =>
    createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)

  async function slowDown(assessment: string, username: string): Promise<void> {
    if (!dependencies.rateLimits) return
    const { consumedPoints } = await perUsername.consume(keyOf(assessment, username.toLowerCase()))
    await wait(Math.min(MAX_DELAY_MS, consumedPoints * DELAY_PER_TRY_MS))
  }

  return {
    slowDown,
    async check(assessment, written, password, from) {
      // As the roster keeps it: some computers write an accent as a letter of its own.
      const username = written.normalize('NFC')
      const candidate = await getCandidateByName(db.$client, assessment, username)
      if (isPasswordOf(dependencies, candidate, password) && candidate) return candidate
      if (dependencies.rateLimits) {
        await perUser.consume(keyOf(from.userId, from.address)).catch((reason) => {
          throw new ApiError(
            429,
            'too_many_tries',
            'Too many wrong tries. Please check your credentials and try again in a few minutes.',
            { retryAfterSeconds: secondsToWait(reason) },
          )
        })
      }
      await slowDown(assessment, username)
      throw wrongCredentials()
    },
  }
}

/** How many tokens of one candidate live at once: people change rooms and computers, not more often. */
const TOKENS_LIMIT = 10

/** How many verifications of one candidate are kept: a script can make hundreds a minute, for months. */
const VERIFICATIONS_KEPT = 200

/** Said only after the right credentials of a draft: others would ask for a new password (product 7.8.5). */
export const notPublished = () =>
  new ApiError(
    403,
    'not_published',
    'The society has not opened this test yet. Your credentials are right: please come back at the time that it named.',
  )

/**
 * A new candidate token, bound to user and session; only its hash is stored, and few older ones stay. The row is
 * locked, so no token slips past a reset. Errors: 401 invalid_credentials when that just happens, 403 not_published for
 * a draft.
 */
async function issueCandidateToken(
  db: Database,
  { id, passwordHash }: Candidate,
  user: CurrentUser,
  { address, agent }: Origin,
  now: Date,
): Promise<{ token: string; hasStarted: boolean }> {
  const token = randomBytes(32).toString('base64url')
  // One statement: each of a crowd that comes in at once costs one commit.
  const { rows } = await db.$client.query<{ hasStarted: boolean }>({
    name: 'issue-candidate-token',
    text: `
      with surplus as (
        delete from candidate_tokens k using (
          select token_hash from candidate_tokens where candidate_id = $2
          order by created_at desc offset ${TOKENS_LIMIT - 1}
        ) old where k.token_hash = old.token_hash
      ), issued as (
        insert into candidate_tokens (token_hash, candidate_id, user_id, session_id, created_at)
        select $1, c.id, $3, $4, $5 from candidates c join assessments a on a.code = c.assessment
        where c.id = $2 and c.password_hash = $6 and c.revoked_at is null
          and not a.is_draft and a.deleted_at is null for share of c
        returning candidate_id, user_id
      ), event as (
        -- It comes before the start, or beside a test that goes on elsewhere: no time of the test is its own.
        insert into attempt_events (candidate_id, attempt_id, kind, user_id, address, agent, received_at)
        select candidate_id, t.id, 'verified', issued.user_id, $7, $8, $5
        from issued left join attempts t using (candidate_id)
        where (select count(*) from attempt_events where candidate_id = $2 and kind = 'verified')
          < ${VERIFICATIONS_KEPT}
      )
      select exists (select from attempts t where t.candidate_id = issued.candidate_id) as "hasStarted"
      from issued`,
    values: [hashToken(token), id, user.id, user.sessionId, now, passwordHash, address, agent],
  })
  if (!rows[0]) throw (await isOfDraft(db, id)) ? notPublished() : wrongCredentials()
  return { token, ...rows[0] }
}

async function isOfDraft(db: Database, candidateId: string): Promise<boolean> {
  const { rowCount } = await db.$client.query(
    `select from candidates c join assessments a on a.code = c.assessment
     where c.id = $1 and c.revoked_at is null and a.is_draft and a.deleted_at is null`,
    [candidateId],
  )
  return rowCount === 1
}
