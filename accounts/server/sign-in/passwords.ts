import { randomBytes } from 'node:crypto'
import argon2 from '@node-rs/argon2'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../platform/database/database.ts'
import { networkOf } from '../../../platform/server/address.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../limits.ts'
import { AuthError, asApiError, type WeakReason } from '../errors.ts'
import { hasFactor, secondFactorRequired } from '../proof-store.ts'
import { levelOf } from '../sessions/level.ts'
import { sessions, users } from '../tables.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { RateLimits } from './rate-limits.ts'

/** OWASP's parameters for argon2id: 19 MiB (in KiB), two passes, one lane. argon2id is the default. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

/** Hashes at once: they fill the cores, and node's thread pool has two more for everything else. */
export const HASHING_AT_ONCE = 2
/** Hashes that may wait: at some 30 ms each on two lanes, the last of them waits about six seconds. */
const WAITING_LIMIT = 400

interface Waiter {
  go: () => void
  giveUp: (error: AuthError) => void
}

let hashing = 0
let waitingCount = 0
/** Who waits, by the network they call from; the networks in the order of their next turn. */
const waiting = new Map<string, Waiter[]>()

/** Runs hashing fairly by network, so that a flood from one network delays only itself. Errors: 503 with Retry-After. */
async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (hashing >= HASHING_AT_ONCE) {
    const network = networkOf(address, 48)
    if (waitingCount >= WAITING_LIMIT) makeRoom(network)
    // The one that finishes hands its place over, so `hashing` stays as it is.
    await new Promise<void>((go, giveUp) => {
      const queue = waiting.get(network) ?? []
      queue.push({ go, giveUp })
      waiting.set(network, queue)
      waitingCount++
    })
  } else {
    hashing++
  }
  try {
    return await work()
  } finally {
    const next = takeNext()
    if (next) next.go()
    else hashing--
  }
}

/** The first of the network whose turn it is, which then goes to the end of the line. */
function takeNext(): Waiter | undefined {
  const [first] = waiting
  if (!first) return undefined
  const [network, queue] = first
  waiting.delete(network)
  const next = queue.shift()
  if (queue.length > 0) waiting.set(network, queue)
  waitingCount--
  return next
}

/** Gives up the newest of the network that has most waiting. Errors: 503 when that is one's own. */
function makeRoom(own: string): void {
  const refusal = new AuthError(
    503,
    'unavailable',
    'Many people are signing in at this moment. Please try again in a few seconds.',
    { retryAfterSeconds: 3 },
  )
  let longest = waiting.get(own) ?? []
  for (const queue of waiting.values()) if (queue.length > longest.length) longest = queue
  if (longest === waiting.get(own) || longest.length < 2) throw refusal
  longest.pop()?.giveUp(refusal)
  waitingCount--
}

/** UTF-16 units of a password that are looked at: eight for each character of the longest, however typed. */
const READ_LIMIT = 8 * PASSWORD_MAX_LENGTH

/** Composed and decomposed letters are one password (NIST SP 800-63B); of more, sorting marks would take seconds. */
const normalise = (password: string) => password.slice(0, READ_LIMIT).normalize('NFKC')

/** The password as argon2id in PHC form. Errors: 503 when overloaded. @param address see inTurn */
export function hashPassword(password: string, address: string): Promise<string> {
  return inTurn(address, () => argon2.hash(normalise(password), ARGON2))
}

/** Compares a password with its hash, or without one does the same work. Errors: 503 when overloaded. */
export async function verifyPassword(
  passwordHash: string | null | undefined,
  password: string,
  address: string,
): Promise<boolean> {
  const matches = await inTurn(address, () =>
    argon2.verify(passwordHash ?? DUMMY_HASH, normalise(password)),
  )
  return matches && Boolean(passwordHash) && password.length <= READ_LIMIT
}

const base64 = (bytes: number) => randomBytes(bytes).toString('base64').replaceAll('=', '')

/** No password's hash, with the parameters of a real one. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$${base64(16)}$${base64(ARGON2.outputLen)}`

export interface Weakness {
  message: string
  reasons: WeakReason[]
}

/** Why a password is refused, or null; no rules of composition (ASVS 5.0, 6.2). */
export function findWeakness(password: string, email: string | null): Weakness | null {
  const messages: string[] = []
  const reasons: WeakReason[] = []
  const length = [...password].length
  if (length < PASSWORD_MIN_LENGTH) {
    messages.push(`Password should be at least ${PASSWORD_MIN_LENGTH} characters.`)
    reasons.push('length')
  }
  if (length > PASSWORD_MAX_LENGTH) {
    messages.push(`Password should be at most ${PASSWORD_MAX_LENGTH} characters.`)
    reasons.push('length')
  }
  if (length >= PASSWORD_MIN_LENGTH && isCommonPassword(password)) {
    messages.push('This password is one of the most common ones. Please choose another.')
    reasons.push('pwned')
  } else if (email && password.trim().toLowerCase() === email) {
    messages.push('Your password should not be your email address. Please choose another.')
    reasons.push('pwned')
  }
  return reasons.length > 0 ? { message: messages.join(' '), reasons } : null
}

/** Errors: 422 weak_password with its reasons. */
export function requireStrongPassword(password: string, email: string | null): void {
  const weakness = findWeakness(password, email)
  if (!weakness) return
  throw new AuthError(422, 'weak_password', weakness.message, { reasons: weakness.reasons })
}

/**
 * Asks for the password again, and for the second factor where there is one (product 2.8.7, 2.10.5); guests have none.
 * Errors: 403 password_required, wrong_password, second_factor_required; 429 too_many_tries; 503 when overloaded.
 */
export async function confirmPassword(
  db: Database,
  limits: RateLimits,
  user: CurrentUser,
  password: string | undefined,
  address: string,
): Promise<void> {
  const [row] = await db
    .select({ passwordHash: users.passwordHash, amr: sessions.amr })
    .from(users)
    .innerJoin(sessions, eq(sessions.userId, users.id))
    .where(and(eq(users.id, user.id), eq(sessions.id, user.sessionId)))
  if (!row?.passwordHash) return
  if (levelOf(row) === 'aal1' && (await hasFactor(db, user.id))) throw secondFactorRequired(true)
  if (!password) {
    throw new ApiError(403, 'password_required', 'Please enter your password.')
  }
  try {
    const counted = await limits.confirm(user.id)
    const isRight = await verifyPassword(row.passwordHash, password, address).catch(
      async (error) => {
        await counted.untried()
        throw error
      },
    )
    if (!isRight) throw new ApiError(403, 'wrong_password', 'This is not your password.')
    await counted.right()
  } catch (error) {
    throw asApiError(error)
  }
}
