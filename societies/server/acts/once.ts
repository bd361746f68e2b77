import { createHash } from 'node:crypto'
import type { Client, Done, Organiser } from '../action.ts'
import { OrganiserRefusal } from '../refusal.ts'

/** What is kept of a call that adds something. */
interface Kept<T> {
  /** of its body: the same key with another one is a mistake */
  body: string
  by: string | null
  answer: T
}

/**
 * Does something once for a key that its page made: the same call again has the same answer, and nothing is done
 * twice. The caller holds the assessment, so that of two at once the second one finds the first.
 * Errors: OrganiserRefusal key_used, of a key that was used for something else.
 */
export async function once<T extends object>(
  client: Client,
  { now, userId }: Organiser,
  call: { key: string; code: string; action: string; body: unknown },
  work: () => Promise<Done<T>>,
): Promise<Done<T>> {
  const { key, code, action } = call
  const body = createHash('sha256').update(JSON.stringify(call.body)).digest('hex')
  const { rows } = await client.query<{ assessment: string; action: string; answer: Kept<T> }>(
    'select assessment, action, answer from organiser_calls where id = $1',
    [key],
  )
  const [earlier] = rows
  if (earlier) {
    const isSame =
      earlier.assessment === code && earlier.action === action && earlier.answer.body === body
    if (!isSame || earlier.answer.by !== (userId ?? null)) {
      throw new OrganiserRefusal('key_used', {})
    }
    return { result: earlier.answer.answer, detail: { key, again: true } }
  }
  const done = await work()
  const kept: Kept<T> = { body, by: userId ?? null, answer: done.result }
  await client.query(
    `insert into organiser_calls (id, assessment, action, answer, created_at)
     values ($1, $2, $3, $4, $5)`,
    [key, code, action, JSON.stringify(kept), now],
  )
  return { ...done, detail: { ...done.detail, key } }
}

/** What was kept for a key, of this member alone; null for a key that nobody used, or somebody else. */
export async function readCall<T>(
  client: Client,
  { key, code, userId }: { key: string; code: string; userId: string | undefined },
): Promise<{ action: string; answer: T; at: Date } | null> {
  const { rows } = await client.query<{ action: string; answer: Kept<T>; at: Date }>(
    `select action, answer, created_at as at from organiser_calls
     where id = $1 and assessment = $2 and answer ->> 'by' = $3`,
    [key, code, userId ?? null],
  )
  const [row] = rows
  return row ? { action: row.action, answer: row.answer.answer, at: row.at } : null
}
