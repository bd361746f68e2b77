import type { Client } from '../action.ts'

/** How long each question was looked at, milliseconds, by attempt and item; whoever told nothing is not in it. */
export type Dwell = ReadonlyMap<string, ReadonlyMap<number, number>>

/**
 * What pages told with their saves of how long a question was visible since the last one: `dwell` of a saved
 * event, [{ item, ms }]. Attempts of pages that do not tell are left out.
 */
export async function readDwell(client: Client, codes: readonly string[]): Promise<Dwell> {
  const { rows } = await client.query<{ attemptId: string; item: number; ms: number }>(
    `select e.attempt_id as "attemptId", look.item, sum(look.ms)::float8 as ms
     from attempts t join attempt_events e on e.attempt_id = t.id
     cross join lateral jsonb_to_recordset(
       case when jsonb_typeof(e.detail -> 'dwell') = 'array' then e.detail -> 'dwell' end
     ) as look (item int, ms float8)
     where t.assessment = any ($1::text[]) and not t.is_demo and t.submitted_at is not null
       and e.kind = 'saved' and look.ms >= 0
     group by e.attempt_id, look.item`,
    [codes],
  )
  const dwell = new Map<string, Map<number, number>>()
  for (const { attemptId, item, ms } of rows) {
    const of = dwell.get(attemptId) ?? new Map<number, number>()
    dwell.set(attemptId, of.set(item, ms))
  }
  return dwell
}
