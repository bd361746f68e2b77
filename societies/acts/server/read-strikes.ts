import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { read } from '../../kit/server/action.ts'
import type { ActedTo, readStrikes as readStrikesCall } from '../contract.ts'

type Strikes = Sendable<ResponseOf<typeof readStrikesCall>>

/** How many strikes are listed; nobody reads a longer list. */
const LIMIT = 2_000

/** Strikes in their order, taken back or not, without the kinds that a candidate is exempt from. */
export function readStrikes(organiser: MemberInTest, to: ActedTo): Promise<Strikes> {
  return read(organiser, async (client) => {
    const { code } = await requireAssessment(client, organiser)
    const { rows: strikes } = await client.query<Strikes['strikes'][number]>(
      // A strike ended the test if the test was submitted for strikes after it and before the next one.
      `select e.id::float8 as event, c.id as candidate, c.username, c.name, c.room, e.kind,
         e.detail ->> 'key' as key, t.started_at + e.at_ms * interval '1 millisecond' as at,
         case when e.voided_at is not null then e.void_reason end as "takenBack",
         exists (select from attempt_events s where s.attempt_id = t.id and s.id > e.id
           and s.kind = 'submitted' and s.detail ->> 'reason' = 'violations'
           and not exists (select from attempt_events o where o.attempt_id = t.id and o.is_violation
             and o.id > e.id and o.id < s.id)) as "endedTest",
         t.submitted_at is not null as "isClosed"
       from candidates c join attempts t on t.candidate_id = c.id
       join attempt_events e on e.attempt_id = t.id and e.is_violation
       where c.assessment = $1 and not c.is_demo and ($2::uuid[] is null or c.id = any ($2))
         and ($3::text is null or c.room = $3) and e.kind <> all (c.exempt_kinds)
       order by at, e.id limit ${LIMIT}`,
      [code, to.candidates, to.room],
    )
    const only = to.candidates?.length === 1 ? to.candidates[0] : null
    const { rows } = await client.query<{ exemptKinds: string[] }>(
      'select exempt_kinds as "exemptKinds" from candidates where id = $1 and assessment = $2',
      [only, code],
    )
    return { strikes, exemptKinds: rows[0]?.exemptKinds ?? [] }
  })
}
