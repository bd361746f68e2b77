import { hkdfSync, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { writePrivateFile } from './embedded/private-files.ts'

/** The file with the secret key is no use. The message is for people. */
export class SecretKeyError extends Error {}

/** Keys without a salt, by secret key and purpose: deriving one costs a tenth of a candidate's sign-in. */
const derivedKeys = new WeakMap<Buffer, Map<string, Buffer>>()

/**
 * A key of 32 bytes for one purpose, so that no two uses of SECRET_KEY share a key.
 * @param salt makes a key of its own per thing, for example per session
 */
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

/** Tells one SECRET_KEY from another, and nothing about it: 16 hexadecimal digits. */
export function fingerprintOf(secretKey: Buffer): string {
  return deriveKey(secretKey, 'fingerprint').toString('hex').slice(0, 16)
}

const keyFileOf = (dataDir: string) => path.join(dataDir, 'secret.key')

/**
 * The key of DATA_DIR: 32 bytes, made at the first start; whoever has them can sign anybody in.
 * Errors: SecretKeyError.
 */
export async function readOrMakeSecretKey(dataDir: string): Promise<Buffer> {
  const file = keyFileOf(dataDir)
  if (!existsSync(file)) writePrivateFile(file, randomBytes(32).toString('base64'))
  return readKeyFile(file)
}

/** The key of DATA_DIR, or null where nothing was started yet. Errors: SecretKeyError. */
export async function readSecretKey(dataDir: string): Promise<Buffer | null> {
  const file = keyFileOf(dataDir)
  return existsSync(file) ? readKeyFile(file) : null
}

async function readKeyFile(file: string): Promise<Buffer> {
  const key = Buffer.from(await readFile(file, 'utf8'), 'base64')
  if (key.length !== 32) {
    throw new SecretKeyError(
      `${file} doesn't hold a secret key of 32 bytes; restore it from your copy.`,
    )
  }
  return key
}
