import type { Client } from '../action.ts'
import { COMMENTED, DECIDED, REPORTED } from './simulated-incidents.ts'

const HOUR_MS = 3_600_000

/** What helpers wrote, reviewers decided and candidates told; in the order of the season's people. */
export async function storeVerdicts(
  client: Client,
  code: string,
  seats: readonly { id: string }[],
  { opensAt, durationSeconds }: { opensAt: Date; durationSeconds: number },
): Promise<void> {
  const idOf = (index: number) => seats[index]?.id
  const decided = DECIDED.map(({ index, ...one }) => ({ ...one, candidate: idOf(index) }))
  await client.query(
    `insert into incident_verdicts (id, candidate_id, incident, verdict, reason, decided_by, decided_at)
     select gen_random_uuid(), d.candidate, 'event:' || e.id, d.verdict, d.reason, $2, $3
     from jsonb_to_recordset($1) as d (candidate uuid, strike int, verdict text, reason text)
     join lateral (
       select id, row_number() over (order by id) as strike from attempt_events
       where candidate_id = d.candidate and is_violation
     ) e on e.strike = d.strike`,
    [JSON.stringify(decided), REVIEWER, new Date(opensAt.getTime() + 26 * HOUR_MS)],
  )
  const reported = REPORTED.map(({ index, share, ...one }) => ({
    ...{ ...one, candidate: index === null ? null : idOf(index) },
    at: new Date(opensAt.getTime() + share * durationSeconds * 1000),
  }))
  await client.query(
    `insert into incident_reports (id, assessment, candidate_id, room, happened_at, note, reported_by,
       reported_at)
     select gen_random_uuid(), $2, candidate, room, at, note, $3, at
     from jsonb_to_recordset($1) as r (candidate uuid, room text, at timestamptz, note text)`,
    [JSON.stringify(reported), code, HELPER],
  )
  const commented = COMMENTED.map(({ index, text }) => ({ text, candidate: idOf(index) }))
  await client.query(
    `insert into attempt_comments (attempt_id, text, written_at)
     select a.id, c.text, a.submitted_at + interval '2 hours'
     from jsonb_to_recordset($1) as c (candidate uuid, text text)
     join attempts a on a.candidate_id = c.candidate`,
    [JSON.stringify(commented)],
  )
}
export const REVIEWER = 'Iris Vaz (invented)'
export const HELPER = 'Dev Malik (invented)'
