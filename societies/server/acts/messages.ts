import {
  type NewMessage,
  storeMessages,
  withdrawMessages,
} from '../../../assessments/server/message-store.ts'
import { nameRoom } from '../../role-words.ts'
import { act, type Client, type Organiser, read } from '../action.ts'
import { type Place, requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireInRoom, type To } from './own-room.ts'

/**
 * Writes to candidates: to one, to several, to a room or to all (product 7.15.6).
 * Errors: OrganiserRefusal.
 * @param room of a member who may write to one room alone
 */
export function sendMessage(
  organiser: Organiser,
  place: Place,
  { to, text }: { to: To; text: string },
  room: string | null,
): Promise<{ ids: number[]; text: string; inside: number }> {
  return act(organiser, 'message', place.code, async (client) => {
    // Held, so that numbers of messages grow in the order in which they can be read.
    const { code } = await requireAssessment(client, place, 'change')
    await requireInRoom(client, code, to, room)
    const { rows } = await client.query<{ id: string; username: string; isInside: boolean }>(
      `select c.id, c.username, t.id is not null as "isInside" from candidates c
       left join attempts t on t.candidate_id = c.id and t.submitted_at is null
       where c.assessment = $1 and not c.is_demo and ($2::uuid[] is null or c.id = any ($2))
         and ($3::text is null or c.room = $3)
       order by c.username`,
      [code, to.candidates, to.room],
    )
    if (to.candidates && rows.length === 0) throw new OrganiserRefusal('no_such_candidate', {})
    const messages: NewMessage[] = to.candidates
      ? rows.map(({ id }) => ({ room: null, candidateId: id, text }))
      : [{ room: to.room, candidateId: null, text }]
    const { now, actor } = organiser
    const ids = await storeMessages(client, code, messages, { sentBy: actor, now })
    const inside = rows.filter(({ isInside }) => isInside).length
    const whom = to.candidates
      ? { usernames: rows.map(({ username }) => username) }
      : to.room === null
        ? { to: 'all' }
        : { room: to.room }
    return { result: { ids, text, inside }, detail: { text, ids, inside, ...whom } }
  })
}

/**
 * Takes messages back: who has not read one never does (product 7.15.6).
 * Errors: OrganiserRefusal.
 * @returns how many stood until now
 */
export function withdrawMessage(
  organiser: Organiser,
  place: Place,
  ids: readonly number[],
  room: string | null,
): Promise<number> {
  return act(organiser, 'withdraw-message', place.code, async (client) => {
    const { code } = await requireAssessment(client, place, 'change')
    await requireOwnMessages(client, code, ids, room)
    const withdrawn = await withdrawMessages(client, code, ids, organiser.now)
    return { result: withdrawn, detail: { ids, withdrawn } }
  })
}

/** Errors: OrganiserRefusal not_your_room where one of them was for somebody outside the room. */
async function requireOwnMessages(
  client: Client,
  code: string,
  ids: readonly number[],
  room: string | null,
): Promise<void> {
  if (room === null) return
  const { rowCount } = await client.query(
    `select from candidate_messages m left join candidates c on c.id = m.candidate_id
     where m.assessment = $1 and m.id = any ($2::int[]) and coalesce(m.room, c.room) is distinct from $3
     limit 1`,
    [code, ids, room],
  )
  if (rowCount !== 0) throw new OrganiserRefusal('not_your_room', { room })
}

export interface SentMessage {
  ids: number[]
  text: string
  to: string
  at: Date
  by: string
  isWithdrawn: boolean
}

/** How many are listed, the newest. */
const LISTED_LIMIT = 50

/** What was written to candidates; one to several is one. @param room of a member who sees one room alone */
export function listMessages(
  organiser: Pick<Organiser, 'db'>,
  place: Place,
  room: string | null,
): Promise<SentMessage[]> {
  return read(organiser, async (client) => {
    const { code } = await requireAssessment(client, place)
    const { rows } = await client.query<
      Omit<SentMessage, 'to'> & { room: string | null; name: string | null; count: number }
    >(
      // Of one act and one text, in one moment, by one person.
      `select array_agg(m.id order by m.id) as ids, m.text, m.sent_at as at, m.sent_by as by,
         m.withdrawn_at is not null as "isWithdrawn", m.room,
         min(coalesce(c.name, c.username)) as name, count(c.id)::int as count
       from candidate_messages m left join candidates c on c.id = m.candidate_id
       where m.assessment = $1 and ($2::text is null or coalesce(m.room, c.room, $2) = $2)
       group by m.text, m.sent_at, m.sent_by, m.withdrawn_at, m.room, m.candidate_id is null
       order by max(m.id) desc limit ${LISTED_LIMIT}`,
      [code, room],
    )
    return rows.map(({ room: of, name, count, ...message }) => ({
      ...message,
      to: count > 1 ? `${count} candidates` : (name ?? (of === null ? 'everybody' : nameRoom(of))),
    }))
  })
}
