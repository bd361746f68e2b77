import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { EMAIL } from '../../../accounts/email.ts'
import { lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { hashCandidatePassword, makePassword } from '../../../assessments/server/password-store.ts'
import { COUNTED_KINDS } from '../../../assessments/violations.ts'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import { requireAssessment, requireWindow } from '../../access/server/assessments.ts'
import type { MemberInTest, OrganizerInTest } from '../../access/server/serve-members.ts'
import { hasLink, LINK_PROBLEM, MOST_ANSWERS, MOST_CANDIDATES } from '../../kit/candidate-limits.ts'
import { act, type Client, readLastLogged, staleError } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { momentOf } from '../../kit/server/typed-time.ts'
import { type JudgedLine, judgeLines, type Listed } from '../candidate-lines.ts'
import type * as contract from '../contract.ts'
import { holdCandidates, type MailLimits, queueCredentials, stopMails } from './credentials.ts'
import { type Candidate, requireCandidate } from './list.ts'

/** Checks the maximum of candidates, which depends on the number of questions. Errors: 409 many_candidates. */
async function requirePlaces(client: Client, code: string, count: number): Promise<void> {
  const { rows } = await client.query<{ questions: number }>(
    'select count(*)::int as questions from assessment_items where assessment = $1',
    [code],
  )
  const questions = rows[0]?.questions ?? 0
  const most = Math.min(MOST_CANDIDATES, Math.floor(MOST_ANSWERS / Math.max(1, questions)))
  if (count <= most) return
  const test = most < MOST_CANDIDATES ? `A test with ${questions} questions` : 'A test'
  const sentence = `${test} has ${most} candidates at most, so no candidate was added.`
  throw refuse(409, 'many_candidates', sentence)
}

/** Adds all candidates of a list or none (product 7.10.5). Errors: 409 lines_wrong, many_candidates, names_taken. */
export function addCandidates(
  organizer: MemberInTest,
  { lines, hasNames, mail }: BodyOf<typeof contract.addCandidates>,
  { secretKey, limits }: { secretKey: Buffer; limits: MailLimits },
): Promise<ResponseOf<typeof contract.addCandidates>> {
  const { code, now } = organizer
  return act(organizer, 'add-candidates', code, async (client) => {
    const { durationSeconds } = await requireAssessment(client, organizer, 'change')
    const { rows: listed } = await client.query<Listed>(
      'select username, name, lower(email) as email, room from candidates where assessment = $1',
      [code],
    )
    const judged = judgeLines(lines, listed, hasNames, durationSeconds)
    requireNoProblems(judged)
    const fresh = judged.filter(({ state }) => state === 'new')
    await requirePlaces(client, code, listed.length + fresh.length)
    // These passwords are placeholders. Real ones are created when a mail leaves or a sheet is printed.
    const hashed = fresh.map((one) => ({
      ...one,
      hash: hashCandidatePassword(secretKey, makePassword()).toString('hex'),
    }))
    const { rows: inserted } = await client.query<{ id: string; email: string | null }>(
      sql`insert into candidates (id, assessment, username, name, email, room, note, password_hash,
         extra_seconds, exempt_kinds, created_at)
       select gen_random_uuid(), ${code}, username, name, email, room, note, decode(hash, 'hex'),
         "extraSeconds", "exemptKinds", ${now}
       from jsonb_to_recordset(${JSON.stringify(hashed)}) as row (username text, name text, email text,
       room text, note text,
         hash text, "extraSeconds" int, "exemptKinds" text[])
       on conflict (assessment, lower(username)) do nothing
       returning id, email`,
    )
    if (inserted.length < fresh.length) {
      // The database treats two names as equal that this code treats as different.
      throw refuse(
        409,
        'names_taken',
        'The list changed while you were adding to it, and one of your usernames is taken now. No candidate was added. Check the lines and try again.',
      )
    }
    const withAddress = inserted.filter(({ email }) => email !== null).map(({ id }) => id)
    const mailed =
      mail && withAddress.length > 0
        ? (await queueCredentials(client, organizer, withAddress, limits)).queued
        : 0
    const unchanged = judged.length - fresh.length
    const added = { added: inserted.length, unchanged, mailed }
    return { result: added, detail: added.added === 0 ? null : added }
  })
}

function requireNoProblems(judged: readonly JudgedLine[]): void {
  const wrong = judged.filter(({ problems }) => problems.length > 0)
  const [first] = wrong
  if (!first) return
  const many = wrong.length === 1 ? 'One line has a problem' : `${wrong.length} lines have problems`
  const sentence = `${many}, so no candidate was added. Line ${first.line}: ${first.problems[0]?.text}`
  throw refuse(409, 'lines_wrong', sentence)
}

/**
 * Changes one candidate (product 7.10.6). The planned time is fixed once the attempt has started. A waiting mail is
 * stopped if the address changes. Errors: 400 bad_name, bad_address, nothing_to_exempt, bad_time, closes_before_opens,
 * start_is_past; 404 no_such_candidate; 409 stale, has_started, results_released, address_taken.
 */
export function changeCandidate(
  organizer: MemberInTest,
  id: string,
  { version, ...given }: BodyOf<typeof contract.changeCandidate>,
): Promise<Candidate> {
  const { code, now, actor } = organizer
  return act(organizer, 'change-candidate', code, async (client) => {
    // The assessment's lock keeps results from being released while this candidate gets a later start.
    const { timeZone } = await requireAssessment(client, organizer, 'change')
    const fields = {
      ...given,
      name: tidy(given.name),
      email: tidy(given.email)?.toLowerCase() ?? null,
      room: await spellRoom(client, code, given.room, [id]),
      note: tidy(given.note),
    }
    if (hasLink(fields.name ?? '')) throw refuse(400, 'bad_name', LINK_PROBLEM)
    if (fields.email !== null && !EMAIL.test(fields.email)) {
      throw refuse(400, 'bad_address', `${fields.email} isn't an email address.`)
    }
    const kinds: readonly string[] = COUNTED_KINDS
    if (!fields.exemptKinds.every((kind) => kinds.includes(kind))) {
      throw refuse(400, 'nothing_to_exempt', 'This kind of event does not exist.')
    }
    await holdCandidates(client, code, [id])
    const before = await requireCandidate(client, code, id)
    const { username, changedBy } = before
    if (before.version !== version) {
      const { at } = await readLastLogged(
        client,
        sql`assessment = ${code} and actor = ${changedBy} and (action = 'change-candidates'
          or action = 'change-candidate' and detail ->> 'username' = ${username})`,
      )
      throw staleError({ by: changedBy, at }, now)
    }
    const [attempt] = await lockAttempts(client, code, id)
    const hasNewStart =
      fields.starts?.from !== before.starts?.from || fields.starts?.until !== before.starts?.until
    if (attempt && (hasNewStart || fields.extraSeconds !== before.extraSeconds)) {
      throw refuse(
        409,
        'has_started',
        `${username} has started, so the planned time is fixed. Give time on the day under Live.`,
      )
    }
    if (hasNewStart && fields.starts) await requireUnreleased(client, code)
    const [from, until] = hasNewStart
      ? startOf(fields.starts, timeZone, now)
      : [before.starts?.fromAt ?? null, before.starts?.untilAt ?? null]
    // Each address on a list belongs to one person.
    const taken = await client.query<{ username: string }>(
      sql`select username from candidates
       where assessment = ${code} and lower(email) = ${fields.email} and id <> ${id} limit 1`,
    )
    const [other] = taken.rows
    if (other) throw refuse(409, 'address_taken', `${other.username} already has this address.`)
    const exemptKinds = [...new Set(fields.exemptKinds)]
    const { name, email, room, note, extraSeconds } = before
    const were = { name, email, room, note, extraSeconds, exemptKinds: before.exemptKinds }
    const { starts: _, ...asked } = { ...fields, exemptKinds }
    if (!hasNewStart && isDeepStrictEqual(were, asked)) return { result: before, detail: null }
    await client.query(sql`
      update candidates set name = ${fields.name}, email = ${fields.email}, room = ${fields.room},
        note = ${fields.note}, extra_seconds = ${fields.extraSeconds},
        starts_from = ${from}, starts_until = ${until},
        exempt_kinds = ${exemptKinds}, version = version + 1, changed_by = ${actor}
      where id = ${id}`)
    if (fields.email !== before.email) {
      await stopMails(client, code, [id], { now, reason: 'address_changed' })
    }
    const after = await requireCandidate(client, code, id)
    return { result: after, detail: { username, ...differences(before, after) } }
  })
}

/** Rejects another start after results are released, which could reveal answers. Errors: 409 results_released. */
async function requireUnreleased(client: Client, code: string): Promise<void> {
  const { rowCount } = await client.query(
    'select from result_releases where assessment = $1 and withdrawn_at is null',
    [code],
  )
  if (rowCount === 0) return
  const sentence =
    'The results are released. Withdraw them before a candidate starts at another time.'
  throw refuse(409, 'results_released', sentence)
}

/** Parses a candidate's own start window. Errors: 400 bad_time, closes_before_opens, start_is_past. */
function startOf(
  starts: { from: string; until: string } | null,
  timeZone: string,
  now: Date,
): [from: Date | null, until: Date | null] {
  if (!starts) return [null, null]
  const from = momentOf(starts.from, timeZone)
  const until = momentOf(starts.until, timeZone)
  requireWindow(from, until)
  if (until > now) return [from, until]
  throw refuse(400, 'start_is_past', 'The other time to start has passed. Choose a later one.')
}

const tidy = (text: string | null) => text?.normalize('NFC').trim() || null

/** Spells a room as most other candidates have it, because 'room a' and 'Room A' are the same (product 7.10.19). */
async function spellRoom(
  client: Client,
  code: string,
  room: string | null,
  ids: readonly string[],
): Promise<string | null> {
  const tidied = tidy(room)?.replace(/\s+/g, ' ') ?? null
  if (tidied === null) return null
  const { rows } = await client.query<{ room: string }>(
    sql`select room from candidates
     where assessment = ${code} and lower(room) = lower(${tidied}) and id <> all (${ids}::uuid[]) and not is_demo
     group by room order by count(*) desc, room limit 1`,
  )
  return rows[0]?.room ?? tidied
}

/** Returns changed fields for the log, before and after, without the contents of name, address and note. */
function differences(before: Candidate, after: Candidate): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  const told = ({ room, extraSeconds, exemptKinds, starts }: Candidate) => ({
    ...{ room, extraSeconds, exemptKinds },
    starts: starts && `${starts.from} to ${starts.until}`,
  })
  const [was, is] = [told(before), told(after)]
  for (const field of ['room', 'extraSeconds', 'exemptKinds', 'starts'] as const) {
    if (!isDeepStrictEqual(was[field], is[field])) changed[field] = [was[field], is[field]]
  }
  for (const field of ['name', 'email', 'note'] as const) {
    if (before[field] !== after[field]) changed[field] = 'changed'
  }
  return changed
}

export function changeCandidates(
  organizer: MemberInTest,
  { candidates, room }: BodyOf<typeof contract.changeCandidates>,
): Promise<{ changed: number }> {
  const { code, actor } = organizer
  return act(organizer, 'change-candidates', code, async (client) => {
    await requireAssessment(client, organizer)
    await holdCandidates(client, code, candidates)
    const spelled = await spellRoom(client, code, room, candidates)
    const { rowCount } = await client.query(
      sql`update candidates set room = ${spelled}, version = version + 1, changed_by = ${actor}
       where assessment = ${code} and id = any (${candidates}::uuid[]) and not is_demo
         and room is distinct from ${spelled}`,
    )
    const done = { changed: rowCount ?? 0 }
    return { result: done, detail: done.changed === 0 ? null : { ...done, room: spelled } }
  })
}

/** Removes candidates from the list. Candidates who started are shut out instead (product 7.10.13). */
export function removeCandidates(
  organizer: OrganizerInTest,
  ids: readonly string[],
): Promise<{ removed: number; shutOut: number }> {
  const { code, now } = organizer
  return act(organizer, 'remove-candidates', code, async (client) => {
    await requireAssessment(client, organizer)
    // The row lock also blocks starts, so each candidate has either started or is deleted.
    await client.query(
      sql`select from candidates where assessment = ${code} and id = any (${ids}::uuid[]) order by id for update`,
    )
    const { rows } = await client.query<{ id: string; username: string; hasStarted: boolean }>(
      sql`select c.id, c.username,
         exists (select from attempts t where t.candidate_id = c.id) as "hasStarted"
       from candidates c
       where c.assessment = ${code} and c.id = any (${ids}::uuid[]) and not c.is_demo
         and (c.revoked_at is null or not exists (select from attempts t where t.candidate_id = c.id))`,
    )
    const started = rows.filter(({ hasStarted }) => hasStarted).map(({ id }) => id)
    const gone = rows.filter(({ hasStarted }) => !hasStarted).map(({ id }) => id)
    await stopMails(client, code, [...started, ...gone], { now, reason: 'shut_out' })
    await client.query(
      'update candidates set revoked_at = coalesce(revoked_at, $2) where id = any ($1)',
      [started, now],
    )
    await client.query('delete from candidate_tokens where candidate_id = any ($1)', [started])
    // Blind numbers are fixed after the first start, so a removed candidate leaves a gap (product 7.16.12).
    await client.query(
      sql`insert into removed_candidates (candidate_id, assessment, created_at)
       select c.id, c.assessment, c.created_at from candidates c
       where c.id = any (${gone})
         and exists (select from attempts a where a.assessment = ${code} and not a.is_demo)`,
    )
    await client.query('delete from candidates where id = any ($1)', [gone])
    const usernames = rows.map(({ username }) => username)
    const done = { removed: gone.length, shutOut: started.length }
    return { result: done, detail: rows.length === 0 ? null : { ...done, usernames } }
  })
}
