import { type CommandDatabase, nameOfUser } from '../../platform/command/command-database.ts'
import { ApiError } from '../../platform/server/api.ts'
import type { Organiser } from '../server/action.ts'
import { OrganiserRefusal, type RefusalCode, type RefusalFacts } from '../server/refusal.ts'

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

/** What the acts of the command line refuse that the browser refuses too. */
const SENTENCES: { [Code in RefusalCode]?: (facts: RefusalFacts[Code]) => string } = {
  has_attempts: ({ assessment, attempts }) =>
    `${attempts} ${attempts === 1 ? 'candidate has' : 'candidates have'} started ${assessment}, so its questions stay as they are. Correct a wrong key in the browser, under Analysis.`,
  already_published: ({ assessment }) => `${assessment} is published already.`,
  nothing_to_export: ({ assessment }) => `${assessment} has no questions.`,
}

/** The sentence of a refusal; null for any other error. */
export function explainRefusal(error: unknown): string | null {
  if (error instanceof ApiError) return error.message
  if (!(error instanceof OrganiserRefusal)) return null
  const sentence = SENTENCES[error.code as RefusalCode] as ((facts: unknown) => string) | undefined
  return sentence?.(error.facts) ?? `Refused: ${error.code}.`
}
