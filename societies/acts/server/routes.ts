import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Api } from '../../../platform/server/api.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import { calledBy } from '../../access/server/reach.ts'
import { type MemberInTest, serveMembers } from '../../access/server/serve-members.ts'
import { read } from '../../kit/server/action.ts'
import * as contract from '../contract.ts'
import { changeTime, undoTime } from './change-time.ts'
import { listMessages, sendMessage, withdrawMessage } from './messages.ts'
import { previewTime } from './plan-time.ts'

/** Serves time, messages and strikes, which organizers change during the test (product 7.15). */
export function serveActs(api: Api, dependencies: AppDependencies): void {
  const serve = serveMembers(api, dependencies)

  serve(contract.previewTime, ({ organizer, body }) => previewTime(organizer, body))
  serve(contract.changeTime, ({ organizer, body }) => changeTime(organizer, body))
  serve(contract.endNow, ({ organizer, body: { to, reason } }) =>
    changeTime(organizer, { to, reason, kind: 'end_now', reopens: false }),
  )
  serve(contract.undoTime, ({ organizer, body }) => undoTime(organizer, body.requestId))

  const minutesTo = (candidate: string, seconds: number) => ({
    to: { candidates: [candidate], room: null },
    kind: 'give' as const,
    seconds,
    reopens: false,
  })
  serve(contract.previewMinutes, ({ organizer, params, body }) =>
    previewTime(organizer, minutesTo(params.candidate, body.seconds), contract.INVIGILATOR_SECONDS),
  )
  serve(contract.giveMinutes, ({ organizer, params, body: { seconds, reason } }) =>
    changeTime(
      organizer,
      { ...minutesTo(params.candidate, seconds), reason },
      contract.INVIGILATOR_SECONDS,
    ),
  )

  serve(contract.listMessages, ({ organizer }) => listMessages(organizer))
  serve(contract.sendMessage, ({ organizer, body }) => sendMessage(organizer, body))
  serve(contract.withdrawMessage, ({ organizer, body }) => withdrawMessage(organizer, body.ids))
  serve(contract.readStrikes, ({ organizer, body }) => readStrikes(organizer, body.to))
}

type Strike = ResponseOf<typeof contract.readStrikes>['strikes'][number]

const STRIKES_LIMIT = 2_000

/** Reads strikes in order, by minute, with those taken back. Exempt kinds are left out. */
function readStrikes(organizer: MemberInTest, to: contract.ActedTo) {
  return read(organizer, async (client) => {
    const { code } = await requireAssessment(client, organizer)
    const { rows } = await client.query<Strike & { id: string }>(
      // A strike ended the test if the test was submitted for strikes before the next strike.
      `select e.id::float8 as event, c.id, c.username, c.name, c.room, e.kind,
         e.detail ->> 'key' as key, date_trunc('minute', t.started_at + e.at_ms * interval '1 millisecond') as at,
         case when e.voided_at is not null then e.void_reason end as "takenBack",
         exists (select from attempt_events s where s.attempt_id = t.id and s.id > e.id
           and s.kind = 'submitted' and s.detail ->> 'reason' = 'violations'
           and not exists (select from attempt_events o where o.attempt_id = t.id and o.is_violation
             and o.id > e.id and o.id < s.id)) as "endedTest"
       from candidates c join attempts t on t.candidate_id = c.id
       join attempt_events e on e.attempt_id = t.id and e.is_violation
       where c.assessment = $1 and not c.is_demo and ($2::uuid[] is null or c.id = any ($2))
         and ($3::text is null or c.room = $3) and e.kind <> all (c.exempt_kinds)
       order by t.started_at + e.at_ms * interval '1 millisecond', e.id limit ${STRIKES_LIMIT}`,
      [code, to.candidates, to.room],
    )
    return {
      strikes: rows.map(({ id, ...one }) => ({ ...one, ...calledBy(organizer, id, one) })),
    }
  })
}
