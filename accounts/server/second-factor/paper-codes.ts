import { createHmac, randomBytes } from 'node:crypto'
import { deriveKey } from '../../../platform/database/secret-key.ts'

/** How many codes on paper stand in for the app. */
export const PAPER_CODES = 10

/** Crockford's 32: no two that look alike on paper. A byte has eight of each, so no letter is favored. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
/** 80 bits: nobody guesses them, so a fast hash is enough. */
const LENGTH = 16

/** Ten new codes, each in groups of four. */
export function makePaperCodes(): string[] {
  return Array.from({ length: PAPER_CODES }, () => {
    const letters = Array.from(randomBytes(LENGTH), (byte) => ALPHABET[byte % 32]).join('')
    return (letters.match(/.{4}/g) as string[]).join('-')
  })
}

/** What was meant, however it was typed from paper. */
const plainOf = (typed: string) =>
  typed
    .slice(0, 200)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1')

/** Keyed, and with the factor in it: equal codes of two people look different. */
export function hashPaperCode(secretKey: Buffer, factorId: string, typed: string): Buffer {
  return createHmac('sha256', deriveKey(secretKey, 'second factor code'))
    .update(`${factorId} ${plainOf(typed)}`)
    .digest()
}
