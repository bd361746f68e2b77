import type { Client } from './action.ts'
import { type AttemptFacts, type FactEvent, type Mark, marksOf } from './marks.ts'

/** Attempts whose events are read at once: of a season they are hundreds of thousands. */
const ATTEMPTS_PAGE = 200

/**
 * What to look at in each attempt, in words to be said by describeMark (product 6.8.19).
 * @param candidateId of one candidate; null for all of the assessment
 * @returns by attempt; those without any are left out
 */
export async function readMarks(
  client: Client,
  code: string,
  candidateId: string | null = null,
): Promise<Map<string, Mark[]>> {
  const { rows: attempts } = await client.query<{ id: string }>(
    `select id from attempts
     where assessment = $1 and ($2::uuid is null or candidate_id = $2) order by id`,
    [code, candidateId],
  )
  const shared = {
    wordsOf: await readWords(client, code),
    hasHeartbeats: await hasBeat(client, code),
  }
  const marks = new Map<string, Mark[]>()
  for (let at = 0; at < attempts.length; at += ATTEMPTS_PAGE) {
    const ids = attempts.slice(at, at + ATTEMPTS_PAGE).map(({ id }) => id)
    for (const [id, events] of await readEvents(client, ids)) {
      const found = marksOf({ events, ...shared })
      if (found.length > 0) marks.set(id, found)
    }
  }
  return marks
}

async function readEvents(
  client: Client,
  ids: readonly string[],
): Promise<Map<string, FactEvent[]>> {
  const { rows } = await client.query<FactEvent & { attemptId: string }>(
    `select e.attempt_id as "attemptId", e.kind, e.window_id as "windowId", e.number, e.detail,
       coalesce(e.at_ms, 0)::float8 as "atMs", e.user_id as "userId", e.address, e.agent,
       extract(epoch from e.received_at - a.started_at)::float8 * 1000 as "heardMs"
     from attempt_events e join attempts a on a.id = e.attempt_id
     where e.attempt_id = any ($1) and e.kind <> 'late_answer' order by e.id`,
    [ids],
  )
  const eventsOf = new Map<string, FactEvent[]>()
  for (const { attemptId, ...event } of rows) {
    const own = eventsOf.get(attemptId)
    if (own) own.push(event)
    else eventsOf.set(attemptId, [event])
  }
  return eventsOf
}

async function readWords(client: Client, code: string): Promise<AttemptFacts['wordsOf']> {
  const { rows } = await client.query<{ id: number; question: string }>(
    'select id, question from assessment_items where assessment = $1',
    [code],
  )
  return new Map(rows.map(({ id, question }) => [id, question.trim().split(/\s+/).length]))
}

async function hasBeat(client: Client, code: string): Promise<boolean> {
  const { rows } = await client.query<{ has: boolean }>(
    `select exists (
       select from attempt_events e join attempts a on a.id = e.attempt_id
       where a.assessment = $1 and e.kind = 'heartbeat'
     ) as has`,
    [code],
  )
  return rows[0]?.has ?? false
}
