import { type CommandDatabase, nameOfUser } from '../../platform/command/command-database.ts'
import type { Organiser } from '../server/action.ts'
import { OrganiserRefusal, type RefusalCode, type RefusalFacts } from '../server/refusal.ts'
import { TEAM_SENTENCES } from '../server/team/refused.ts'

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
  ...TEAM_SENTENCES,
  no_such_assessment: ({ assessment, known }) =>
    `There is no test ${assessment}. ${known.length === 0 ? 'There are none yet' : `There are: ${known.join(', ')}`}.`,
  assessment_deleted: ({ assessment, at }) =>
    `${assessment} was deleted on ${at.toISOString().slice(0, 10)}. Choose another code.`,
  society_exists: ({ society }) =>
    `There is a society ${society} already. To invite an owner: npm run admin -- societies invite "${society}" EMAIL --role owner`,
  has_attempts: ({ assessment, attempts }) =>
    `${attempts} ${attempts === 1 ? 'candidate has' : 'candidates have'} started ${assessment}, so its questions stay as they are. Correct a wrong key in the browser, under Analysis.`,
  already_published: ({ assessment }) => `${assessment} is published already.`,
  closes_before_opens: () => 'The test would close before it opens. Give both times in the file.',
  nothing_to_export: ({ assessment }) => `${assessment} has no questions.`,
  still_inside: ({ assessment }) =>
    `A candidate is still taking ${assessment}. Wait until everybody is done.`,
}

/** The sentence of a refusal; null for any other error. */
export function explainRefusal(error: unknown): string | null {
  if (!(error instanceof OrganiserRefusal)) return null
  const sentence = SENTENCES[error.code as RefusalCode] as ((facts: unknown) => string) | undefined
  return sentence?.(error.facts) ?? `Refused: ${error.code}.`
}
