import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Database, fieldLists } from '../../../platform/database/database.ts'
import { type Api, ApiError, type EnterTurn } from '../../../platform/server/api.ts'
import { isStorableJson } from '../../../platform/server/body/storable.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createLimiter, secondsToWait } from '../../../platform/server/quota.ts'
import { inRounds } from '../../../platform/server/rounds.ts'
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
import { ROUND_EVERY_MS } from '../seat-calls.ts'
import { finaliseAttemptOf, statusOf } from '../status.ts'

/** Wrong tries per signed-in user and address. */
const WRONG_TRIES = { points: 20, duration: 300 }
/** Wrong tries per username, from any address. They only delay the response. */
const TRIES_PER_USERNAME = { points: 1_000_000, duration: 300 }
const DELAY_PER_TRY_MS = 20
const MAX_DELAY_MS = 1_000

const wrongCredentials = () =>
  new ApiError(
    401,
    'invalid_credentials',
    'The username or password you entered is incorrect. Please try again.',
  )

/**
 * POST …/verify: exchanges society credentials for a candidate token (product 6.2). @param others dependencies whose
 * connections wrong tries use
 */
export function serveCredentials(
  api: Api,
  { db, log, now, secretKey }: AppDependencies,
  others: AppDependencies,
  enterTurn: EnterTurn,
): void {
  const credentials = createCredentials(others)
  const originOf = createOriginOf(others)

  const issueInRound = inRounds(
    log,
    (entries: readonly Entry[]) => issueTokens(db.$client, entries, now()),
    { everyMs: ROUND_EVERY_MS },
  )
  // Handles rejected entries and candidates whose row another transaction holds.
  const issueAlone = async (entry: Entry) => {
    const candidate = await credentials.check(entry)
    const [issued] = await issueTokens(db.$client, [entry], now(), 'waited for')
    if (issued) return issued
    throw (await isOfDraft(others.db, candidate.id)) ? notPublished() : wrongCredentials()
  }

  api.serveInTurn(verifyCandidate, enterTurn, async ({ user, params, body, context }) => {
    const token = randomBytes(32).toString('base64url')
    const entry: Entry = {
      ...originOf(user, context),
      code: params.code,
      // The roster stores usernames in NFC, but some computers send an accent as a separate character.
      username: body.username.normalize('NFC'),
      passwordHash: hashCandidatePassword(secretKey, body.password),
      tokenHash: hashToken(token),
      sessionId: user.sessionId,
    }
    const issued = (await issueInRound(entry)) ?? (await issueAlone(entry))
    const attempt = issued.hasStarted && (await finaliseAttemptOf(db, issued.candidateId, now()))
    return { candidateToken: token, status: statusOf(attempt || null) }
  })
}

/** Finds the candidate id for JSON credentials (product 6.2.13). Passwords have 64 bits, so tries need no limit. */
export function createEntrance(
  dependencies: AppDependencies,
): (proof: string) => Promise<string | null> {
  const credentials = createCredentials(dependencies)
  return async (proof) => {
    const parsed = credentialsShown.safeParse(parseJson(proof))
    if (!parsed.success || !isStorableJson(parsed.data)) return null
    const { username, password } = parsed.data
    const named = await listCandidatesByName(dependencies.db.$client, username)
    const given = hashCandidatePassword(dependencies.secretKey, password)
    const candidate = named.find((one) => isPasswordOf(one, given))
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

/** Whether the password is the candidate's. Without a candidate it takes equally long and returns false. */
function isPasswordOf(candidate: Candidate | null, given: Buffer): boolean {
  const known = candidate?.revokedAt === null ? candidate.passwordHash : null
  return timingSafeEqual(given, known ?? Buffer.alloc(32)) && known !== null
}

interface Credentials {
  /** Waits after a wrong try for a username. The wait grows with each try, up to one second. */
  slowDown(assessment: string, username: string): Promise<void>
  /**
   * Finds the candidate for a username and password. A correct password is always accepted, so a rival can't lock a
   * candidate out. A wrong name and a wrong password give the same error. Errors: 401 invalid_credentials, 429
   * too_many_tries with Retry-After.
   */
  check(entry: Entry): Promise<Candidate>
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
    async check({ code, username, passwordHash, userId, address }) {
      const candidate = await getCandidateByName(db.$client, code, username)
      if (isPasswordOf(candidate, passwordHash) && candidate) return candidate
      if (dependencies.rateLimits) {
        await perUser.consume(keyOf(userId, address)).catch((reason) => {
          throw new ApiError(
            429,
            'too_many_tries',
            'Too many wrong tries. Please check your credentials and try again in a few minutes.',
            { retryAfterSeconds: secondsToWait(reason) },
          )
        })
      }
      await slowDown(code, username)
      throw wrongCredentials()
    },
  }
}

/** Maximum active tokens per candidate. People change rooms and computers, but not more often than this. */
const TOKENS_LIMIT = 10

/** Maximum stored verifications per candidate, and as many for other accounts. Scripts can make hundreds a minute. */
const VERIFICATIONS_KEPT = 200

/** Returned only for correct credentials, so that candidates don't ask for a new password (product 7.8.5). */
export const notPublished = () =>
  new ApiError(
    403,
    'not_published',
    'The society hasn’t opened this test yet. Your credentials are correct. Please come back at the time your society gave you.',
  )

/** Credentials not yet checked against the database, and the token to issue for them. */
interface Entry extends Origin {
  code: string
  username: string
  passwordHash: Buffer
  tokenHash: Buffer
  sessionId: string
}

/**
 * Issues candidate tokens bound to user and session. Stores only their hashes and deletes all but a few older tokens.
 * The candidate's row is locked, so that a reset can't miss a token. Null for wrong credentials, a draft, or a locked
 * row. @param held whether to wait for locked rows
 */
async function issueTokens(
  client: Pick<pg.Pool, 'query'>,
  entries: readonly Entry[],
  now: Date,
  held: 'left out' | 'waited for' = 'left out',
): Promise<({ candidateId: string; hasStarted: boolean } | null)[]> {
  // One statement and one commit for all simultaneous calls. Each lookup uses an index, as in seat-calls.ts.
  const { rows } = await client.query<{ n: number; candidateId: string; hasStarted: boolean }>({
    name: `issue-tokens-${held}`,
    text: `
      with entries as (
        select entries.*, c.id as candidate_id, t.id as attempt_id
        from unnest($2::int[], $3::text[], $4::text[], $5::bytea[], $6::bytea[], $7::uuid[], $8::uuid[], $9::text[],
          $10::text[]) as entries (n, assessment, username, password_hash, token_hash, user_id, session_id, address,
          agent)
        cross join lateral (
          select c.id from candidates c join assessments a on a.code = c.assessment
          where c.assessment = entries.assessment and lower(c.username) = lower(entries.username)
            and c.password_hash = entries.password_hash and c.revoked_at is null
            and not a.is_draft and a.deleted_at is null
          for share of c ${held === 'left out' ? 'skip locked' : ''}
        ) c
        left join lateral (select t.id from attempts t where t.candidate_id = c.id limit 1) t on true
      ), surplus as (
        delete from candidate_tokens k using entries cross join lateral (
          select o.ctid from candidate_tokens o where o.candidate_id = entries.candidate_id
          order by o.created_at desc offset ${TOKENS_LIMIT - 1}
        ) old where k.ctid = old.ctid
      ), issued as (
        insert into candidate_tokens (token_hash, candidate_id, user_id, session_id, created_at)
        select token_hash, candidate_id, user_id, session_id, $1 from entries
      ), event as (
        -- It comes before the start or during a test in another window, so it has no test time.
        insert into attempt_events (candidate_id, attempt_id, kind, user_id, address, agent, received_at)
        select candidate_id, attempt_id, 'verified', user_id, address, agent, $1 from entries
        cross join lateral (
          select count(*) as count, count(*) filter (where e.user_id = entries.user_id) as own
          from attempt_events e where e.candidate_id = entries.candidate_id and e.kind = 'verified'
        ) past
        where past.count < ${VERIFICATIONS_KEPT} or past.own = 0 and past.count < ${2 * VERIFICATIONS_KEPT}
      )
      select n, candidate_id as "candidateId", attempt_id is not null as "hasStarted" from entries`,
    values: [
      now,
      entries.map((_, n) => n),
      ...fieldLists(entries, 'code', 'username', 'passwordHash', 'tokenHash'),
      ...fieldLists(entries, 'userId', 'sessionId', 'address', 'agent'),
    ],
  })
  const issued = new Map(rows.map((row) => [row.n, row]))
  return entries.map((_, n) => issued.get(n) ?? null)
}

async function isOfDraft(db: Database, candidateId: string): Promise<boolean> {
  const { rowCount } = await db.$client.query(
    `select from candidates c join assessments a on a.code = c.assessment
     where c.id = $1 and c.revoked_at is null and a.is_draft and a.deleted_at is null`,
    [candidateId],
  )
  return rowCount === 1
}
