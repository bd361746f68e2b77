import { type CommandDatabase, nameOfUser } from '../../platform/command/command-database.ts'
import { ApiError } from '../../platform/server/api.ts'
import type { Organiser } from '../kit/server/action.ts'

/** Runs an organiser's act at the command line, under the name of the operating system's user. */
export function organiserAt(database: CommandDatabase) {
  const actor = nameOfUser()
  return {
    asOrganiser: <T>(act: (organiser: Organiser) => Promise<T>): Promise<T> =>
      database.withDatabase((db) => act({ db, now: new Date(), actor })),
    /** the same for what makes passwords */
    asOrganiserWithKey: <T>(
      act: (organiser: Organiser, secretKey: Buffer) => Promise<T>,
    ): Promise<T> =>
      database.withDatabaseAndKey((db, secretKey) =>
        act({ db, now: new Date(), actor }, secretKey),
      ),
  }
}

/** The sentence of a refusal; null for any other error. */
export const explainRefusal = (error: unknown): string | null =>
  error instanceof ApiError ? error.message : null
