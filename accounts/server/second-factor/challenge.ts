import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../../../platform/database/secret-key.ts'

// The protocol asks for a challenge before each code. An app's codes need none: what makes one good once is
// its step of time. So no challenge is stored; its id is a stamp of session, factor and end, in a UUID's form.

/** How long one is good, seconds. */
const CHALLENGE_SECONDS = 300

/** Whose it is: another session's, or another factor's, is none. */
interface Of {
  secretKey: Buffer
  sessionId: string
  factorId: string
}

/** @returns its id and its end, in seconds since 1970 */
export function makeChallenge(of: Of, now: Date): { id: string; expiresAt: number } {
  const expiresAt = Math.floor(now.getTime() / 1000) + CHALLENGE_SECONDS
  return { id: stamp(of, expiresAt), expiresAt }
}

/** 'expired' is told apart, since then a new one helps. */
export function judgeChallenge(of: Of, id: string, now: Date): 'good' | 'expired' | 'unknown' {
  const expiresAt = Number.parseInt(id.slice(0, 8), 16)
  if (!Number.isInteger(expiresAt)) return 'unknown'
  const given = Buffer.from(id.toLowerCase())
  const own = Buffer.from(stamp(of, expiresAt))
  if (given.length !== own.length || !timingSafeEqual(given, own)) return 'unknown'
  return expiresAt > now.getTime() / 1000 ? 'good' : 'expired'
}

function stamp({ secretKey, sessionId, factorId }: Of, expiresAt: number): string {
  const hex = createHmac('sha256', deriveKey(secretKey, 'second factor challenge'))
    .update(`${sessionId} ${factorId} ${expiresAt}`)
    .digest('hex')
  return [
    expiresAt.toString(16).padStart(8, '0'),
    hex.slice(0, 4),
    // version 8 and variant 10: a UUID made by a rule of one's own (RFC 9562)
    `8${hex.slice(4, 7)}`,
    `a${hex.slice(7, 10)}`,
    hex.slice(10, 22),
  ].join('-')
}
