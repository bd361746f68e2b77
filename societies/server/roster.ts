import {
  type Candidate,
  getCandidateByName,
  getCandidateByReference,
  replacePasswords,
} from '../../assessments/server/candidate-store.ts'
import { hashCandidatePassword, makePassword } from '../../assessments/server/password-store.ts'
import { FileProblems } from '../../platform/server/admin-error.ts'
import { readCsv } from '../../platform/server/csv/csv.ts'
import { type JudgedLine, judgeLines } from '../candidate-lines.ts'
import { normaliseUsername } from '../usernames.ts'
import { act, type Client, type Organiser } from './action.ts'
import { requireAssessment } from './assessments.ts'
import { insertCandidates, readListed } from './candidates/insert.ts'
import { OrganiserRefusal } from './refusal.ts'

const ROSTER_COLUMNS = { required: ['username'], optional: ['extra_minutes'] } as const

/** A candidate's password, readable this once. */
export interface IssuedPassword {
  username: string
  password: string
}

/**
 * Adds the candidates of a CSV file (username, and if need be extra_minutes), all or none (product 7.3.1).
 * Errors: OrganiserRefusal; FileProblems with a sentence for every line that is wrong: they are what
 * the file's author gets back, wherever it was handed in.
 * @param deliver takes the passwords to where they are kept; when it fails, nobody is added
 */
export function importRoster(
  organiser: Organiser,
  code: string,
  csv: string,
  {
    secretKey,
    deliver,
  }: { secretKey: Buffer; deliver: (issued: IssuedPassword[]) => Promise<void> },
): Promise<{ added: number; withExtraTime: number }> {
  return act(organiser, 'roster', code, async (client) => {
    const { durationSeconds } = await requireAssessment(client, code, 'change')
    const rows = await readRoster(client, { code, durationSeconds }, csv)
    const issued = rows.map(({ username }) => ({ username, password: makePassword() }))
    const fresh = rows.map((row, index) => ({
      ...row,
      passwordHash: hashCandidatePassword(secretKey, issued[index]?.password ?? ''),
    }))
    const handedOut = { now: organiser.now, isHandedOut: true }
    const inserted = await insertCandidates(client, code, fresh, handedOut)
    // The database found two names to be one that are two here.
    if (inserted.length < fresh.length) throw new OrganiserRefusal('names_taken', {})
    // Before the commit: candidates whose passwords nobody has would be worse than a useless file.
    await deliver(issued)
    const withExtraTime = rows.filter(({ extraSeconds }) => extraSeconds > 0).length
    return {
      result: { added: rows.length, withExtraTime },
      detail: { added: rows.length, withExtraTime },
    }
  })
}

/** The lines of a roster, judged as those that are pasted in the browser are. Errors: FileProblems. */
async function readRoster(
  client: Client,
  { code, durationSeconds }: { code: string; durationSeconds: number },
  csv: string,
): Promise<JudgedLine[]> {
  const { rows, problems } = readCsv(csv, ROSTER_COLUMNS)
  const lines = rows.map(({ line, cells: { username, extra_minutes: extra } }) => ({
    ...{ line, username, extra, name: '', email: '', room: '', exempt: '', note: '' },
  }))
  const judged = judgeLines(lines, await readListed(client, code), false, durationSeconds)
  for (const { line, username, state, problems: wrong } of judged) {
    if (state === 'there') {
      problems.push(`line ${line}: ${username} is on the roster of ${code} already`)
    }
    problems.push(...wrong.map(({ text }) => `line ${line}: ${text}`))
  }
  const lineOf = (problem: string) => Number(/^line (\d+)/.exec(problem)?.[1])
  if (problems.length > 0) throw new FileProblems(problems.sort((a, b) => lineOf(a) - lineOf(b)))
  return judged
}

/**
 * Gives a candidate a new password; the old one, and whoever is in by it, are out. Admits a revoked
 * candidate again.
 * Errors: OrganiserRefusal.
 */
export function resetCandidate(
  organiser: Organiser,
  code: string,
  username: string,
  {
    secretKey,
    deliver,
  }: { secretKey: Buffer; deliver?: (issued: IssuedPassword[]) => Promise<void> },
): Promise<IssuedPassword & { wasRevoked: boolean }> {
  return act(organiser, 'reset', code, async (client) => {
    await requireAssessment(client, code)
    const candidate = await requireOnRoster(client, code, username)
    const password = makePassword()
    const hash = hashCandidatePassword(secretKey, password)
    const one = [{ candidateId: candidate.id, hash }]
    await replacePasswords(client, one, organiser.now, { readmit: true })
    await deliver?.([{ username: candidate.username, password }])
    const wasRevoked = candidate.revokedAt !== null
    return {
      result: { username: candidate.username, password, wasRevoked },
      detail: { username: candidate.username, wasRevoked },
    }
  })
}

/**
 * Shuts a candidate out, at once; the attempt stays and is closed at its deadline.
 * Errors: OrganiserRefusal.
 */
export function revokeCandidate(
  organiser: Organiser,
  code: string,
  username: string,
): Promise<{ username: string; isRunning: boolean }> {
  return act(organiser, 'revoke', code, async (client) => {
    await requireAssessment(client, code)
    const candidate = await requireOnRoster(client, code, username)
    if (candidate.revokedAt) {
      throw new OrganiserRefusal('already_revoked', { username: candidate.username })
    }
    await client.query('update candidates set revoked_at = $2 where id = $1', [
      candidate.id,
      organiser.now,
    ])
    await client.query('delete from candidate_tokens where candidate_id = $1', [candidate.id])
    const { rowCount } = await client.query(
      'select from attempts where candidate_id = $1 and submitted_at is null',
      [candidate.id],
    )
    return {
      result: { username: candidate.username, isRunning: rowCount === 1 },
      detail: { username: candidate.username },
    }
  })
}

/**
 * A candidate by name, or by the reference that the completion screen shows (product 7.3.6); locked against
 * other organisers, or where nothing is to be changed not at all. A name comes first: nobody's name is taken
 * for somebody else's reference.
 * Errors: OrganiserRefusal.
 */
export async function requireOnRoster(
  client: Client,
  code: string,
  username: string,
  lock: 'change' | 'none' = 'change',
): Promise<Candidate> {
  const name = normaliseUsername(username)
  const candidate =
    (await getCandidateByName(client, code, name, lock)) ??
    (await getCandidateByReference(client, code, name, lock))
  if (candidate) return candidate
  throw new OrganiserRefusal('candidate_unknown', { assessment: code, username })
}
