import { randomBytes, timingSafeEqual } from 'node:crypto'
import { HOTP, Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'
import { keyedHash } from '../../../platform/database/secret-key.ts'

// The codes of an authenticator app: RFC 6238 as every app supports it, with SHA-1, six digits and 30 s steps.

const STEP_SECONDS = 30
const DIGITS = 6
/** Accepted steps before and after the server's, because clocks differ and people type slowly. */
const WINDOW = 1
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20
const ISSUER = 'Superday'

export const makeSecret = (): Buffer => Buffer.from(new Secret({ size: SECRET_BYTES }).bytes)

const secretOf = (bytes: Buffer) =>
  new Secret({ buffer: new Uint8Array(bytes).buffer as ArrayBuffer })

/** The secret in the form that people type into an app. */
export const secretText = (secret: Buffer): string => secretOf(secret).base32

/** The app's configuration: otpauth://totp/… @param account the email address */
export function appUri(secret: Buffer, account: string): string {
  const totp = new TOTP({
    issuer: ISSUER,
    label: account,
    secret: secretOf(secret),
    digits: DIGITS,
    period: STEP_SECONDS,
  })
  return totp.toString()
}

/** A QR code in SVG, black on white for cameras. Colors are names, because '#' would end a data: address. */
export const qrCode = (uri: string): string =>
  renderSVG(uri, { ecc: 'M', border: 2, blackColor: 'black', whiteColor: 'white' })

const stepOf = (now: Date) => Math.floor(now.getTime() / 1000 / STEP_SECONDS)

const codeAt = (secret: Buffer, step: number) =>
  HOTP.generate({ secret: secretOf(secret), counter: step, digits: DIGITS })

export const codeNow = (secret: Buffer, now: Date): string => codeAt(secret, stepOf(now))

/** Whether a text looks like an app's code. Apps group the digits with spaces. */
export const isAppCode = (typed: string): boolean => /^\d{6}$/.test(typed.replace(/\s/g, ''))

/** The time step whose code was typed, up to one from the server's, or null. */
export function stepOfCode(secret: Buffer, typed: string, now: Date): number | null {
  if (!isAppCode(typed)) return null
  const code = Buffer.from(typed.replace(/\s/g, ''))
  const own = stepOf(now)
  let found: number | null = null
  for (let step = own - WINDOW; step <= own + WINDOW; step += 1) {
    if (timingSafeEqual(code, Buffer.from(codeAt(secret, step)))) found = step
  }
  return found
}

/** Number of recovery codes. */
const PAPER_CODES = 10

/** Crockford's 32 letters, without lookalikes. 256 is a multiple of 32, so no letter is favored. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits can't be guessed, so a fast hash is enough. */
const LENGTH = 16

/** Ten new codes, each in groups of four. */
export function makePaperCodes(): string[] {
  return Array.from({ length: PAPER_CODES }, () => {
    const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % 32]).join('')
    return (letters.match(/.{4}/g) as string[]).join('-')
  })
}

/** Normalizes a code, however it was typed. */
const plainOf = (typed: string) =>
  typed
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')

/** A keyed hash that includes the factor, so that equal codes of two people look different. */
export function hashPaperCode(secretKey: Buffer, factorId: string, typed: string): Buffer {
  return keyedHash(secretKey, 'second factor code', `${factorId} ${plainOf(typed)}`)
}

// The protocol needs a challenge before each code. App codes don't, because their time step makes them single-use. So
// no challenge is stored: its id is a stamp of session, factor and expiry, in a UUID's form.

const CHALLENGE_SECONDS = 300

/** What a challenge belongs to. It is invalid for another session or factor. */
interface Of {
  secretKey: Buffer
  sessionId: string
  factorId: string
}

/** @returns its id and its expiry, in seconds since 1970 */
export function makeChallenge(of: Of, now: Date): { id: string; expiresAt: number } {
  const expiresAt = Math.floor(now.getTime() / 1000) + CHALLENGE_SECONDS
  return { id: stamp(of, expiresAt), expiresAt }
}

/** 'expired' is separate, because then a new challenge helps. */
export function judgeChallenge(of: Of, id: string, now: Date): 'good' | 'expired' | 'unknown' {
  const expiresAt = Number.parseInt(id.slice(0, 8), 16)
  if (!Number.isInteger(expiresAt)) return 'unknown'
  const given = Buffer.from(id.toLowerCase())
  const own = Buffer.from(stamp(of, expiresAt))
  if (given.length !== own.length || !timingSafeEqual(given, own)) return 'unknown'
  return expiresAt > now.getTime() / 1000 ? 'good' : 'expired'
}

function stamp({ secretKey, sessionId, factorId }: Of, expiresAt: number): string {
  const hex = keyedHash(
    secretKey,
    'second factor challenge',
    `${sessionId} ${factorId} ${expiresAt}`,
  ).toString('hex')
  return [
    expiresAt.toString(16).padStart(8, '0'),
    hex.slice(0, 4),
    // version 8 and variant 10: a UUID made by a custom rule (RFC 9562)
    `8${hex.slice(4, 7)}`,
    `a${hex.slice(7, 10)}`,
    hex.slice(10, 22),
  ].join('-')
}
