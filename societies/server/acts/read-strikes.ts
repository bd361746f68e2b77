import { type Organiser, read } from '../action.ts'
import { type Place, requireAssessment } from '../assessments.ts'
import type { To } from './own-room.ts'

export interface ShownStrike {
  event: number
  candidate: string
  username: string
  name: string | null
  room: string | null
  kind: string
  /** of a shortcut */
  key: string | null
  /** by the page's clock */
  at: Date
  /** why; null: it counts */
  takenBack: string | null
  /** the test was handed in by it, though it may go on since */
  endedTest: boolean
  /** the attempt */
  isClosed: boolean
}

/** How many are shown; more than that is no list that somebody reads. */
const LIMIT = 2_000

/** What counted against candidates, in its order; also what was taken back, and not what they are exempt from. */
export function readStrikes(
  organiser: Pick<Organiser, 'db'>,
  place: Place,
  to: To,
): Promise<{ strikes: ShownStrike[]; exemptKinds: string[] }> {
  return read(organiser, async (client) => {
    const { code } = await requireAssessment(client, place)
    const { rows } = await client.query<ShownStrike>(
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
    const [only] = to.candidates?.length === 1 ? to.candidates : []
    const exempt = await client.query<{ kinds: string[] }>(
      'select exempt_kinds as kinds from candidates where id = $1 and assessment = $2',
      [only ?? null, code],
    )
    return { strikes: rows, exemptKinds: exempt.rows[0]?.kinds ?? [] }
  })
}
