import { createHmac } from 'node:crypto'
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { networkOf } from '../../../platform/server/address.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { AuthError } from '../errors.ts'
import { deriveKey } from '../sessions/keys.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How often, in how many seconds. Per address the numbers let a room of 300 people behind one
 * university address in within minutes, twice over; per account they stop guessing.
 */
export const LIMITS = {
  signInPerAddress: { points: 600, duration: 5 * MINUTE },
  signInPerAccountAndAddress: { points: 10, duration: 5 * MINUTE },
  signInPerAccount: { points: 50, duration: 15 * MINUTE },
  signUpPerAddress: { points: 400, duration: 5 * MINUTE },
  signUpPerAccount: { points: 10, duration: 5 * MINUTE },
  guestPerAddress: { points: 400, duration: 5 * MINUTE },
  recoveryPerAddress: { points: 200, duration: 5 * MINUTE },
  recoveryPerAccountAndAddress: { points: 6, duration: HOUR },
  recoveryPerAccount: { points: 20, duration: HOUR },
  verifyPerAddress: { points: 300, duration: 5 * MINUTE },
  /** of a million: who has a new mail sent for every five guesses still has only these */
  codePerAccount: { points: 20, duration: DAY },
  changePerUser: { points: 20, duration: 5 * MINUTE },
} as const

/** How long an address stays known after a right password came from it. */
const KNOWN_ADDRESS_SECONDS = 90 * DAY

export interface RateLimits {
  /**
   * Counts a try to sign in before the password is looked at, so that many at once count as many.
   *
   * Guessing is limited per account and address (10 in 5 minutes). Somebody with many addresses would
   * pass that, so there is a wider limit per account; but then a stranger could use it up and keep
   * the owner out. Therefore an address from which the right password came in the last 90 days is
   * not held by the wider limit, and the wider limit ends after 15 minutes; who is on a new device
   * meanwhile gets in by recovery, which is not limited by it.
   * @returns to be called when the password was right
   * Errors: 429 over_request_rate_limit.
   */
  signIn(address: string, email: string): Promise<() => Promise<void>>
  signUp(address: string, email: string): Promise<void>
  guest(address: string): Promise<void>
  recovery(address: string, email: string): Promise<void>
  verify(address: string): Promise<void>
  /** the six digits of a recovery mail; its link is not limited by this */
  verifyCode(email: string): Promise<void>
  /** a change of password or e-mail address, which tries the current password */
  change(userId: string): Promise<void>
  /** An address becomes known: somebody proved there that the account is theirs. */
  remember(address: string, email: string): Promise<void>
}

const off: RateLimits = {
  signIn: async () => async () => {},
  signUp: async () => {},
  guest: async () => {},
  recovery: async () => {},
  verify: async () => {},
  verifyCode: async () => {},
  change: async () => {},
  remember: async () => {},
}

/**
 * Rate limits shared by all nodes through the table rate_limits. Keys are keyed hashes: the table
 * lists neither people nor addresses, and a key is the same whether the account exists or not.
 * The library counts on the system's clock, not on dependencies.now().
 */
export function createRateLimits(dependencies: AppDependencies): RateLimits {
  if (!dependencies.rateLimits) return off
  const key = deriveKey(dependencies.secretKey, 'rate limits')
  const hashed = (...parts: string[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
  const limiters = Object.fromEntries(
    Object.entries(LIMITS).map(([name, limit]) => [name, createLimiter(dependencies, name, limit)]),
  ) as Record<keyof typeof LIMITS, RateLimiterAbstract>
  // Not a limit but a note with an end, kept in the same table. When the table is away, no address
  // is known and none becomes it: that is no reason to fail.
  const known = new RateLimiterPostgres({
    ...tableOf(dependencies),
    keyPrefix: 'knownAddress',
    points: 1,
    duration: KNOWN_ADDRESS_SECONDS,
  })
  const count = (name: keyof typeof LIMITS, ...parts: string[]) =>
    consume(limiters[name], hashed(...parts))
  const remember = async (address: string, email: string) => {
    await known.set(hashed(networkOf(address), email), 1, KNOWN_ADDRESS_SECONDS).catch(() => null)
  }

  return {
    async signIn(address, email) {
      const network = networkOf(address)
      const pair = hashed(network, email)
      const [isKnown] = await Promise.all([
        known.get(pair).catch(() => null),
        count('signInPerAddress', network),
        consume(limiters.signInPerAccountAndAddress, pair),
      ])
      if (!isKnown) await count('signInPerAccount', email)
      return async () => {
        await Promise.all([
          limiters.signInPerAccountAndAddress.delete(pair),
          isKnown ? undefined : limiters.signInPerAccount.reward(hashed(email)),
          remember(address, email),
        ])
      }
    },
    async signUp(address, email) {
      await count('signUpPerAddress', networkOf(address))
      await count('signUpPerAccount', email)
    },
    async guest(address) {
      await count('guestPerAddress', networkOf(address))
    },
    async recovery(address, email) {
      await count('recoveryPerAddress', networkOf(address))
      await count('recoveryPerAccountAndAddress', networkOf(address), email)
      await count('recoveryPerAccount', email)
    },
    async verify(address) {
      await count('verifyPerAddress', networkOf(address))
    },
    async verifyCode(email) {
      await count('codePerAccount', email)
    },
    async change(userId) {
      await count('changePerUser', userId)
    },
    remember,
  }
}

const tableOf = ({ db }: AppDependencies) =>
  ({
    storeClient: db.$client,
    storeType: 'pool',
    tableName: 'rate_limits',
    tableCreated: true,
    clearExpiredByTimeout: false,
  }) as const

function createLimiter(
  dependencies: AppDependencies,
  keyPrefix: string,
  limit: { points: number; duration: number },
): RateLimiterAbstract {
  return new RateLimiterPostgres({
    ...tableOf(dependencies),
    keyPrefix,
    ...limit,
    // Once per node is enough to clear old rows away.
    clearExpiredByTimeout: keyPrefix === 'signInPerAddress',
    // A table that can't be written must not lock people out: each node counts by itself meanwhile.
    insuranceLimiter: new RateLimiterMemory({ keyPrefix, ...limit }),
  })
}

/** Errors: 429 over_request_rate_limit with Retry-After. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000))
    throw new AuthError(
      429,
      'over_request_rate_limit',
      `Too many tries. Please wait ${waitingTime(seconds)} and try again.`,
      { retryAfterSeconds: seconds },
    )
  }
}

function waitingTime(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
