import { timingSafeEqual } from 'node:crypto'
import { HOTP, Secret, TOTP } from 'otpauth'
import { renderSVG } from 'uqr'

// The codes of an authenticator app: RFC 6238 as every app knows it, SHA-1, six digits, a new one each 30 s.

const STEP_SECONDS = 30
const DIGITS = 6
/** Steps before and after the server's own that are taken: clocks differ, and people type slowly. */
const WINDOW = 1
/** 160 bits, as RFC 4226 asks. */
const SECRET_BYTES = 20
const ISSUER = 'Superday'

/** A new secret for an app. */
export const makeSecret = (): Buffer => Buffer.from(new Secret({ size: SECRET_BYTES }).bytes)

const secretOf = (bytes: Buffer) =>
  new Secret({ buffer: new Uint8Array(bytes).buffer as ArrayBuffer })

/** The secret as people type it into an app. */
export const secretText = (secret: Buffer): string => secretOf(secret).base32

/** What the app is given: otpauth://totp/… @param account whose codes they are: the e-mail address */
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

/**
 * The same as a QR code in SVG, black on white whatever the theme: cameras want it so. Colours by name,
 * since the client library makes a data: address of it, which '#' would end.
 */
export const qrCode = (uri: string): string =>
  renderSVG(uri, { ecc: 'M', border: 2, blackColor: 'black', whiteColor: 'white' })

const stepOf = (now: Date) => Math.floor(now.getTime() / 1000 / STEP_SECONDS)

const codeAt = (secret: Buffer, step: number) =>
  HOTP.generate({ secret: secretOf(secret), counter: step, digits: DIGITS })

/** The code that an app shows at a moment. */
export const codeNow = (secret: Buffer, now: Date): string => codeAt(secret, stepOf(now))

/** Whether a text looks like a code of an app. Blanks are how apps group it. */
export const isAppCode = (typed: string): boolean => /^\d{6}$/.test(typed.replace(/\s/g, ''))

/**
 * The step of time whose code was typed: the server's own, the one before or the one after.
 * @returns null when it is none of these
 */
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
