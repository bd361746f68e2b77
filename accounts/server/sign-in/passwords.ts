import { randomBytes } from 'node:crypto'
import argon2 from '@node-rs/argon2'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../../platform/database/database.ts'
import { networkOf } from '../../../platform/server/address.ts'
import { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '../../limits.ts'
import { AuthError, type WeakReason } from '../errors.ts'
import { hasFactor, secondFactorRequired } from '../proof-store.ts'
import { levelOf } from '../sessions/level.ts'
import { sessions, users } from '../tables.ts'
import { isCommonPassword } from './common-passwords.ts'
import type { RateLimits } from './rate-limits.ts'

/** OWASP's parameters for argon2id (the default): 19 MiB (in KiB), two passes, one lane. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1, outputLen: 32 }

/** Concurrent hashes. They fill the cores, and node's thread pool has two more threads for everything else. */
export const HASHING_AT_ONCE = 2
/** Hashes that may wait. At about 30 ms each and two at a time, the last one waits about six seconds. */
const WAITING_LIMIT = 400

interface Waiter {
  go: () => void
  giveUp: (error: AuthError) => void
}

let hashing = 0
let waitingCount = 0
/** Waiting hashes by the caller's network. The map's order is the order of the networks' turns. */
const waiting = new Map<string, Waiter[]>()

/** Hashes fairly by network, so that a flood from one delays only itself. Errors: 503 with Retry-After. */
async function inTurn<T>(address: string, work: () => Promise<T>): Promise<T> {
  if (hashing >= HASHING_AT_ONCE) {
    const network = networkOf(address, 48)
    if (waitingCount >= WAITING_LIMIT) makeRoom(network)
    // A finished hash passes its slot on, so `hashing` doesn't change.
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

/** Takes the first of the next network, and moves that network to the end of the queue. */
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

/** Drops the newest hash of the network with the longest queue. Errors: 503 if that is the caller's own. */
function makeRoom(own: string): void {
  const refusal = new AuthError(
    503,
    'unavailable',
    'Many people are signing in right now. Please try again in a few seconds.',
    { retryAfterSeconds: 3 },
  )
  let longest = waiting.get(own) ?? []
  for (const queue of waiting.values()) if (queue.length > longest.length) longest = queue
  if (longest === waiting.get(own) || longest.length < 2) throw refusal
  longest.pop()?.giveUp(refusal)
  waitingCount--
}

/** UTF-16 units of a password that are read: enough for the longest one in any encoding, at eight per character. */
const READ_LIMIT = 8 * PASSWORD_MAX_LENGTH

/** Composed and decomposed letters are equal (NIST SP 800-63B). Normalizing longer texts could take seconds. */
const normalise = (password: string) => password.slice(0, READ_LIMIT).normalize('NFKC')

/** Hashes a password with argon2id, in PHC form. Errors: 503 when overloaded. @param address see inTurn */
export function hashPassword(password: string, address: string): Promise<string> {
  return inTurn(address, () => argon2.hash(normalise(password), ARGON2))
}

/** Compares a password with its hash. Without one, it does the same amount of work. Errors: 503 when overloaded. */
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

/** A hash of no password, with a real one's parameters. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=${ARGON2.parallelism}$${base64(16)}$${base64(ARGON2.outputLen)}`

export interface Weakness {
  message: string
  reasons: WeakReason[]
}

/** Why a password is rejected, or null. There are no composition rules (ASVS 5.0, 6.2). */
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
 * Asks for the password again, and for the second factor if there is one (product 2.8.7, 2.10.5). Guests have none.
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
  const counted = await limits.confirm(user.id)
  const isRight = await verifyPassword(row.passwordHash, password, address).catch(async (error) => {
    await counted.untried()
    throw error
  })
  if (!isRight) throw new ApiError(403, 'wrong_password', 'That isn’t your password.')
  await counted.right()
}
