import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A row of a society's roster. */
export interface Candidate {
  id: string
  username: string
  passwordHash: Buffer
  /** how much longer than the others, in all */
  extraSeconds: number
  /** kinds of events that are kept and not counted */
  exemptKinds: string[]
  revokedAt: Date | null
  isDemo: boolean
}

type Client = Pick<pg.Pool, 'query'>

/**
 * How a candidate's row is held until the transaction ends. 'share': an organiser's change waits. 'change':
 * other organisers and starts wait, but not the candidate's own saves and submits, whose foreign keys take a
 * share of the row: a stronger lock could deadlock with them.
 */
export type CandidateLock = 'none' | 'share' | 'change'
const LOCKS = { none: '', share: 'for share of c', change: 'for no key update of c' }

const CANDIDATE = `select c.id, c.username, c.password_hash as "passwordHash",
  c.extra_seconds as "extraSeconds", c.exempt_kinds as "exemptKinds", c.revoked_at as "revokedAt",
  c.is_demo as "isDemo" from candidates c`

/** The candidate of a username, however its letters are written (product 6.2.5); the revoked too. */
export async function getCandidateByName(
  client: Client,
  assessment: string,
  username: string,
  lock: CandidateLock = 'none',
): Promise<Candidate | null> {
  const { rows } = await client.query<Candidate>({
    name: `candidate-by-name-${lock}`,
    text: `${CANDIDATE} where c.assessment = $1 and lower(c.username) = lower($2) ${LOCKS[lock]}`,
    values: [assessment, username],
  })
  return rows[0] ?? null
}

/** Which attempt a call means: the caller has shown nothing of it yet but a token. */
export interface Seat {
  /** of the assessment */
  code: string
  /** SHA-256 of the candidate token */
  tokenHash: Buffer | null
  userId: string
  windowId: string
}

/** The candidate of a token, for its user and its assessment (product 6.2.9); never a revoked one. */
export async function getCandidateOfSeat(
  client: Client,
  { code, tokenHash, userId }: Seat,
  lock: CandidateLock = 'none',
): Promise<Candidate | null> {
  const { rows } = await client.query<Candidate>({
    name: `candidate-of-seat-${lock}`,
    text: `${CANDIDATE} join candidate_tokens k on k.candidate_id = c.id
      where k.token_hash = $1 and k.user_id = $2 and c.assessment = $3 and c.revoked_at is null
      ${LOCKS[lock]}`,
    values: [tokenHash, userId, code],
  })
  return rows[0] ?? null
}

/**
 * Whether a token that stands for nobody any more did until its candidate got a new password. Only its own
 * user hears so, in the session it was given to, and nobody of a candidate who was revoked since.
 */
export async function isReplacedToken(
  client: Client,
  { code, tokenHash, userId }: Seat,
): Promise<boolean> {
  const { rowCount } = await client.query({
    name: 'replaced-token',
    text: `select from replaced_tokens k
      join sessions s on s.id = k.session_id and s.user_id = $2
      join candidates c on c.id = k.candidate_id and c.assessment = $3 and c.revoked_at is null
      where k.token_hash = $1`,
    values: [tokenHash, userId, code],
  })
  return rowCount === 1
}

/** Ends a candidate's tokens because of a new password, and keeps that this is why. */
export async function replaceTokens(client: Client, candidateId: string, now: Date): Promise<void> {
  await client.query(
    `with ended as (
       delete from candidate_tokens where candidate_id = $1 returning token_hash, session_id
     )
     insert into replaced_tokens (token_hash, candidate_id, session_id, replaced_at)
     select token_hash, $1, session_id, $2 from ended`,
    [candidateId, now],
  )
}

/** What is stored of a candidate token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
