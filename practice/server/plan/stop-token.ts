import { createHmac, timingSafeEqual } from 'node:crypto'
import { deriveKey } from '../../../platform/database/secret-key.ts'

export function stopTokenOf(secretKey: Buffer, userId: string): string {
  return `${userId}.${seal(secretKey, userId).toString('base64url')}`
}

/** Whose a token is; null for one that is not ours. */
export function userOfStopToken(secretKey: Buffer, token: string): string | null {
  const [userId = '', given = ''] = token.split('.')
  const expected = seal(secretKey, userId)
  const bytes = Buffer.from(given, 'base64url')
  return bytes.length === expected.length && timingSafeEqual(bytes, expected) ? userId : null
}

function seal(secretKey: Buffer, userId: string): Buffer {
  return createHmac('sha256', deriveKey(secretKey, 'stop reminders')).update(userId).digest()
}
