import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { AdminError } from '../server/admin-error.ts'
import { writePrivateFile } from './embedded/private-files.ts'

/** The secret key's file is unusable. */
export class SecretKeyError extends AdminError {}

/** Cached keys without a salt. Deriving one costs a tenth of a candidate's sign-in. */
const derivedKeys = new WeakMap<Buffer, Map<string, Buffer>>()

/** Derives a 32-byte key for one purpose. @param salt makes one per thing, for example per session */
export function deriveKey(secretKey: Buffer, purpose: string, salt?: Buffer | string): Buffer {
  const derive = () =>
    Buffer.from(hkdfSync('sha256', secretKey, salt ?? '', `superday ${purpose}`, 32))
  if (salt !== undefined) return derive()
  const known = derivedKeys.get(secretKey) ?? new Map<string, Buffer>()
  derivedKeys.set(secretKey, known)
  const key = known.get(purpose) ?? derive()
  known.set(purpose, key)
  return key
}

/** Hashes a text. The hash can't be made without SECRET_KEY and is useless for another purpose. */
export const keyedHash = (secretKey: Buffer, purpose: string, text: string): Buffer =>
  createHmac('sha256', deriveKey(secretKey, purpose)).update(text).digest()

/** Identifies a SECRET_KEY without revealing it: 16 hexadecimal digits. */
export function fingerprintOf(secretKey: Buffer): string {
  return deriveKey(secretKey, 'fingerprint').toString('hex').slice(0, 16)
}

const keyFileOf = (dataDir: string) => path.join(dataDir, 'secret.key')

/** The 32-byte key of DATA_DIR, created at the first start. Errors: SecretKeyError. */
export async function readOrMakeSecretKey(dataDir: string): Promise<Buffer> {
  const file = keyFileOf(dataDir)
  if (!existsSync(file)) writePrivateFile(file, randomBytes(32).toString('base64'))
  return readKeyFile(file)
}

/** The key of DATA_DIR, or null before the first start. Errors: SecretKeyError. */
export async function readSecretKey(dataDir: string): Promise<Buffer | null> {
  const file = keyFileOf(dataDir)
  return existsSync(file) ? readKeyFile(file) : null
}

async function readKeyFile(file: string): Promise<Buffer> {
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
  if (key.length !== 32) {
    throw new SecretKeyError(
      `${file} doesn't contain a 32-byte secret key. Restore it from your copy.`,
    )
  }
  return key
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Encrypts a row's secret with AES-256-GCM: nonce, tag, text. The row's name is authenticated against swapping. */
export function seal(key: Buffer, name: string, text: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  cipher.setAAD(Buffer.from(name))
  const encrypted = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
}

/** Decrypts a sealed text. Returns null if the key, name or row differs. */
export function unseal(key: Buffer, name: string, sealed: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(Buffer.from(name))
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([
      decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)),
      decipher.final(),
    ])
  } catch {
    return null
  }
}
