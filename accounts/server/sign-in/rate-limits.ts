import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Context } from 'hono'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { deriveKey } from '../../../platform/database/secret-key.ts'
import { DEVICE_HEADER } from '../../../platform/endpoint.ts'
import { createAddressOf, networkOf } from '../../../platform/server/address.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createLimiter, secondsToWait } from '../../../platform/server/quota.ts'
import { createTurns } from '../../../platform/server/turns.ts'
import { AuthError, tooMany } from '../errors.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Tries per window, in seconds. Per address, a room of 300 people fits twice; per account, guessing is stopped. Wider
 * IPv6 networks count too: one provider's allocation gets a third of all guests (product 9.3.16, 9.3.19).
 */
export const LIMITS = {
  signInPerAddress: { points: 600, duration: 5 * MINUTE },
  signInPerSite: { points: 1_200, duration: 5 * MINUTE },
  signInPerProvider: { points: 7_500, duration: 5 * MINUTE },
  signInPerAccountAndAddress: { points: 10, duration: 5 * MINUTE },
  signInPerAccountAndDevice: { points: 10, duration: 5 * MINUTE },
  signInPerAccount: { points: 50, duration: 15 * MINUTE },
  /** successful sign-ins: each costs a hash and stores a session */
  signedInPerAccount: { points: 20, duration: HOUR },
  signUpPerAddress: { points: 400, duration: 5 * MINUTE },
  signUpPerSite: { points: 800, duration: 5 * MINUTE },
  signUpPerProvider: { points: 5_000, duration: 5 * MINUTE },
  signUpPerAccount: { points: 10, duration: 5 * MINUTE },
  guestPerAddress: { points: 400, duration: 5 * MINUTE },
  guestPerSite: { points: 800, duration: 5 * MINUTE },
  guestPerProvider: { points: 5_000, duration: 5 * MINUTE },
  /** per shard of GUEST_SHARDS: 15,000 over all networks */
  guestOverall: { points: 1_875, duration: 5 * MINUTE },
  guestPerCandidate: { points: 10, duration: 5 * MINUTE },
  recoveryPerAddress: { points: 200, duration: 5 * MINUTE },
  recoveryPerSite: { points: 400, duration: 5 * MINUTE },
  recoveryPerProvider: { points: 2_500, duration: 5 * MINUTE },
  recoveryPerAccountAndAddress: { points: 6, duration: HOUR },
  recoveryPerAccount: { points: 20, duration: HOUR },
  verifyPerAddress: { points: 300, duration: 5 * MINUTE },
  verifyPerSite: { points: 600, duration: 5 * MINUTE },
  verifyPerProvider: { points: 3_750, duration: 5 * MINUTE },
  /** out of a million codes; requesting new mails doesn't add tries */
  codePerAccount: { points: 20, duration: DAY },
  changePerUser: { points: 20, duration: 5 * MINUTE },
  /** mails to addresses that aren't verified */
  addressMailPerAddress: { points: 400, duration: HOUR },
  addressMailPerSite: { points: 800, duration: HOUR },
  addressMailPerProvider: { points: 5_000, duration: HOUR },
  addressMailPerUser: { points: 10, duration: DAY },
  /** for entering the password again before an export or a deletion */
  confirmPerUser: { points: 10, duration: 5 * MINUTE },
} as const

/** Rows that share the count of all guests. With one row, all guests would wait for each other's commit. */
const GUEST_SHARDS = 8

/** Actions that are counted per address, each with three limits. */
type PerNetwork = 'signIn' | 'signUp' | 'guest' | 'recovery' | 'verify' | 'addressMail'

interface CountedTry {
  /** The password was correct, so the sign-in counts instead. Errors: 429 after too many in an hour. */
  right(): Promise<void>
  /** The password wasn't checked because of overload, so the try is removed. */
  untried(): Promise<void>
}

/** How long a browser stays known after a correct password. */
const KNOWN_DEVICE_SECONDS = 90 * DAY

export interface RateLimits {
  /**
   * Counts a try before the password is checked, and removes it if the password is correct. Limits: per account and
   * address, per account, per address. A browser with a correct password in the last 90 days has its own limit, so that
   * no stranger can lock out the owner or a campus. Errors: 429 over_request_rate_limit.
   */
  signIn(caller: Caller, email: string): Promise<CountedTry>
  signUp(address: string, email: string): Promise<void>
  /** Errors: 429 with a message that names the other ways in. */
  guest(address: string): Promise<void>
  /** a guest beyond that limit, with a society's credentials */
  guestOfCandidate(candidateId: string): Promise<void>
  recovery(address: string, email: string): Promise<void>
  verify(address: string): Promise<void>
  /** a recovery mail's six digits; this doesn't limit its link */
  verifyCode(email: string): Promise<void>
  /** a change of password or email address, which checks the current password */
  change(userId: string): Promise<void>
  /** a mail that verifies an address */
  addressMail(address: string, userId: string): Promise<void>
  /** The password again, for a signed-in user. Errors: 429. */
  confirm(userId: string): Promise<CountedTry>
  /** Marks the browser as known, because the owner proved there that the account is theirs. */
  remember(caller: Caller, email: string): Promise<void>
}

const nothing = async () => {}
const uncounted = async () => ({ right: nothing, untried: nothing })
const off: RateLimits = {
  ...{ signIn: uncounted, confirm: uncounted },
  ...{ signUp: nothing, guest: nothing, guestOfCandidate: nothing, recovery: nothing },
  ...{
    verify: nothing,
    verifyCode: nothing,
    change: nothing,
    addressMail: nothing,
    remember: nothing,
  },
}

/** Rate limits of all nodes by hashes, so that the table has no addresses. The library uses the system's clock. */
export function createRateLimits(dependencies: AppDependencies): RateLimits {
  if (!dependencies.rateLimits) return off
  const key = deriveKey(dependencies.secretKey, 'rate limits')
  const hashed = (...parts: string[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
  const limiters = Object.fromEntries(
    Object.entries(LIMITS).map(([name, limit]) => [
      name,
      // One limiter per node is enough to delete expired rows.
      createLimiter(dependencies, name, limit, {
        clearExpiredByTimeout: name === 'signInPerAddress',
      }),
    ]),
  ) as unknown as Record<keyof typeof LIMITS, RateLimiterAbstract>
  // A note with an expiry, stored as a limit. While the table is unavailable, all browsers count as unknown and nothing
  // fails.
  const note = { points: 1, duration: KNOWN_DEVICE_SECONDS }
  const known = createLimiter(dependencies, 'knownDevice', note, { isInsured: false })
  const count = (name: keyof typeof LIMITS, ...parts: string[]) =>
    consume(limiters[name], hashed(...parts))
  const remember = async ({ device }: Caller, email: string) => {
    if (!device) return
    await known.set(hashed(device, email), 1, KNOWN_DEVICE_SECONDS).catch(() => null)
  }

  // The narrow limit comes first, so that calls it refuses don't use up the wide one.
  const countWidths = async (name: PerNetwork, address: string) => {
    for (const [width, network] of networksOf(address)) await count(`${name}${width}`, network)
  }
  // A provider's calls wait for its row anyway. In a queue they wait without holding a connection each.
  const enterTurn = createTurns({
    ...{ rateLimits: false, waitingLimit: Number.POSITIVE_INFINITY },
  })
  const inTurn = async (address: string, work: () => Promise<void>) => {
    const leaveTurn = await enterTurn({ id: networkOf(address, 32) })
    await work().finally(leaveTurn)
  }
  const countNetworks = (name: PerNetwork, address: string) =>
    inTurn(address, () => countWidths(name, address))
  // These callers know the password, so they are told what to do.
  const countSignedIn = (email: string) =>
    inWords(
      count('signedInPerAccount', email),
      (wait) =>
        `There were too many sign-ins to this account in an hour. Please wait ${wait} and try again, or set a new password by email.`,
    )

  return {
    async signIn(caller, email) {
      const { address, device } = caller
      const own = device && hashed(device, email)
      if (own && (await known.get(own).catch(() => null))) {
        await consume(limiters.signInPerAccountAndDevice, own)
        return {
          async right() {
            await countSignedIn(email)
            await Promise.all([
              limiters.signInPerAccountAndDevice.delete(own),
              remember(caller, email),
            ])
          },
          async untried() {
            await limiters.signInPerAccountAndDevice.reward(own)
          },
        }
      }
      const pair = hashed(networkOf(address), email)
      // Waits for both, because a refused try must not be counted after the response.
      await inTurn(address, async () => {
        for (const counted of await Promise.allSettled([
          countWidths('signIn', address),
          consume(limiters.signInPerAccountAndAddress, pair),
        ])) {
          if (counted.status === 'rejected') throw counted.reason
        }
      })
      await count('signInPerAccount', email)
      const takeOff = () => [
        ...networksOf(address).map(([width, network]) =>
          limiters[`signIn${width}`].reward(hashed(network)),
        ),
        limiters.signInPerAccount.reward(hashed(email)),
      ]
      return {
        async right() {
          await countSignedIn(email)
          await Promise.all([
            ...takeOff(),
            limiters.signInPerAccountAndAddress.delete(pair),
            remember(caller, email),
          ])
        },
        async untried() {
          await Promise.all([...takeOff(), limiters.signInPerAccountAndAddress.reward(pair)])
        },
      }
    },
    async signUp(address, email) {
      await countNetworks('signUp', address)
      await count('signUpPerAccount', email)
    },
    async guest(address) {
      const shard = String(Math.floor(dependencies.random() * GUEST_SHARDS))
      await inWords(
        countNetworks('guest', address).then(() => count('guestOverall', shard)),
        (wait) =>
          `Too many guests are joining right now. Please wait ${wait} and try again, or create an account.`,
      )
    },
    guestOfCandidate: (candidateId) => count('guestPerCandidate', candidateId),
    async recovery(address, email) {
      await countNetworks('recovery', address)
      await count('recoveryPerAccountAndAddress', networkOf(address), email)
      await count('recoveryPerAccount', email)
    },
    verify: (address) => countNetworks('verify', address),
    verifyCode: (email) => count('codePerAccount', email),
    change: (userId) => count('changePerUser', userId),
    async addressMail(address, userId) {
      await count('addressMailPerUser', userId)
      await countNetworks('addressMail', address)
    },
    async confirm(userId) {
      await count('confirmPerUser', userId)
      return {
        async right() {
          await limiters.confirmPerUser.delete(hashed(userId))
        },
        async untried() {
          await limiters.confirmPerUser.reward(hashed(userId))
        },
      }
    },
    remember,
  }
}

/** The networks that count an address, narrow before wide. */
function networksOf(address: string) {
  const own = ['PerAddress', networkOf(address)] as const
  if (isIP(address) !== 6) return [own]
  return [
    own,
    ['PerSite', networkOf(address, 48)] as const,
    ['PerProvider', networkOf(address, 32)] as const,
  ]
}

/** Errors: 429 over_request_rate_limit with Retry-After. */
async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (error) {
    const seconds = secondsToWait(error)
    throw tooMany(`Too many tries. Please wait ${waitingTime(seconds)} and try again.`, seconds)
  }
}

/** Replaces a refusal's message with one that says what to do. @param sentence builds it from the wait */
async function inWords(counted: Promise<void>, sentence: (wait: string) => string): Promise<void> {
  await counted.catch((refusal) => {
    const seconds = refusal instanceof AuthError ? refusal.retryAfterSeconds : undefined
    throw seconds === undefined ? refusal : tooMany(sentence(waitingTime(seconds)), seconds)
  })
}

function waitingTime(seconds: number): string {
  if (seconds <= 90) return seconds === 1 ? '1 second' : `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** Where a call comes from. */
export interface Caller {
  address: string
  /** the secret that this browser created, or null without one */
  device: string | null
}

/** At least 128 random bits, and too short to smuggle other data. */
const DEVICE = /^[A-Za-z0-9_-]{22,64}$/

/** Identifies where a request comes from (product 9.3.15). */
export function createCallerOf(options: { trustProxy: boolean }): (context: Context) => Caller {
  const addressOf = createAddressOf(options)
  return (context) => {
    const device = context.req.header(DEVICE_HEADER)
    return { address: addressOf(context), device: device && DEVICE.test(device) ? device : null }
  }
}
