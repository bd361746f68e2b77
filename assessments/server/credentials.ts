import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Database } from '../../platform/database/database.ts'
import { ApiError } from '../../platform/server/api.ts'
import type { CurrentUser } from '../../platform/server/current-user.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { hashCandidatePassword } from './candidate-store.ts'

/** Wrong tries of one signed-in user from one address. */
const WRONG_TRIES = { points: 20, duration: 300 }
/** Wrong tries for one username, from anywhere: they only make the answer slower. */
const TRIES_PER_USERNAME = { points: 1_000_000, duration: 300 }
const DELAY_PER_TRY_MS = 20
const MAX_DELAY_MS = 1_000

/** A candidate as the calls on an attempt need it. */
export interface Candidate {
  id: string
  exemptKinds: string[]
}

/** A candidate whose password was right. */
export interface CheckedCandidate extends Candidate {
  passwordHash: Buffer
}

const CANDIDATE_COLUMNS = 'c.id, c.exempt_kinds as "exemptKinds"'

const wrongCredentials = () =>
  new ApiError(
    401,
    'invalid_credentials',
    'The username or password you entered is incorrect. Please try again.',
  )

export interface Credentials {
  /**
   * The candidate of a username and password. A right password is always admitted: a lock would let
   * a rival lock a candidate out. Wrong name and wrong password look and take the same.
   * Errors: 401 invalid_credentials, 429 too_many_tries with Retry-After.
   */
  check(
    assessment: string,
    username: string,
    password: string,
    from: { userId: string; address: string },
  ): Promise<CheckedCandidate>
}

export function createCredentials(dependencies: AppDependencies): Credentials {
  const { db, secretKey } = dependencies
  const limiter = (keyPrefix: string, limit: { points: number; duration: number }) =>
    new RateLimiterPostgres({
      storeClient: db.$client,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix,
      ...limit,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, ...limit }),
    })
  const perUser = limiter('candidateTries', WRONG_TRIES)
  const perUsername = limiter('candidateName', TRIES_PER_USERNAME)
  const keyOf = (...parts: string[]) =>
    createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22)

  return {
    async check(assessment, username, password, from) {
      const { rows } = await db.$client.query<CheckedCandidate>({
        name: 'find-candidate',
        text: `select ${CANDIDATE_COLUMNS}, c.password_hash as "passwordHash" from candidates c
          where c.assessment = $1 and lower(c.username) = lower($2) and c.revoked_at is null`,
        values: [assessment, username],
      })
      const [found] = rows
      const given = hashCandidatePassword(secretKey, password)
      if (timingSafeEqual(given, found?.passwordHash ?? Buffer.alloc(32)) && found) {
        return found
      }
      if (dependencies.rateLimits) {
        await perUser.consume(keyOf(from.userId, from.address)).catch((reason) => {
          if (!(reason instanceof RateLimiterRes)) throw reason
          const retryAfterSeconds = Math.max(1, Math.ceil(reason.msBeforeNext / 1000))
          throw new ApiError(
            429,
            'too_many_tries',
            'Too many wrong tries. Please check your credentials and try again in a few minutes.',
            { retryAfterSeconds },
          )
        })
        const { consumedPoints } = await perUsername.consume(
          keyOf(assessment, username.toLowerCase()),
        )
        await wait(Math.min(MAX_DELAY_MS, consumedPoints * DELAY_PER_TRY_MS))
      }
      throw wrongCredentials()
    },
  }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * A new candidate token, bound to user and session; only its hash is stored.
 * Errors: 401 invalid_credentials when an organiser is just taking the password or the candidate back:
 * the row is locked and read again, so that no token slips past a reset.
 */
export async function issueCandidateToken(
  db: Database,
  { id, passwordHash }: CheckedCandidate,
  user: CurrentUser,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const { rowCount } = await db.$client.query(
    `insert into candidate_tokens (token_hash, candidate_id, user_id, session_id, created_at)
     select $1, id, $3, $4, $5 from candidates
     where id = $2 and password_hash = $6 and revoked_at is null for share`,
    [hashToken(token), id, user.id, user.sessionId, now, passwordHash],
  )
  if (rowCount === 0) throw wrongCredentials()
  return token
}

/**
 * The candidate of a token, for this user and this assessment.
 * Errors: 403 bad_candidate_token.
 */
export async function requireCandidate(
  db: Database,
  assessment: string,
  token: string | undefined,
  user: CurrentUser,
): Promise<Candidate> {
  if (token) {
    const { rows } = await db.$client.query<Candidate>({
      name: 'candidate-of-token',
      text: `select ${CANDIDATE_COLUMNS} from candidate_tokens t
        join candidates c on c.id = t.candidate_id
        where t.token_hash = $1 and t.user_id = $2 and c.assessment = $3 and c.revoked_at is null`,
      values: [hashToken(token), user.id, assessment],
    })
    if (rows[0]) return rows[0]
  }
  throw new ApiError(403, 'bad_candidate_token', 'Please login through the recruitment page first.')
}

/** What is stored of a candidate token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
