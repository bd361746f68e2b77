import { createHmac } from 'node:crypto'
import { isIP } from 'node:net'
import type { Context } from 'hono'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { DEVICE_HEADER } from '../../../platform/endpoint.ts'
import { createAddressOf, networkOf } from '../../../platform/server/address.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createLimiter, secondsToWait } from '../../../platform/server/quota.ts'
import { createTurns } from '../../../platform/server/turns.ts'
import { AuthError, tooMany } from '../errors.ts'
import { deriveKey } from '../sessions/keys.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How often, in how many seconds. Per address a room of 300 people fits, twice over; per account they stop guessing.
 * Wider IPv6 networks are counted too: one provider's allocation gets a third of all guests (product 9.3.16, 9.3.19).
 */
export const LIMITS = {
  signInPerAddress: { points: 600, duration: 5 * MINUTE },
  signInPerSite: { points: 1_200, duration: 5 * MINUTE },
  signInPerProvider: { points: 7_500, duration: 5 * MINUTE },
  signInPerAccountAndAddress: { points: 10, duration: 5 * MINUTE },
  signInPerAccountAndDevice: { points: 10, duration: 5 * MINUTE },
  signInPerAccount: { points: 50, duration: 15 * MINUTE },
  /** right ones: each takes a hash and is a session that stays */
  signedInPerAccount: { points: 20, duration: HOUR },
  signUpPerAddress: { points: 400, duration: 5 * MINUTE },
  signUpPerSite: { points: 800, duration: 5 * MINUTE },
  signUpPerProvider: { points: 5_000, duration: 5 * MINUTE },
  signUpPerAccount: { points: 10, duration: 5 * MINUTE },
  guestPerAddress: { points: 400, duration: 5 * MINUTE },
  guestPerSite: { points: 800, duration: 5 * MINUTE },
  guestPerProvider: { points: 5_000, duration: 5 * MINUTE },
  /** of one of GUEST_SHARDS: 15,000 over all networks */
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
  /** of a million: who has a new mail sent for every five guesses still has only these */
  codePerAccount: { points: 20, duration: DAY },
  changePerUser: { points: 20, duration: 5 * MINUTE },
  /** mails to addresses that nobody has proven to be theirs */
  addressMailPerAddress: { points: 400, duration: HOUR },
  addressMailPerSite: { points: 800, duration: HOUR },
  addressMailPerProvider: { points: 5_000, duration: HOUR },
  addressMailPerUser: { points: 10, duration: DAY },
  /** the password again, before an export or a deletion */
  confirmPerUser: { points: 10, duration: 5 * MINUTE },
} as const

/** Rows that share the count of all guests: on one row all of them would wait for each other's commit. */
const GUEST_SHARDS = 8

/** What addresses are counted for, each by three limits. */
type PerNetwork = 'signIn' | 'signUp' | 'guest' | 'recovery' | 'verify' | 'addressMail'

interface CountedTry {
  /** The password was right: the sign-in is counted instead. Errors: 429 after too many in an hour. */
  right(): Promise<void>
  /** The password was not looked at, since too many waited: the try is taken off again. */
  untried(): Promise<void>
}

/** How long a browser stays known after the right password came from it. */
const KNOWN_DEVICE_SECONDS = 90 * DAY

export interface RateLimits {
  /**
   * Counts a try to sign in before the password is checked; a right one is taken off again. Limits: per account and
   * address, per account, per address. A browser with a right password in the last 90 days has a limit of its own, so
   * that no stranger can lock the owner or a campus out. Errors: 429 over_request_rate_limit.
   */
  signIn(caller: Caller, email: string): Promise<CountedTry>
  signUp(address: string, email: string): Promise<void>
  /** Errors: 429 with a sentence that names the other ways in. */
  guest(address: string): Promise<void>
  /** a guest in spite of that limit, by a society's credentials */
  guestOfCandidate(candidateId: string): Promise<void>
  recovery(address: string, email: string): Promise<void>
  verify(address: string): Promise<void>
  /** the six digits of a recovery mail; its link is not limited by this */
  verifyCode(email: string): Promise<void>
  /** a change of password or e-mail address, which tries the current password */
  change(userId: string): Promise<void>
  /** a mail that asks whether an address is the user's */
  addressMail(address: string, userId: string): Promise<void>
  /** The password again, of a signed-in user. Errors: 429. */
  confirm(userId: string): Promise<CountedTry>
  /** Marks the browser as known, because the owner proved in it that the account is theirs. */
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

/** Rate limits shared by all nodes, keyed by hashes, so the table lists no people. The library uses the system's clock. */
export function createRateLimits(dependencies: AppDependencies): RateLimits {
  if (!dependencies.rateLimits) return off
  const key = deriveKey(dependencies.secretKey, 'rate limits')
  const hashed = (...parts: string[]) =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url').slice(0, 22)
  const limiters = Object.fromEntries(
    Object.entries(LIMITS).map(([name, limit]) => [
      name,
      // Once per node is enough to clear old rows away.
      createLimiter(dependencies, name, limit, {
        clearExpiredByTimeout: name === 'signInPerAddress',
      }),
    ]),
  ) as unknown as Record<keyof typeof LIMITS, RateLimiterAbstract>
  // Not a limit but a note with an end, kept in the same table. When the table is away, no browser
  // is known and none becomes it: that is no reason to fail.
  const note = { points: 1, duration: KNOWN_DEVICE_SECONDS }
  const known = createLimiter(dependencies, 'knownDevice', note, { isInsured: false })
  const count = (name: keyof typeof LIMITS, ...parts: string[]) =>
    consume(limiters[name], hashed(...parts))
  const remember = async ({ device }: Caller, email: string) => {
    if (!device) return
    await known.set(hashed(device, email), 1, KNOWN_DEVICE_SECONDS).catch(() => null)
  }

  // Narrow before wide: what the narrow one refuses must not use the wide one up.
  const countWidths = async (name: PerNetwork, address: string) => {
    for (const [width, network] of networksOf(address)) await count(`${name}${width}`, network)
  }
  // All of a network wait for its row anyway; in a turn they do so without a connection each.
  const enterTurn = createTurns({
    ...{ rateLimits: false, waitingLimit: Number.POSITIVE_INFINITY },
  })
  const inTurn = async (address: string, work: () => Promise<void>) => {
    const leaveTurn = await enterTurn({ id: networkOf(address, 48) })
    await work().finally(leaveTurn)
  }
  const countNetworks = (name: PerNetwork, address: string) =>
    inTurn(address, () => countWidths(name, address))
  // Who knows the password hears so, and what to do.
  const countSignedIn = (email: string) =>
    inWords(
      count('signedInPerAccount', email),
      (wait) =>
        `This account was signed in to very many times in an hour. Please wait ${wait} and try again, or set a new password by email.`,
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
      // Both are waited for: a refused try must not be counted after it was answered.
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
          `Very many guests are coming in at this moment. Please wait ${wait} and try again, or create an account.`,
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

/** What an address is counted by, narrow before wide. */
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

/** A refusal says in words of its own what to do instead. @param sentence of how long to wait */
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
  /** the secret that this browser made for itself, or null where it names none */
  device: string | null
}

/** 128 random bits or more, and not so many that they could be used to send something else. */
const DEVICE = /^[A-Za-z0-9_-]{22,64}$/

/** Tells from where a request comes (product 9.3.15). */
export function createCallerOf(options: { trustProxy: boolean }): (context: Context) => Caller {
  const addressOf = createAddressOf(options)
  return (context) => {
    const device = context.req.header(DEVICE_HEADER)
    return { address: addressOf(context), device: device && DEVICE.test(device) ? device : null }
  }
}
