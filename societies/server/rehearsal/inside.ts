import type pg from 'pg'

export interface Inside {
  username: string
  name: string | null
  room: string | null
  /** verified: has signed in with the credentials, and not started */
  where: 'absent' | 'verified' | 'running' | 'submitted'
  answered: number
  /** questions of the paper, 0 before the start */
  total: number
  strikes: number
  lastSavedAt: Date | null
  deadlineAt: Date | null
  submittedAt: Date | null
  submitReason: string | null
}

/**
 * Where the candidates of an assessment are and how far: what a page that watches a test asks every few
 * seconds. It reads no event but the strikes, and whether somebody who has not started has signed in.
 * @param people 'listed': the roster; 'demo': demo and simulated candidates
 */
export async function readInside(
  client: Pick<pg.Pool, 'query'>,
  code: string,
  people: 'listed' | 'demo',
): Promise<Inside[]> {
  const { rows } = await client.query<Inside>(
    `select c.username, c.name, c.room,
       case when t.submitted_at is not null then 'submitted' when t.id is not null then 'running'
         when exists (select from attempt_events e where e.candidate_id = c.id and e.kind = 'verified')
           then 'verified' else 'absent' end as where,
       coalesce(cardinality(t.paper), 0) as total, coalesce(saved.count, 0) as answered,
       saved.last as "lastSavedAt", coalesce(attempt_strikes(t.id), 0) as strikes,
       t.deadline_at as "deadlineAt", t.submitted_at as "submittedAt", t.submit_reason as "submitReason"
     from candidates c left join attempts t on t.candidate_id = c.id
     left join lateral (
       select count(*)::int as count, max(saved_at) as last from attempt_answers s where s.attempt_id = t.id
     ) saved on true
     where c.assessment = $1 and c.is_demo = $2 and (c.revoked_at is null or t.id is not null)
     order by lower(c.username)`,
    [code, people === 'demo'],
  )
  return rows
}
