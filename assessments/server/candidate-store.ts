import { createHash, createHmac, randomBytes } from 'node:crypto'
import type pg from 'pg'
import { deriveKey } from '../../platform/database/secret-key.ts'

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

/** What is stored of a candidate token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** No letters or digits that look alike on paper or on a phone: 31 of them, 13 characters, 64 bits. */
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_LENGTH = 13

/** A candidate's password, shown once: 64 random bits in three groups. */
export function makePassword(): string {
  let password = ''
  while (password.length < PASSWORD_LENGTH) {
    for (const byte of randomBytes(32)) {
      // 248 is the largest multiple of 31 in a byte; higher ones would favor some letters.
      if (byte < 248 && password.length < PASSWORD_LENGTH) password += PASSWORD_ALPHABET[byte % 31]
    }
  }
  return `${password.slice(0, 4)}-${password.slice(4, 8)}-${password.slice(8)}`
}

/**
 * A keyed SHA-256: the passwords are random, so slow hashing would add nothing, and ten thousand
 * candidates verify within a minute (product 6.2.6).
 */
export function hashCandidatePassword(secretKey: Buffer, password: string): Buffer {
  // Hyphens, blanks and capitals are how somebody typed it from paper, not what it is.
  const plain = password.toLowerCase().replace(/[^a-z0-9]/g, '')
  return createHmac('sha256', deriveKey(secretKey, 'candidate passwords')).update(plain).digest()
}
