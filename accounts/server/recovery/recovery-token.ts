import { createHmac, randomBytes, randomInt } from 'node:crypto'
import type { Queryable } from '../../../platform/database/database.ts'
import { CODE_DIGITS, RECOVERY_MS } from '../../recovery.ts'
import { deriveKey } from '../sessions/keys.ts'
import { recoveryTokens } from '../tables.ts'

export interface RecoveryToken {
  /** what the mail's link carries; the wire calls it token_hash */
  token: string
  /** six digits */
  code: string
}

/**
 * Makes a person's recovery token, in place of the one before. Only keyed hashes are stored, so the
 * mail that is sent now is the only place where it can be read.
 */
export async function makeRecoveryToken(
  db: Queryable,
  secretKey: Buffer,
  now: Date,
  userId: string,
): Promise<RecoveryToken> {
  const token = randomBytes(32).toString('base64url')
  const code = String(randomInt(0, 10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const row = {
    tokenHash: hashRecoveryToken(secretKey, token),
    codeHash: hashRecoveryCode(secretKey, userId, code),
    codeTries: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + RECOVERY_MS),
  }
  await db
    .insert(recoveryTokens)
    .values({ userId, ...row })
    .onConflictDoUpdate({ target: recoveryTokens.userId, set: row })
  return { token, code }
}

export function hashRecoveryToken(secretKey: Buffer, token: string): Buffer {
  return createHmac('sha256', deriveKey(secretKey, 'recovery token')).update(token).digest()
}

/** Six digits are few, so the person is hashed with them: equal codes of two people look different. */
export function hashRecoveryCode(secretKey: Buffer, userId: string, code: string): Buffer {
  return createHmac('sha256', deriveKey(secretKey, 'recovery code'))
    .update(`${userId} ${code}`)
    .digest()
}
