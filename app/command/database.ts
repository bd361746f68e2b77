import { prepareKeys } from '../../accounts/server/sessions/keys.ts'
import { signingKeys } from '../../accounts/server/tables.ts'
import { type Database, openDatabase } from '../../platform/database/database.ts'
import {
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../../platform/database/embedded/start.ts'
import { migrateDatabase } from '../../platform/database/migrate-database.ts'
import { readOrMakeSecretKey, readSecretKey } from '../../platform/database/secret-key.ts'
import { AdminError } from '../../platform/server/admin-error.ts'
import { parseSettings, type Settings } from '../server/settings.ts'

function requireSettings(): Settings {
  const parsed = parseSettings('demo', process.env)
  if ('problems' in parsed) throw new AdminError(parsed.problems.join('\n'))
  return parsed.settings
}

/** Uses DATABASE_URL, otherwise the running embedded server, otherwise one started for this command. */
export async function withDatabaseUrl<T>(
  act: (url: string) => Promise<T>,
  settings: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'> = requireSettings(),
): Promise<T> {
  const running = settings.DATABASE_URL ?? (await findRunningPostgres(settings.DATA_DIR))
  const own = running
    ? null
    : await startEmbeddedPostgres({
        dataDir: settings.DATA_DIR,
        log: (line) => console.error(line),
      })
  try {
    return await act(running ?? own?.url ?? '')
  } finally {
    await own?.stop()
  }
}

/** Like withDatabaseUrl, with the schema migrated and a pool. */
export function withDatabase<T>(act: (db: Database) => Promise<T>): Promise<T> {
  return withDatabaseUrl(async (url) => {
    await migrateDatabase(url, { log: { info: () => {}, warn: (line) => console.error(line) } })
    return withPool(url, act)
  })
}

async function withPool<T>(url: string, act: (db: Database) => Promise<T>): Promise<T> {
  const db = openDatabase(url, { max: 2 })
  try {
    return await act(db)
  } finally {
    await db.$client.end()
  }
}

/** Like withDatabase, for commands that create passwords, which a different SECRET_KEY would make useless. */
export function withDatabaseAndKey<T>(
  act: (db: Database, secretKey: Buffer) => Promise<T>,
): Promise<T> {
  return withDatabase(async (db) => {
    const settings = requireSettings()
    const secretKey = settings.SECRET_KEY ?? (await readOrMakeSecretKey(settings.DATA_DIR))
    await prepareKeys({ db, secretKey, now: () => new Date() })
    return act(db, secretKey)
  })
}

export function mailSettings(): { publicUrl: string; isSent: boolean } {
  const { PUBLIC_URL, SMTP_URL } = requireSettings()
  return { publicUrl: PUBLIC_URL, isSent: SMTP_URL !== undefined }
}

/** The SECRET_KEY of the settings, otherwise of DATA_DIR; null before the first start. */
export function readPresentKey(): Promise<Buffer | null> {
  const settings = requireSettings()
  return settings.SECRET_KEY
    ? Promise.resolve(settings.SECRET_KEY)
    : readSecretKey(settings.DATA_DIR)
}

/** Errors: WrongSecretKeyError when the database was set up with another key. */
export function requireKeyOf(url: string, secretKey: Buffer): Promise<void> {
  return withPool(url, async (db) => {
    // Without a row nothing is encrypted yet, and this check must not create one.
    const { rows } = await db.$client.query<{ exists: boolean }>(
      "select to_regclass('public.signing_keys') is not null as exists",
    )
    if (!rows[0]?.exists) return
    const [known] = await db.select({ kid: signingKeys.kid }).from(signingKeys).limit(1)
    if (known) await prepareKeys({ db, secretKey, now: () => new Date() })
  })
}
