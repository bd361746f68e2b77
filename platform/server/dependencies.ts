import type { Database } from '../database/database.ts'
import type { KnownUsers } from './known-users.ts'
import type { Logger } from './log.ts'

export interface AppDependencies {
  db: Database
  /** connections for candidates' calls and session reads only; default: db */
  candidatesDb?: Database
  /** the node's session cache; without it, each call reads its session */
  knownUsers?: KnownUsers
  /** the clock; tests pass their own */
  now: () => Date
  /** in [0, 1); tests pass their own */
  random: () => number
  /** 32 bytes: derives the HMAC keys and encrypts the signing key's row */
  secretKey: Buffer
  /** the address that people open, without a trailing slash */
  publicUrl: string
  supportEmail: string
  /** URLs of the founders' professional profiles, in the order of their cards */
  founderProfiles: readonly string[]
  privacyEmail: string
  rateLimits: boolean
  /** milliseconds for which candidates may see a cached number of the newest message; default: 1,000 */
  newsMs?: number
  /** delays wrong attempts, in milliseconds; default: a timer */
  wait?: (ms: number) => Promise<unknown>
  /** simulated seconds per real second of a simulated crowd, by default 1; tests use more */
  simulationSpeed?: number
  /** whether accounts can found societies; otherwise only the operator can */
  foundingOpen: boolean
  /** whether owners, authors and reviewers need a second factor; otherwise only members who set one up do */
  secondFactorRequired: boolean
  /** whether to trust X-Forwarded-For */
  trustProxy: boolean
  /** the token that opens /metrics; null closes it */
  metricsToken: string | null
  /** the built web application; null serves only the API */
  webDir: string | null
  /** whether browsers may cache the web application for offline use, by default yes */
  offline?: boolean
  log: Logger
}
