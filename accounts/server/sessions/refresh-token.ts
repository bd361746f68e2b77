import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../../../platform/database/secret-key.ts'

/**
 * A refresh token is data and a signature in base64url, so it isn't stored:
 * version 0 | session id, 16 bytes | counter, varint | HMAC-SHA256, first 16 | SHA-256, first 4
 * The HMAC key is the session's, derived from SECRET_KEY. The last four bytes tell a truncated or mistyped token from a
 * forged one (product 2.1.5).
 */
const VERSION = 0
const HMAC_BYTES = 16
const CHECKSUM_BYTES = 4
/** the counter's column is a 32-bit integer */
const COUNTER_LIMIT = 2 ** 31 - 1

export function encodeRefreshToken(secretKey: Buffer, sessionId: string, counter: number): string {
  const id = Buffer.from(sessionId.replaceAll('-', ''), 'hex')
  const facts = Buffer.concat([Buffer.from([VERSION]), id, encodeVarint(counter)])
  const signed = Buffer.concat([facts, sign(secretKey, id, facts)])
  return Buffer.concat([signed, checksum(signed)]).toString('base64url')
}

type DecodedRefreshToken =
  | { kind: 'valid'; sessionId: string; counter: number }
  /** not a token of this kind */
  | { kind: 'malformed' }
  /** well formed, but not signed by this server */
  | { kind: 'forged' }

export function decodeRefreshToken(secretKey: Buffer, token: string): DecodedRefreshToken {
  // Other servers issue short tokens of this form, but this one never did.
  if (/^[a-z0-9]{12}$/.test(token)) return { kind: 'forged' }
  if (!/^[A-Za-z0-9_-]{50,60}$/.test(token)) return { kind: 'malformed' }
  const bytes = Buffer.from(token, 'base64url')
  const signed = bytes.subarray(0, -CHECKSUM_BYTES)
  const facts = signed.subarray(0, -HMAC_BYTES)
  const counter = decodeVarint(facts.subarray(17))
  if (
    bytes.toString('base64url') !== token ||
    !checksum(signed).equals(bytes.subarray(-CHECKSUM_BYTES)) ||
    facts[0] !== VERSION ||
    counter === null
  ) {
    return { kind: 'malformed' }
  }
  const id = facts.subarray(1, 17)
  if (!timingSafeEqual(sign(secretKey, id, facts), signed.subarray(-HMAC_BYTES))) {
    return { kind: 'forged' }
  }
  return { kind: 'valid', sessionId: formatUuid(id), counter }
}

function sign(secretKey: Buffer, sessionId: Buffer, facts: Buffer): Buffer {
  const key = deriveKey(secretKey, 'refresh token', sessionId)
  return createHmac('sha256', key).update(facts).digest().subarray(0, HMAC_BYTES)
}

const checksum = (bytes: Buffer) =>
  createHash('sha256').update(bytes).digest().subarray(0, CHECKSUM_BYTES)

function formatUuid(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** Seven bits per byte, lowest first. The top bit says that more follow. */
function encodeVarint(number: number): Buffer {
  const bytes: number[] = []
  let rest = number
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) + 0x80)
    rest = Math.floor(rest / 0x80)
  }
  return Buffer.from([...bytes, rest])
}

function decodeVarint(bytes: Buffer): number | null {
  if (bytes.length === 0 || bytes.length > 5) return null
  let number = 0
  for (const [index, byte] of bytes.entries()) {
    if (byte >= 0x80 !== index < bytes.length - 1) return null
    number += (byte % 0x80) * 0x80 ** index
  }
  return number <= COUNTER_LIMIT ? number : null
}
