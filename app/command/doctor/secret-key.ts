import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { WrongSecretKeyError } from '../../../accounts/server/sessions/keys.ts'
import {
  fingerprintOf,
  readSecretKey,
  SecretKeyError,
} from '../../../platform/database/secret-key.ts'
import type { Settings } from '../../server/settings.ts'
import { requireKeyOf } from '../database.ts'
import { type Finding, mend, well, wordsOf } from './finding.ts'

/** 32 random bytes have 30 different ones or so; a pattern typed by hand has few. */
const DIFFERENT_BYTES_AT_LEAST = 16

/**
 * Whether the key is one, is kept, and is this database's.
 * @param databaseUrl null where no database answers, which leaves the last question open
 */
export async function lookAtSecretKey(
  settings: Settings,
  databaseUrl: string | null,
): Promise<Finding[]> {
  const findings: Finding[] = []
  const file = path.join(settings.DATA_DIR, 'secret.key')
  let key: Buffer | null = settings.SECRET_KEY ?? null
  if (!key) {
    try {
      key = await readSecretKey(settings.DATA_DIR)
    } catch (error) {
      if (!(error instanceof SecretKeyError) && !isSystemError(error)) throw error
      return [mend(`The secret key can't be read: ${wordsOf(error)}.`)]
    }
    if (!key) return [well(`There is no secret key yet: the first start makes ${file}.`)]
    if (process.platform !== 'win32' && existsSync(file) && statSync(file).mode & 0o077) {
      findings.push(mend(`Others on this machine may read ${file}: chmod 600 it.`))
    }
  }
  if (new Set(key).size < DIFFERENT_BYTES_AT_LEAST) {
    findings.push(
      mend('SECRET_KEY is no random one, so it can be guessed. Make one: openssl rand -base64 32'),
    )
  }
  if (!databaseUrl) return findings
  try {
    await requireKeyOf(databaseUrl, key)
  } catch (error) {
    if (!(error instanceof WrongSecretKeyError)) throw error
    return [...findings, mend(error.message)]
  }
  return [
    ...findings,
    well(
      `The secret key with the fingerprint ${fingerprintOf(key)} fits this database. Is a copy of it kept apart from the backups?`,
    ),
  ]
}

const isSystemError = (error: unknown) => typeof (error as { code?: unknown }).code === 'string'
