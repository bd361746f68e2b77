import sql from 'sql-template-tag'
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

/** A page retries at least once a minute (product 6.6.4), so answers arrive this soon after an outage. */
const HELD_UP_MS = 60_000

type LateAnswers = Sendable<ResponseOf<typeof listLateAnswers>>

/** An answer that reached the server after the attempt was closed. */
export interface LateAnswer {
  event: number
  attemptId: string
  candidateId: string
  username: string
  /** The candidate's name in the society's list; null if the list has none. */
  name: string | null
  itemId: number
  /** The item's number in the table. */
  item: number
  choice: string
  revision: number
  /** When the answer was chosen by the page's clock; null if the page didn't send it. */
  chosenAt: Date | null
  receivedAt: Date
  /** Whether it was chosen before the deadline and the close, by the page's clock; null if unknown. */
  isInTime: boolean | null
  /** Whether the service or a node was down when it was due. Only then is the page's clock trusted. */
  wasServiceAway: boolean
  /** Whether the attempt already has this choice or a newer one. */
  isOutdated: boolean
  /** Whether the attempt was reopened and is still running. */
  isOpen: boolean
}

/** Lists answers that arrived after the end, by person, with the effect of accepting them. */
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

/** Returns whether a late answer would count, or the reason it wouldn't (product 7.5.4). */
function standingOf(one: LateAnswer) {
  if (one.isOpen) return 'open'
  if (one.isInTime === null) return 'unknown'
  if (!one.isInTime) return 'too_late'
  // If this answer or a newer one is already stored, that matters more than why this one was late.
  return one.isOutdated || one.wasServiceAway ? 'outdated' : 'not_held_up'
}

/** Accepts the late answers that can count (product 7.15.8). Errors: 400 reason_missing. */
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
      detail: accepted === 0 ? null : { reason: why, accepted, changes: summarizeChanges(changes) },
    }
  })
}

/**
 * Accepts late answers that were chosen in time, were delayed by a service outage, and are newer than the stored ones
 * (product 7.5.4). It runs in the caller's transaction, which may be rolled back. It locks only closed attempts that
 * have something to accept, so no save waits.
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
  // Read again after locking, because an attempt that was reopened meanwhile must be left out.
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

/** Returns the newest acceptable answer for each item. The page's clock is trusted only after an outage. */
export function newestAcceptable(late: readonly LateAnswer[]): LateAnswer[] {
  const newest = new Map<string, LateAnswer>()
  for (const one of late) {
    if (one.isInTime !== true || !one.wasServiceAway || one.isOutdated || one.isOpen) continue
    const key = `${one.attemptId} ${one.itemId}`
    if ((newest.get(key)?.revision ?? -1) < one.revision) newest.set(key, one)
  }
  return [...newest.values()]
}

/** Reads late answers. An answer is in time if it was chosen before the deadline and before the attempt closed. */
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
         -- When the test closed before this answer arrived. It may have been reopened since.
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

/** Counts candidates with late answers that were not accepted, whether or not those could count (product 7.14.9). */
export async function countLateCandidates(client: Client, code: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    sql`select count(*)::int as count from (
       select e.candidate_id from attempt_events e join candidates c on c.id = e.candidate_id
       where c.assessment = ${code} and not c.is_demo and e.kind in ('late_answer', 'late_accepted')
       group by e.candidate_id
       having count(*) filter (where e.kind = 'late_answer')
         > count(*) filter (where e.kind = 'late_accepted')
     ) one`,
  )
  return rows[0]?.count ?? 0
}

/** Counts late answers that could be accepted and have not been (product 7.17.12). */
export const countAcceptableLate = async (client: Client, code: string): Promise<number> =>
  newestAcceptable(await readLate(client, code, null, false)).length
