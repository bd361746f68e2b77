import type pg from 'pg'
import { fieldLists } from '../../platform/database/database.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { describeError } from '../../platform/server/log.ts'

type Client = Pick<pg.Pool, 'query'>

const SHOWN_LIMIT = 20

interface ReadMessage {
  id: number
  text: string
  sentAt: Date
}

/** A message for one candidate, for a room, or for all if both are null. */
interface NewMessage {
  room: string | null
  candidateId: string | null
  text: string
}

/** Stores messages to candidates of an assessment, which the caller has locked. @returns their ids, in order */
export async function storeMessages(
  client: Client,
  code: string,
  messages: readonly NewMessage[],
  { sentBy, now }: { sentBy: string; now: Date },
): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `insert into candidate_messages (assessment, room, candidate_id, text, sent_at, sent_by)
     select $1, room, candidate_id, text, $5, $6
     from unnest($2::text[], $3::uuid[], $4::text[]) as message (room, candidate_id, text)
     returning id`,
    [code, ...fieldLists(messages, 'room', 'candidateId', 'text'), now, sentBy],
  )
  return rows.map(({ id }) => id)
}

/** Withdraws messages. Candidates who have not read them never will. @returns how many were not withdrawn before */
export async function withdrawMessages(
  client: Client,
  code: string,
  ids: readonly number[],
  now: Date,
): Promise<number> {
  const { rowCount } = await client.query(
    `update candidate_messages set withdrawn_at = $3
     where assessment = $1 and id = any ($2::int[]) and withdrawn_at is null`,
    [code, ids, now],
  )
  return rowCount ?? 0
}

/** The messages for a candidate, newest first, and the number of the assessment's newest message. */
export async function readMessagesFor(
  client: Client,
  code: string,
  candidateId: string,
): Promise<{ newest: number; messages: ReadMessage[] }> {
  const { rows } = await client.query<ReadMessage & { newest: number }>({
    name: 'messages-for-candidate',
    text: `
      with newest as (
        select coalesce(max(id), 0) as newest from candidate_messages where assessment = $1
      ), mine as (
        select m.id, m.text, m.sent_at from candidate_messages m join candidates c on c.id = $2
        where m.assessment = $1 and m.candidate_id is null and (m.room is null or m.room = c.room)
          and m.withdrawn_at is null
        union all
        select id, text, sent_at from candidate_messages
        where candidate_id = $2 and withdrawn_at is null
        order by id desc limit ${SHOWN_LIMIT}
      )
      select newest, id, text, sent_at as "sentAt" from newest left join mine on true
      order by id desc`,
    values: [code, candidateId],
  })
  return {
    newest: rows[0]?.newest ?? 0,
    messages: rows.flatMap(({ id, text, sentAt }) => (id === null ? [] : [{ id, text, sentAt }])),
  }
}

/** How long the number of the newest message is cached, milliseconds. */
const FRESH_MS = 1_000
/** Maximum assessments in a node's cache, which is cleared when full. */
const KNOWN_LIMIT = 1_000

/** Tells each save whether there is a message. The newest number is cached for a second (decision 026). */
export function createNews({
  db,
  log,
  newsMs = FRESH_MS,
}: Pick<AppDependencies, 'db' | 'log' | 'newsMs'>): {
  newsOf: (code: string) => News
} {
  const known = new Map<string, { newest: number; askedAt: number }>()

  function ask(code: string, askedAt: number): void {
    const before = known.get(code)?.newest ?? 0
    if (known.size >= KNOWN_LIMIT) known.clear()
    known.set(code, { newest: before, askedAt })
    db.$client
      .query<{ newest: number }>({
        name: 'newest-message',
        text: 'select coalesce(max(id), 0) as newest from candidate_messages where assessment = $1',
        values: [code],
      })
      .then(({ rows }) => known.set(code, { newest: rows[0]?.newest ?? 0, askedAt }))
      // A save never fails because of this query. The next save repeats it.
      .catch((error) => log.warn({ error: describeError(error) }, 'newest message not read'))
  }

  return {
    newsOf(code) {
      // Caching uses the process's own clock, because it is not a product rule.
      const askedAt = performance.now()
      const found = known.get(code)
      if (!found || askedAt - found.askedAt >= newsMs) ask(code, askedAt)
      return found && found.newest > 0 ? { news: found.newest } : {}
    },
  }
}

/** A part of a response. Empty if there are no messages. */
type News = { news?: number }
