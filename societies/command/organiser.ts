import { type CommandDatabase, nameOfUser } from '../../platform/command/command-database.ts'
import type { Organiser } from '../server/action.ts'

/** Runs what an organiser does at the keyboard, under the name of the operating system's user. */
export interface AtTheKeyboard {
  asOrganiser<T>(act: (organiser: Organiser) => Promise<T>): Promise<T>
  /** the same for what makes passwords */
  asOrganiserWithKey<T>(act: (organiser: Organiser, secretKey: Buffer) => Promise<T>): Promise<T>
}

export function organiserAt(database: CommandDatabase): AtTheKeyboard {
  const actor = nameOfUser()
  return {
    asOrganiser: (act) => database.withDatabase((db) => act({ db, now: new Date(), actor })),
    asOrganiserWithKey: (act) =>
      database.withDatabaseAndKey((db, secretKey) =>
        act({ db, now: new Date(), actor }, secretKey),
      ),
  }
}
