import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../../../platform/database/database.ts'
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

/**
 * POST …/verify: society credentials for a candidate token (product 6.2).
 * @param others whose connections wrong tries take
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
  // Handles refused entries, and candidates whose row another transaction holds.
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
      // As the roster keeps it: some computers write an accent as a letter of its own.
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

/** Whether it is the candidate's password; without a candidate the same work, and no. */
function isPasswordOf(candidate: Candidate | null, given: Buffer): boolean {
  const known = candidate?.revokedAt === null ? candidate.passwordHash : null
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

/** How many tokens of one candidate live at once: people change rooms and computers, not more often. */
const TOKENS_LIMIT = 10

/** Verifications of one candidate that are kept, and as many of further accounts: a script can make hundreds a minute. */
const VERIFICATIONS_KEPT = 200

/** Said only after the right credentials of a draft: others would ask for a new password (product 7.8.5). */
export const notPublished = () =>
  new ApiError(
    403,
    'not_published',
    'The society has not opened this test yet. Your credentials are right: please come back at the time that it named.',
  )

/** Right credentials by all that is known yet, and the token that they are to get. */
interface Entry extends Origin {
  code: string
  username: string
  passwordHash: Buffer
  tokenHash: Buffer
  sessionId: string
}

const ENTRY_COLUMNS = [
  ...(['code', 'username', 'passwordHash', 'tokenHash'] as const),
  ...(['userId', 'sessionId', 'address', 'agent'] as const),
]

/**
 * New candidate tokens, bound to user and session; only their hashes are stored, and few older ones stay. The candidate's
 * row is locked, so no token slips past a reset. Null for wrong credentials, a draft, or a row that is held elsewhere.
 * @param held whether a held candidate is waited for
 */
async function issueTokens(
  client: Pick<pg.Pool, 'query'>,
  entries: readonly Entry[],
  now: Date,
  held: 'left out' | 'waited for' = 'left out',
): Promise<({ candidateId: string; hasStarted: boolean } | null)[]> {
  // One statement and one commit for all that come in at once; each is looked up by an index, as in seat-calls.ts.
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
        -- It comes before the start, or beside a test that goes on elsewhere: no time of the test is its own.
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
      ...ENTRY_COLUMNS.map((name) => entries.map((entry) => entry[name])),
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
