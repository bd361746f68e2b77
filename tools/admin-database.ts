import { userInfo } from 'node:os'
import { AdminError, type Organiser } from '../db/assessments/action.ts'
import { type Database, openDatabase } from '../db/database.ts'
import { findRunningPostgres, startEmbeddedPostgres } from '../db/embedded/start.ts'
import { migrateDatabase } from '../db/migrate.ts'
import { readOrMakeSecretKey } from '../db/secret-key.ts'
import { prepareKeys } from '../server/auth/keys.ts'
import { parseSettings, type Settings } from '../server/settings.ts'

function requireSettings(): Settings {
  const parsed = parseSettings('demo', process.env)
  if ('problems' in parsed) throw new AdminError(parsed.problems.join('\n'))
  return parsed.settings
}

/**
 * Runs something on the database that `npm start` uses: DATABASE_URL, else the running embedded
 * server, else the embedded server started for this one command.
 */
export async function withDatabase<T>(act: (db: Database) => Promise<T>): Promise<T> {
  const settings = requireSettings()
  const running = settings.DATABASE_URL ?? (await findRunningPostgres(settings.DATA_DIR))
  const own = running
    ? null
    : await startEmbeddedPostgres({
        dataDir: settings.DATA_DIR,
        log: (line) => console.error(line),
      })
  const url = running ?? own?.url ?? ''
  try {
    await migrateDatabase(url)
    const db = openDatabase(url, { max: 2 })
    try {
      return await act(db)
    } finally {
      await db.$client.end()
    }
  } finally {
    await own?.stop()
  }
}

/** Runs an organiser's action, under the name of the operating system's user. */
export function asOrganiser<T>(act: (organiser: Organiser) => Promise<T>): Promise<T> {
  return withDatabase((db) => act({ db, now: new Date(), actor: nameOfUser() }))
}

/**
 * The same for what makes passwords. A SECRET_KEY that isn't this database's would store passwords that
 * nobody can sign in with, and nobody would notice before the day.
 */
export function asOrganiserWithKey<T>(
  act: (organiser: Organiser, secretKey: Buffer) => Promise<T>,
): Promise<T> {
  return asOrganiser(async (organiser) => {
    const settings = requireSettings()
    const secretKey = settings.SECRET_KEY ?? (await readOrMakeSecretKey(settings.DATA_DIR))
    await prepareKeys({ db: organiser.db, secretKey, now: () => organiser.now })
    return act(organiser, secretKey)
  })
}

function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
