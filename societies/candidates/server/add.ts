import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { type JudgedLine, judgeLines, type Listed } from '../candidate-lines.ts'
import type * as contract from '../contract.ts'
import { type MailLimits, queueCredentials } from './credentials.ts'

/**
 * Adds the candidates of a list, all or none; those who are on it already stay as they are (product 7.10.5).
 * Errors: 409 lines_wrong, names_taken; those of queueCredentials.
 */
export function addCandidates(
  organiser: MemberInTest,
  { lines, hasNames, mail }: BodyOf<typeof contract.addCandidates>,
  { secretKey, limits }: { secretKey: Buffer; limits: MailLimits },
): Promise<ResponseOf<typeof contract.addCandidates>> {
  const { code, now } = organiser
  return act(organiser, 'add-candidates', code, async (client) => {
    const { durationSeconds } = await requireAssessment(client, organiser, 'change')
    const { rows: listed } = await client.query<Listed>(
      'select username, name, lower(email) as email, room from candidates where assessment = $1',
      [code],
    )
    const judged = judgeLines(lines, listed, hasNames, durationSeconds)
    requireNoProblems(judged)
    const fresh = judged.filter(({ state }) => state === 'new')
    const inserted = await insertCandidates(client, code, fresh, { secretKey, now })
    if (inserted.length < fresh.length) {
      // The database took two names for one that are two here.
      throw refuse(
        409,
        'names_taken',
        'The list changed while you were adding to it, and one of your usernames is taken now. No candidate was added. Check the lines and try again.',
      )
    }
    const withAddress = inserted.filter(({ email }) => email !== null).map(({ id }) => id)
    const mailed =
      mail && withAddress.length > 0
        ? (await queueCredentials(client, organiser, withAddress, limits)).queued
        : 0
    const added = {
      added: inserted.length,
      unchanged: judged.length - fresh.length,
      mailed,
    }
    return { result: added, detail: added }
  })
}

function requireNoProblems(judged: readonly JudgedLine[]): void {
  const wrong = judged.filter(({ problems }) => problems.length > 0)
  const [first] = wrong
  if (!first) return
  const many = wrong.length === 1 ? 'One line has a problem' : `${wrong.length} lines have problems`
  throw refuse(
    409,
    'lines_wrong',
    `${many}, so no candidate was added. Line ${first.line}: ${first.problems[0]?.text}`,
  )
}

/**
 * Puts candidates on the list. Their passwords open nothing: the ones that count are made when a mail leaves or a
 * sheet is printed.
 * @returns those who were added; not those whose username is on the list
 */
async function insertCandidates(
  client: Client,
  code: string,
  candidates: readonly JudgedLine[],
  { secretKey, now }: { secretKey: Buffer; now: Date },
): Promise<{ id: string; email: string | null }[]> {
  const hashed = candidates.map((one) => ({
    ...one,
    hash: hashCandidatePassword(secretKey, makePassword()).toString('hex'),
  }))
  const { rows } = await client.query<{ id: string; email: string | null }>(
    `insert into candidates (id, assessment, username, name, email, room, note, password_hash,
       extra_seconds, exempt_kinds, created_at)
     select gen_random_uuid(), $1, username, name, email, room, note, decode(hash, 'hex'),
       "extraSeconds", "exemptKinds", $2
     from jsonb_to_recordset($3) as row (username text, name text, email text, room text, note text,
       hash text, "extraSeconds" int, "exemptKinds" text[])
     on conflict (assessment, lower(username)) do nothing
     returning id, email`,
    [code, now, JSON.stringify(hashed)],
  )
  return rows
}
