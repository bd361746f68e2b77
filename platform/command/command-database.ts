import { userInfo } from 'node:os'
import type { Database } from '../database/database.ts'

/** Lets a room's commands reach the database that `npm start` uses. app/command/database.ts implements this. */
export interface CommandDatabase {
  /** Migrates the schema, then runs `act` with a pool of two connections. */
  withDatabase<T>(act: (db: Database) => Promise<T>): Promise<T>
  /** Like withDatabase, for commands that create passwords. It checks that SECRET_KEY belongs to this database. */
  withDatabaseAndKey<T>(act: (db: Database, secretKey: Buffer) => Promise<T>): Promise<T>
  /** `isSent` is true when the server has a mail server. `publicUrl` has no trailing slash. */
  mailSettings(): { publicUrl: string; isSent: boolean }
}

/** The operating system's user name, for the audit log. */
export function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a uid that has no name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
