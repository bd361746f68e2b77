import { EMAIL } from '../../../accounts/email.ts'
import { lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { COUNTED_KINDS } from '../../../assessments/violations.ts'
import type { CandidateFacts } from '../../contract/candidates.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { type LastChange, staleError } from '../stale.ts'
import { stopMails } from './credentials.ts'
import { getCandidateFacts } from './list.ts'

/** What an organiser writes into a candidate's row. */
export type CandidateFields = Pick<
  CandidateFacts,
  'name' | 'email' | 'room' | 'note' | 'extraSeconds' | 'exemptKinds'
>

/**
 * Changes one candidate (product 7.10.6). The planned time is fixed once the attempt has begun; a mail that
 * waits for another address is stopped.
 * Errors: OrganiserRefusal; ApiError 409 stale when somebody has changed the candidate since `version` was read.
 */
export function changeCandidate(
  organiser: Organiser,
  code: string,
  id: string,
  { version, ...given }: CandidateFields & { version: number },
): Promise<CandidateFacts> {
  return act(organiser, 'change-candidate', code, async (client) => {
    await requireAssessment(client, code)
    const tidy = (text: string | null) => text?.normalize('NFC').trim() || null
    const fields = {
      ...given,
      name: tidy(given.name),
      email: tidy(given.email)?.toLowerCase() ?? null,
      room: await spellRoom(client, code, tidy(given.room), [id]),
      note: tidy(given.note),
    }
    if (fields.email !== null && !EMAIL.test(fields.email)) {
      throw new OrganiserRefusal('bad_address', { address: fields.email })
    }
    const unknown = fields.exemptKinds.find(
      (kind) => !(COUNTED_KINDS as readonly string[]).includes(kind),
    )
    if (unknown !== undefined) throw new OrganiserRefusal('nothing_to_exempt', {})
    const before = await requireCandidate(client, code, id)
    if (before.version !== version) {
      throw staleError(await readLastChange(client, code, before), organiser.now)
    }
    const [attempt] = await lockAttempts(client, code, id)
    if (attempt && fields.extraSeconds !== before.extraSeconds) {
      throw new OrganiserRefusal('has_started', { username: before.username })
    }
    await requireOwnAddress(client, code, id, fields.email)
    await client.query(
      `update candidates set name = $2, email = $3, room = $4, note = $5, extra_seconds = $6,
         exempt_kinds = $7, version = version + 1, changed_by = $8 where id = $1`,
      [
        ...[id, fields.name, fields.email, fields.room, fields.note, fields.extraSeconds],
        ...[[...new Set(fields.exemptKinds)], organiser.actor],
      ],
    )
    if (fields.email !== before.email) {
      const { now } = organiser
      await stopMails(client, code, [id], { now, reason: 'address_changed' })
    }
    const after = (await getCandidateFacts(client, code, id)) as CandidateFacts
    return {
      result: after,
      detail: { username: before.username, ...differences(before, after) },
    }
  })
}

/** Who changed a candidate last; when is in the log. */
async function readLastChange(
  client: Client,
  code: string,
  { changedBy, username }: CandidateFacts,
): Promise<LastChange> {
  const { rows } = await client.query<{ at: Date }>(
    `select at from admin_actions where assessment = $1 and actor = $2
       and (action = 'change-candidate' and detail ->> 'username' = $3 or action = 'change-candidates')
     order by id desc limit 1`,
    [code, changedBy, username],
  )
  return { by: changedBy, at: rows[0]?.at ?? null }
}

/** The row, held against other organisers. Errors: OrganiserRefusal. */
async function requireCandidate(client: Client, code: string, id: string): Promise<CandidateFacts> {
  await client.query('select from candidates where assessment = $1 and id = $2 for no key update', [
    code,
    id,
  ])
  const found = await getCandidateFacts(client, code, id)
  if (!found) throw new OrganiserRefusal('no_such_candidate', {})
  return found
}

/** One address is one person of a list. Errors: OrganiserRefusal. */
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
  if (rows[0]) throw new OrganiserRefusal('address_taken', { username: rows[0].username })
}

/**
 * A room as most others of the list have it: 'room a' and 'Room A' are one, or half of it is missing in each list
 * of a room (product 7.10.19). Who changes all of a room spells it anew.
 */
async function spellRoom(
  client: Client,
  code: string,
  room: string | null,
  ids: readonly string[],
): Promise<string | null> {
  const tidy = room?.replace(/\s+/g, ' ').trim() || null
  if (tidy === null) return null
  const { rows } = await client.query<{ room: string }>(
    `select room from candidates
     where assessment = $1 and lower(room) = lower($2) and id <> all ($3::uuid[]) and not is_demo
     group by room order by count(*) desc, room limit 1`,
    [code, tidy, ids],
  )
  return rows[0]?.room ?? tidy
}

/** What is another now, as before and after; of name, address and note only that they are. */
function differences(before: CandidateFacts, after: CandidateFacts): Record<string, unknown> {
  const changed: Record<string, unknown> = {}
  for (const field of ['room', 'extraSeconds', 'exemptKinds'] as const) {
    if (JSON.stringify(before[field]) !== JSON.stringify(after[field])) {
      changed[field] = [before[field], after[field]]
    }
  }
  for (const field of ['name', 'email', 'note'] as const) {
    if (before[field] !== after[field]) changed[field] = 'changed'
  }
  return changed
}

/** Gives several candidates a room. Errors: OrganiserRefusal. */
export function changeCandidates(
  organiser: Organiser,
  code: string,
  ids: readonly string[],
  room: string | null,
): Promise<{ changed: number }> {
  return act(organiser, 'change-candidates', code, async (client) => {
    await requireAssessment(client, code)
    // In one order, as everywhere.
    await client.query(
      `select from candidates where assessment = $1 and id = any ($2::uuid[]) and not is_demo
       order by id for no key update`,
      [code, ids],
    )
    const spelled = await spellRoom(client, code, room?.normalize('NFC') ?? null, ids)
    const { rowCount } = await client.query(
      `update candidates set room = $3, version = version + 1, changed_by = $4
       where assessment = $1 and id = any ($2::uuid[]) and not is_demo`,
      [code, ids, spelled, organiser.actor],
    )
    const done = { changed: rowCount ?? 0 }
    return { result: done, detail: { ...done, room: spelled } }
  })
}
