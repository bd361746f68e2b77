import { createHmac, randomBytes } from 'node:crypto'
import { deriveKey } from '../../platform/database/secret-key.ts'

/** 31 characters that don't look alike on paper or a phone. 13 of them have 64 bits. */
const PASSWORD_ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789'
const PASSWORD_LENGTH = 13

export function makePassword(): string {
  let password = ''
  while (password.length < PASSWORD_LENGTH) {
    for (const byte of randomBytes(32)) {
      // 248 is the largest multiple of 31 in a byte; higher ones would favor some letters.
      if (byte < 248 && password.length < PASSWORD_LENGTH) password += PASSWORD_ALPHABET[byte % 31]
    }
  }
  return `${password.slice(0, 4)}-${password.slice(4, 8)}-${password.slice(8)}`
}

/** A keyed SHA-256. Random passwords need no slow hash, and a crowd verifies in one minute (product 6.2.6). */
export function hashCandidatePassword(secretKey: Buffer, password: string): Buffer {
  // Candidates type it from paper, so hyphens, spaces and capitals don't matter.
  const plain = password.toLowerCase().replace(/[^a-z0-9]/g, '')
  return createHmac('sha256', deriveKey(secretKey, 'candidate passwords')).update(plain).digest()
}
