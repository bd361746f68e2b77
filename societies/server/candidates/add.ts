import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import { judgeLines, type WrittenLine } from '../../candidate-lines.ts'
import { act, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type MailLimits, queueCredentials } from './credentials.ts'
import { insertCandidates, readListed } from './insert.ts'

export interface Added {
  added: number
  /** were on the list, and stay as they are there */
  unchanged: number
  mailed: number
}

/**
 * Adds the candidates of a list, all or none; who is there already is left unchanged (product 7.10.5).
 * Errors: OrganiserRefusal, with every line that is wrong; those of queueCredentials.
 * @param given.hasNames whether the list gives names at all
 * @param given.mail whether those who were added and have an address get their credentials by mail
 */
export function addCandidates(
  organiser: Organiser,
  code: string,
  given: { lines: readonly WrittenLine[]; hasNames: boolean; mail: boolean },
  { secretKey, limits }: { secretKey: Buffer; limits: MailLimits },
): Promise<Added> {
  const { hasNames, mail } = given
  return act(organiser, 'add-candidates', code, async (client) => {
    const { durationSeconds } = await requireAssessment(client, code, 'change')
    const listed = await readListed(client, code)
    const judged = judgeLines(given.lines, listed, hasNames, durationSeconds)
    const wrong = judged.filter(({ state }) => state === 'problem')
    if (wrong.length > 0) {
      const lines = wrong.map(({ line, problems }) => ({ line, text: problems[0]?.text ?? '' }))
      throw new OrganiserRefusal('lines_wrong', { lines })
    }
    const fresh = judged.filter(({ state }) => state === 'new')
    const inserted = await insertCandidates(
      client,
      code,
      fresh.map((one) => ({
        ...one,
        // Nobody has it: the one that counts is made when its mail leaves or its slip is printed.
        passwordHash: hashCandidatePassword(secretKey, makePassword()),
      })),
      organiser.now,
    )
    // The database found two names to be one that are two here.
    if (inserted.length < fresh.length) throw new OrganiserRefusal('names_taken', {})
    const withAddress = inserted.filter(({ email }) => email !== null).map(({ id }) => id)
    const { queued } =
      mail && withAddress.length > 0
        ? await queueCredentials(client, organiser, code, withAddress, limits)
        : { queued: 0 }
    const answer: Added = {
      added: inserted.length,
      unchanged: judged.length - fresh.length,
      mailed: queued,
    }
    return { result: answer, detail: { ...answer } }
  })
}
