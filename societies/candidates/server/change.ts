import { isDeepStrictEqual } from 'node:util'
import sql from 'sql-template-tag'
import { EMAIL } from '../../../accounts/email.ts'
import { lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { COUNTED_KINDS } from '../../../assessments/violations.ts'
import type { BodyOf } from '../../../platform/endpoint.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client, readLastLogged, staleError } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type * as contract from '../contract.ts'
import { holdCandidates, stopMails } from './credentials.ts'
import { type Candidate, requireCandidate } from './list.ts'

/**
 * Changes one candidate (product 7.10.6). The planned time is fixed once the attempt has begun; a mail that
 * waits for another address is stopped.
 * Errors: 400 bad_address, nothing_to_exempt; 404 no_such_candidate; 409 stale, has_started, address_taken.
 */
export function changeCandidate(
  organiser: MemberInTest,
  id: string,
  { version, ...given }: BodyOf<typeof contract.changeCandidate>,
): Promise<Candidate> {
  const { code, now, actor } = organiser
  return act(organiser, 'change-candidate', code, async (client) => {
    await requireAssessment(client, organiser)
    const fields = {
      ...given,
      name: tidy(given.name),
      email: tidy(given.email)?.toLowerCase() ?? null,
      room: await spellRoom(client, code, given.room, [id]),
      note: tidy(given.note),
    }
    if (fields.email !== null && !EMAIL.test(fields.email)) {
      throw refuse(400, 'bad_address', `${fields.email} isn't an e-mail address.`)
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
    if (attempt && fields.extraSeconds !== before.extraSeconds) {
      throw refuse(
        409,
        'has_started',
        `${username} has started, so the planned time is fixed. Give time on the day under Live.`,
      )
    }
    await requireOwnAddress(client, code, id, fields.email)
    await client.query(sql`
      update candidates set name = ${fields.name}, email = ${fields.email}, room = ${fields.room},
        note = ${fields.note}, extra_seconds = ${fields.extraSeconds},
        exempt_kinds = ${[...new Set(fields.exemptKinds)]}, version = version + 1, changed_by = ${actor}
      where id = ${id}`)
    if (fields.email !== before.email) {
      await stopMails(client, code, [id], { now, reason: 'address_changed' })
    }
    const after = await requireCandidate(client, code, id)
    return { result: after, detail: { username, ...differences(before, after) } }
  })
}

const tidy = (text: string | null) => text?.normalize('NFC').trim() || null

/** One address is one person of a list. */
async function requireOwnAddress(
  client: Client,
  code: string,
  id: string,
  email: string | null,
): Promise<void> {
  const { rows } = await client.query<{ username: string }>(
    `select username from candidates
     where assessment = $1 and lower(email) = $2 and id <> $3 limit 1`,
    [code, email, id],
  )
  if (rows[0]) {
    throw refuse(409, 'address_taken', `${rows[0].username} already has this address.`)
  }
}

/**
 * A room as most other candidates have it: 'room a' and 'Room A' are one, or each list of a room has only half of
 * it (product 7.10.19). A change of all its candidates can spell it differently.
 */
async function spellRoom(
  client: Client,
  code: string,
  room: string | null,
  ids: readonly string[],
): Promise<string | null> {
  const tidied = tidy(room)?.replace(/\s+/g, ' ') ?? null
  if (tidied === null) return null
  const { rows } = await client.query<{ room: string }>(
    `select room from candidates
     where assessment = $1 and lower(room) = lower($2) and id <> all ($3::uuid[]) and not is_demo
     group by room order by count(*) desc, room limit 1`,
    [code, tidied, ids],
  )
  return rows[0]?.room ?? tidied
}

/** Changed fields for the log: before and after, but not the contents of name, address and note. */
function differences(before: Candidate, after: Candidate): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  for (const field of ['room', 'extraSeconds', 'exemptKinds'] as const) {
    if (!isDeepStrictEqual(before[field], after[field])) {
      changed[field] = [before[field], after[field]]
    }
  }
  for (const field of ['name', 'email', 'note'] as const) {
    if (before[field] !== after[field]) changed[field] = 'changed'
  }
  return changed
}

/** Gives several candidates a room. */
export function changeCandidates(
  organiser: MemberInTest,
  { candidates, room }: BodyOf<typeof contract.changeCandidates>,
): Promise<{ changed: number }> {
  const { code, actor } = organiser
  return act(organiser, 'change-candidates', code, async (client) => {
    await requireAssessment(client, organiser)
    await holdCandidates(client, code, candidates)
    const spelled = await spellRoom(client, code, room, candidates)
    const { rowCount } = await client.query(
      `update candidates set room = $3, version = version + 1, changed_by = $4
       where assessment = $1 and id = any ($2::uuid[]) and not is_demo`,
      [code, candidates, spelled, actor],
    )
    const done = { changed: rowCount ?? 0 }
    return { result: done, detail: { ...done, room: spelled } }
  })
}
