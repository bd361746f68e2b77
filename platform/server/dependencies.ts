import type { Database } from '../database/database.ts'
import type { KnownUsers } from './known-users.ts'
import type { Logger } from './log.ts'

export interface AppDependencies {
  db: Database
  /** connections that no call but a candidate's can take, and the read of each call's session; left out: db */
  candidatesDb?: Database
  /** whose sessions this node remembers; left out, each call reads its session */
  knownUsers?: KnownUsers
  /** the clock; tests pass their own */
  now: () => Date
  /** in [0, 1); tests pass their own */
  random: () => number
  /** 32 bytes: derives the HMAC keys, encrypts the signing key's row */
  secretKey: Buffer
  /** the address that people open, without a slash at its end */
  publicUrl: string
  supportEmail: string
  /** web addresses of the founders' professional profiles, in the order of their cards; or none */
  founderProfiles: readonly string[]
  privacyEmail: string
  rateLimits: boolean
  /** how old the number of a test's newest message may be that candidates are told, 1,000 where it is left out */
  newsMs?: number
  /** lets wrong tries wait, milliseconds; by the clock where it is left out */
  wait?: (ms: number) => Promise<unknown>
  /** how many seconds of a simulated crowd pass in one, 1 where it is left out; tests hurry */
  simulationSpeed?: number
  /** whether accounts can found societies; otherwise only the server's operator can */
  foundingOpen: boolean
  /** whether owners, authors and reviewers need a second factor; otherwise only members who set one up are asked */
  secondFactorRequired: boolean
  /** whether X-Forwarded-For is to be believed */
  trustProxy: boolean
  /** opens /metrics to who shows it; null closes it */
  metricsToken: string | null
  /** the built web application; null serves the API alone */
  webDir: string | null
  /** whether browsers may keep the web application for use without a network; yes where it is left out */
  offline?: boolean
  log: Logger
}
