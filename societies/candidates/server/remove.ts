import { requireAssessment } from '../../access/server/assessments.ts'
import { act, type Organiser } from '../../kit/server/action.ts'
import { stopMails } from './credentials.ts'

/**
 * Takes candidates off the list. Those who have started are shut out at once instead: the attempt stays and is
 * closed at its deadline (product 7.10.13).
 */
export function removeCandidates(
  organiser: Organiser & { code: string },
  ids: readonly string[],
): Promise<{ removed: number; shutOut: number }> {
  const { code, now } = organiser
  return act(organiser, 'remove-candidates', code, async (client) => {
    await requireAssessment(client, organiser)
    // Held against starts too, so that a candidate who is just starting has either started or is gone.
    await client.query(
      `select from candidates where assessment = $1 and id = any ($2::uuid[]) order by id for update`,
      [code, ids],
    )
    const { rows } = await client.query<{ id: string; username: string; hasStarted: boolean }>(
      `select c.id, c.username,
         exists (select from attempts t where t.candidate_id = c.id) as "hasStarted"
       from candidates c
       where c.assessment = $1 and c.id = any ($2::uuid[]) and not c.is_demo`,
      [code, ids],
    )
    const started = rows.filter(({ hasStarted }) => hasStarted).map(({ id }) => id)
    const gone = rows.filter(({ hasStarted }) => !hasStarted).map(({ id }) => id)
    await stopMails(client, code, [...started, ...gone], { now, reason: 'shut_out' })
    await client.query(
      'update candidates set revoked_at = coalesce(revoked_at, $2) where id = any ($1)',
      [started, now],
    )
    await client.query('delete from candidate_tokens where candidate_id = any ($1)', [started])
    // Numbers are fixed since the first start: a removed candidate leaves the place empty (product 7.16.12).
    await client.query(
      `insert into removed_candidates (candidate_id, assessment, created_at)
       select c.id, c.assessment, c.created_at from candidates c
       where c.id = any ($2)
         and exists (select from attempts a where a.assessment = $1 and not a.is_demo)`,
      [code, gone],
    )
    await client.query('delete from candidates where id = any ($1)', [gone])
    const usernames = rows.map(({ username }) => username)
    const done = { removed: gone.length, shutOut: started.length }
    return { result: done, detail: { ...done, usernames } }
  })
}
