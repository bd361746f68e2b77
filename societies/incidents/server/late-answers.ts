import { groupBy } from '../../../assessments/attempt-log.ts'
import { GRACE_MS } from '../../../assessments/deadline.ts'
import { acceptLateAnswers as storeAnswers } from '../../../assessments/server/answer-store.ts'
import { lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { recordAcceptedAnswer } from '../../../assessments/server/event-store.ts'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import { calledBy } from '../../access/server/reach.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import type { acceptLateAnswers as acceptCall, listLateAnswers } from '../../acts/contract.ts'
import { act, type Client, foresee, read, requireReason } from '../../kit/server/action.ts'
import {
  changedOnly,
  compareResults,
  type ResultChange,
  summarizeChanges,
} from './changed-results.ts'

/** A page tries at least once a minute (product 6.6.4): what an earlier outage held up came in time. */
const HELD_UP_MS = 60_000

type LateAnswers = Sendable<ResponseOf<typeof listLateAnswers>>

/** An answer that reached the server when the attempt was closed. */
export interface LateAnswer {
  event: number
  attemptId: string
  candidateId: string
  username: string
  /** what the society calls them; null where the list has none */
  name: string | null
  itemId: number
  /** number of the item in the table */
  item: number
  choice: string
  revision: number
  /** when the page's clock says it was chosen; null when the page didn't say */
  chosenAt: Date | null
  receivedAt: Date
  /** chosen while the clock ran and before the attempt was closed, by the page's clock; null: not told */
  isInTime: boolean | null
  /** the service was away, or a node stood still, when it should have come: what the page's clock tells may be believed */
  wasServiceAway: boolean
  /** the attempt has this choice, or a newer one, already */
  isOutdated: boolean
  /** the attempt was reopened and is still under way */
  isOpen: boolean
}

/** Lists answers that came after the end, by person, with the effect of accepting them. */
export async function previewLate(organizer: MemberInTest): Promise<LateAnswers> {
  const { code, now } = organizer
  const late = await read(organizer, async (client) => {
    await requireAssessment(client, organizer)
    return readLate(client, code, null, false)
  })
  const acceptable = newestAcceptable(late)
  const { changes } =
    acceptable.length === 0
      ? { changes: [] }
      : await foresee(organizer, (client) => acceptLateOf(client, code, null, now))
  return {
    people: [...groupBy(late, ({ candidateId }) => candidateId).values()].map((answers) => {
      const { candidateId: id, ...late } = answers[0] as LateAnswer
      return {
        ...{ id, ...calledBy(organizer, id, late) },
        answers: answers.map((one) => ({
          item: one.item,
          chosenAt: one.chosenAt,
          receivedAt: one.receivedAt,
          standing: acceptable.includes(one) ? 'counts' : standingOf(one),
        })),
      }
    }),
    acceptable: acceptable.length,
    changes: changes.filter(({ isDemo }) => !isDemo).length,
  }
}

/** Why a late answer would not count (product 7.5.4). */
function standingOf(one: LateAnswer) {
  if (one.isOpen) return 'open'
  if (one.isInTime === null) return 'unknown'
  if (!one.isInTime) return 'too_late'
  // An answer that is stored already, or a newer one, matters more than why this one came late.
  return one.isOutdated || one.wasServiceAway ? 'outdated' : 'not_held_up'
}

/** Counts the late answers that can count (product 7.15.8). Errors: 400 reason_missing. */
export function acceptLateAnswers(
  organizer: MemberInTest,
  { reason, candidate }: Pick<BodyOf<typeof acceptCall>, 'reason' | 'candidate'>,
): Promise<ResponseOf<typeof acceptCall>> {
  return act(organizer, 'accept-late', organizer.code, async (client) => {
    const why = requireReason(reason)
    const { code } = await requireAssessment(client, organizer, 'change')
    const { accepted, changes } = await acceptLateOf(client, code, candidate, organizer.now)
    return {
      result: { accepted, changes: changes.length },
      detail: { reason: why, accepted, changes: summarizeChanges(changes) },
    }
  })
}

/**
 * Counts the late answers that were chosen in time, were held up by an outage of the service, and are newer
 * than what is stored (product 7.5.4), in the caller's transaction, which can be one that is rolled back. Only
 * attempts that have something to count are held, and those are closed: nobody's save waits.
 * @param candidateId null for all
 */
export async function acceptLateOf(
  client: Client,
  code: string,
  candidateId: string | null,
  now: Date,
): Promise<{ accepted: number; changes: ResultChange[] }> {
  const find = async () => newestAcceptable(await readLate(client, code, candidateId, true))
  const ids = (await find()).map((one) => one.candidateId)
  const attempts = new Map((await lockAttempts(client, code, ids)).map((one) => [one.id, one]))
  // Read again now that nobody opens them: one that writes again decides by itself.
  const acceptable = (await find()).filter(({ attemptId }) => attempts.has(attemptId))
  const { results } = await compareResults(client, code, async () => {
    await storeAnswers(client, acceptable)
    for (const { attemptId, event, itemId: questionId, choice } of acceptable) {
      const attempt = attempts.get(attemptId)
      if (attempt) await recordAcceptedAnswer(client, attempt, { event, questionId, choice }, now)
    }
  })
  return { accepted: acceptable.length, changes: changedOnly(results) }
}

/** The newest that may be counted for each item; the page's clock is believed only after an outage. */
export function newestAcceptable(late: readonly LateAnswer[]): LateAnswer[] {
  const newest = new Map<string, LateAnswer>()
  for (const one of late) {
    if (one.isInTime !== true || !one.wasServiceAway || one.isOutdated || one.isOpen) continue
    const key = `${one.attemptId} ${one.itemId}`
    if ((newest.get(key)?.revision ?? -1) < one.revision) newest.set(key, one)
  }
  return [...newest.values()]
}

/** Late answers. In time: before the deadline, and before whatever closed the attempt. */
export async function readLate(
  client: Client,
  code: string,
  candidateId: string | null,
  withDemo: boolean,
): Promise<LateAnswer[]> {
  const { rows } = await client.query<LateAnswer>(
    `select late.id::float8 as event, late.attempt_id as "attemptId", c.id as "candidateId",
       c.username, c.name, i.id as "itemId",
       i.position as item, late.choice, late.revision,
       a.started_at + late.at_ms * interval '1 millisecond' as "chosenAt",
       late.received_at as "receivedAt",
       a.started_at + late.at_ms * interval '1 millisecond'
         < least(a.deadline_at, a.submitted_at) as "isInTime",
       exists (
         select from service_outages o
         where o.started_at <= a.deadline_at + ${GRACE_MS} * interval '1 ms'
           and o.ended_at >= a.started_at + late.at_ms * interval '1 millisecond'
           and o.ended_at >= late.closed_at - ${HELD_UP_MS} * interval '1 ms'
       ) as "wasServiceAway",
       coalesce(answer.revision >= late.revision, false) as "isOutdated",
       a.submitted_at is null as "isOpen"
     from (
       select e.id, e.attempt_id, e.at_ms, e.received_at, (e.detail->>'questionId')::int as item_id,
         e.detail->>'choice' as choice, (e.detail->>'revision')::int as revision,
         -- At what the clock had ended it then: it may have been reopened since.
         coalesce(t.started_at + interval '1 ms' * (
           select max(s.at_ms) from attempt_events s where s.attempt_id = e.attempt_id
             and s.kind = 'submitted' and s.received_at <= e.received_at), t.deadline_at) as closed_at
       from attempt_events e join attempts t on t.id = e.attempt_id where e.kind = 'late_answer'
     ) late
     join attempts a on a.id = late.attempt_id
     join candidates c on c.id = a.candidate_id
     join assessment_items i on i.id = late.item_id
     left join attempt_answers answer on answer.attempt_id = a.id and answer.item_id = i.id
     where a.assessment = $1 and ($2::uuid is null or c.id = $2) and ($3 or not a.is_demo)
     order by lower(c.username), late.id`,
    [code, candidateId, withDemo],
  )
  return rows
}

/** How many candidates have late answers that were not accepted, whether they could count or not (product 7.14.9). */
export async function countLateCandidates(client: Client, code: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from (
       select e.candidate_id from attempt_events e join candidates c on c.id = e.candidate_id
       where c.assessment = $1 and not c.is_demo and e.kind in ('late_answer', 'late_accepted')
       group by e.candidate_id
       having count(*) filter (where e.kind = 'late_answer')
         > count(*) filter (where e.kind = 'late_accepted')
     ) one`,
    [code],
  )
  return rows[0]?.count ?? 0
}

/** How many late answers could be counted, and are not (product 7.17.12). */
export const countAcceptableLate = async (client: Client, code: string): Promise<number> =>
  newestAcceptable(await readLate(client, code, null, false)).length
