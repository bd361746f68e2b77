import { userInfo } from 'node:os'
import type { Database } from '../database/database.ts'

/** How a room's commands reach the database that `npm start` uses; app/command/database.ts brings it. */
export interface CommandDatabase {
  /** Runs something with the schema up to date, over a pool of two. */
  withDatabase<T>(act: (db: Database) => Promise<T>): Promise<T>
  /** The same for what makes passwords: SECRET_KEY is known to be this database's. */
  withDatabaseAndKey<T>(act: (db: Database, secretKey: Buffer) => Promise<T>): Promise<T>
  /** `isSent`: the server hands mails to a mail server; `publicUrl` without a slash at its end */
  mailSettings(): { publicUrl: string; isSent: boolean }
}

/** The operating system's user, for the audit log. */
export function nameOfUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run under a number without a name.
    return `user ${process.getuid?.() ?? 'unknown'}`
  }
}
