import sql from 'sql-template-tag'
import { storeMessages, withdrawMessages } from '../../../assessments/server/message-store.ts'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import { notYourRoom } from '../../access/server/reach.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { nameRoom } from '../../kit/role-words.ts'
import { act, read } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import type * as contract from '../contract.ts'

/** Sends a message to selected candidates, a room or all (product 7.15.6). Errors: 404 no_such_candidate. */
export function sendMessage(
  organizer: MemberInTest,
  { to, text }: { to: contract.ActedTo; text: string },
): Promise<ResponseOf<typeof contract.sendMessage>> {
  return act(organizer, 'message', organizer.code, async (client) => {
    // The lock keeps message ids in the order in which candidates can read them.
    const { code } = await requireAssessment(client, organizer, 'change')
    const { rows } = await client.query<{ id: string; username: string; isInside: boolean }>(
      sql`select c.id, c.username, t.id is not null as "isInside" from candidates c
       left join attempts t on t.candidate_id = c.id and t.submitted_at is null
       where c.assessment = ${code} and not c.is_demo
       and (${to.candidates}::uuid[] is null or c.id = any (${to.candidates}))
         and (${to.room}::text is null or c.room = ${to.room})
       order by c.username`,
    )
    if (to.candidates && rows.length === 0) {
      throw refuse(404, 'no_such_candidate', 'This candidate is no longer on the list.')
    }
    const { now, actor } = organizer
    const whom = to.candidates
      ? { usernames: rows.map(({ username }) => username) }
      : to.room === null
        ? { to: 'all' }
        : { room: to.room }
    const messages = to.candidates
      ? rows.map(({ id }) => ({ room: null, candidateId: id, text }))
      : [{ room: to.room, candidateId: null, text }]
    const ids = await storeMessages(client, code, messages, { sentBy: actor, now })
    const inside = rows.filter(({ isInside }) => isInside).length
    return { result: { ids, text, inside }, detail: { text, ids, inside, ...whom } }
  })
}

/** Withdraws messages. Recipients who haven't read them no longer can (product 7.15.6). Errors: 403 not_your_room. */
export function withdrawMessage(
  organizer: MemberInTest,
  ids: readonly number[],
): Promise<{ withdrawn: number }> {
  return act(organizer, 'withdraw-message', organizer.code, async (client) => {
    const { code } = await requireAssessment(client, organizer, 'change')
    const { room } = organizer
    if (room !== null) {
      const { rowCount } = await client.query(
        sql`select from candidate_messages m left join candidates c on c.id = m.candidate_id
         where m.assessment = ${code} and m.id = any (${ids}::int[])
           and coalesce(m.room, c.room) is distinct from ${room}
         limit 1`,
      )
      if (rowCount !== 0) throw notYourRoom(room)
    }
    const withdrawn = await withdrawMessages(client, code, ids, organizer.now)
    return { result: { withdrawn }, detail: withdrawn === 0 ? null : { ids, withdrawn } }
  })
}

const LISTED_LIMIT = 50

/** Lists messages to candidates, newest first. A message to several candidates is one entry. */
export function listMessages(
  organizer: MemberInTest,
): Promise<Sendable<ResponseOf<typeof contract.listMessages>>> {
  return read(organizer, async (client) => {
    const { code } = await requireAssessment(client, organizer)
    const { rows } = await client.query<{
      ids: number[]
      text: string
      at: Date
      by: string
      isWithdrawn: boolean
      room: string | null
      name: string | null
      count: number
    }>(
      // Rows with the same text, time and author were sent together.
      `select array_agg(m.id order by m.id) as ids, m.text, m.sent_at as at, m.sent_by as by,
         m.withdrawn_at is not null as "isWithdrawn", m.room,
         min(coalesce(c.name, c.username)) as name, count(c.id)::int as count
       from candidate_messages m left join candidates c on c.id = m.candidate_id
       where m.assessment = $1 and ($2::text is null or coalesce(m.room, c.room, $2) = $2)
       group by m.text, m.sent_at, m.sent_by, m.withdrawn_at, m.room, m.candidate_id is null
       order by max(m.id) desc limit ${LISTED_LIMIT}`,
      [code, organizer.room],
    )
    const toOf = (room: string | null) => (room === null ? 'everybody' : nameRoom(room))
    return {
      messages: rows.map(({ room, name, count, ...message }) => ({
        ...message,
        to: count > 1 ? `${count} candidates` : (name ?? toOf(room)),
      })),
    }
  })
}
