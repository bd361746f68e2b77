import { nameOf } from '../../../accounts/person.ts'
import { PRESENCE_MS } from '../../contract/questions.ts'
import type { Client } from '../action.ts'
import type { Place } from './stored.ts'

/**
 * Notes at which question a member is, and tells who else was there within the last half minute (product 7.9.10).
 * It is a notice and locks nothing.
 * @param questionId null for no question
 */
export async function beThere(
  client: Client,
  { code }: Place,
  { userId, questionId, now }: { userId: string; questionId: string | null; now: Date },
): Promise<{ name: string; questionId: string | null }[]> {
  await client.query(
    `insert into question_presence (assessment, user_id, question_id, seen_at) values ($1, $2, $3, $4)
     on conflict (assessment, user_id)
     do update set question_id = excluded.question_id, seen_at = excluded.seen_at`,
    [code, userId, questionId, now],
  )
  const { rows } = await client.query<{ email: string | null; questionId: string | null }>(
    `select u.email, p.question_id as "questionId"
     from question_presence p join users u on u.id = p.user_id
     where p.assessment = $1 and p.user_id <> $2 and p.seen_at > $3
     order by p.seen_at desc limit 20`,
    [code, userId, new Date(now.getTime() - PRESENCE_MS)],
  )
  return rows.map(({ email, questionId: at }) => ({ name: nameOf(email), questionId: at }))
}
