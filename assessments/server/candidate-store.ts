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

/** The candidates of a username in all assessments; the revoked too. */
export async function listCandidatesByName(client: Client, username: string): Promise<Candidate[]> {
  // From the assessments, which are few: the index on names begins with them.
  const { rows } = await client.query<Candidate>({
    name: 'candidates-by-name',
    text: `${CANDIDATE} join assessments a on a.code = c.assessment where lower(c.username) = lower($1)`,
    values: [username],
  })
  return rows
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

/** What is stored of a candidate token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
