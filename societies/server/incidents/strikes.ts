import { lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { countStrikes, restoreEvents, voidEvents } from '../../../assessments/server/event-store.ts'
import { COUNTED_KINDS, MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { act, type Client, type Organiser, requireReason } from '../action.ts'
import { type Place, requireAssessment } from '../assessments.ts'
import { refuse } from '../refuse.ts'

/**
 * Sets which kinds of events are kept but not counted for a candidate, those that came in before too
 * (product 7.3.5).
 * Errors: 400 nothing_to_exempt, 404 no_such_candidate.
 * @returns the strikes that count then
 */
export function exemptCandidate(
  organiser: Organiser,
  place: Place,
  candidateId: string,
  kinds: readonly string[],
): Promise<{ kinds: string[]; strikes: number }> {
  return act(organiser, 'exempt', place.code, async (client) => {
    const { code } = await requireAssessment(client, place)
    const isCounted = (kind: string) => (COUNTED_KINDS as readonly string[]).includes(kind)
    if (!kinds.every(isCounted)) {
      throw refuse(400, 'nothing_to_exempt', 'There is no such kind of event.')
    }
    const { rows } = await client.query<{ username: string; before: string[] }>(
      `select username, exempt_kinds as before from candidates
       where id = $1 and assessment = $2 and not is_demo for no key update`,
      [candidateId, code],
    )
    if (!rows[0]) {
      throw refuse(404, 'no_such_candidate', 'This candidate is no longer on the list.')
    }
    const given = [...new Set(kinds)]
    const [attempt] = await lockAttempts(client, code, candidateId)
    await client.query('update candidates set exempt_kinds = $2 where id = $1', [
      candidateId,
      given,
    ])
    return {
      result: { kinds: given, strikes: attempt ? await countStrikes(client, attempt.id) : 0 },
      detail: { ...rows[0], kinds: given },
    }
  })
}

export interface TakenBack {
  /** those that counted until now */
  events: number[]
  /** whose test was ended by strikes that stand no more */
  mayBeReopened: { id: string; username: string }[]
}

/**
 * Takes several strikes back, such as all of a minute in a room; what is taken back already stays so, and what
 * never counted is left out (product 7.15.7).
 * Errors: 400 reason_missing; 404 no_such_event where one is not of this assessment.
 */
export function takeStrikesBack(
  organiser: Organiser,
  place: Place,
  eventIds: readonly number[],
  reason: string,
): Promise<TakenBack> {
  return act(organiser, 'take-strikes-back', place.code, async (client) => {
    const why = requireReason(reason)
    const { code } = await requireAssessment(client, place)
    const rows = await holdEvents(client, code, eventIds)
    const events = await voidEvents(client, eventIds, why, organiser.now)
    const of = rows.filter(({ event }) => events.includes(event))
    const mayBeReopened: TakenBack['mayBeReopened'] = []
    const ended = new Map(
      of.filter(({ submitReason }) => submitReason === 'violations').map((one) => [one.id, one]),
    )
    for (const { id, username, attemptId } of ended.values()) {
      if ((await countStrikes(client, attemptId)) < MAX_VIOLATIONS) {
        mayBeReopened.push({ id, username })
      }
    }
    return {
      result: { events, mayBeReopened },
      detail: { events, reason: why, usernames: namesOf(of) },
    }
  })
}

/**
 * Lets strikes count again that were taken back (product 7.15.7).
 * Errors: 400 reason_missing, 404 no_such_event, 409 strikes_would_end where it would end a running test.
 */
export function restoreStrikes(
  organiser: Organiser,
  place: Place,
  eventIds: readonly number[],
  reason: string,
): Promise<number[]> {
  return act(organiser, 'restore-strikes', place.code, async (client) => {
    const why = requireReason(reason)
    const { code } = await requireAssessment(client, place)
    const rows = await holdEvents(client, code, eventIds)
    const events = await restoreEvents(client, eventIds)
    const open = new Map(
      rows.filter(({ submitReason }) => submitReason === null).map((one) => [one.attemptId, one]),
    )
    for (const { attemptId, username } of open.values()) {
      if ((await countStrikes(client, attemptId)) >= MAX_VIOLATIONS) {
        throw refuse(
          409,
          'strikes_would_end',
          `${username} is still taking the test, and these strikes would end it. Nothing was changed.`,
        )
      }
    }
    const of = rows.filter(({ event }) => events.includes(event))
    return { result: events, detail: { events, reason: why, usernames: namesOf(of) } }
  })
}

interface HeldEvent {
  event: number
  /** of the candidate */
  id: string
  username: string
  attemptId: string
  submitReason: string | null
}

/** Events with whose they are, whose attempts are held. Errors: 404 no_such_event. */
async function holdEvents(
  client: Client,
  code: string,
  eventIds: readonly number[],
): Promise<HeldEvent[]> {
  const { rows } = await client.query<{ event: number; id: string }>(
    `select e.id::float8 as event, c.id from attempt_events e
     join candidates c on c.id = e.candidate_id
     where e.id = any ($1::bigint[]) and c.assessment = $2 and e.attempt_id is not null`,
    [eventIds, code],
  )
  const known = new Set(rows.map(({ event }) => event))
  if (eventIds.some((event) => !known.has(event))) {
    throw refuse(404, 'no_such_event', 'This event is no longer here.')
  }
  const attempts = new Map(
    (await lockAttempts(client, code, [...new Set(rows.map(({ id }) => id))])).map((one) => [
      one.candidateId,
      one,
    ]),
  )
  return rows.flatMap(({ event, id }) => {
    const attempt = attempts.get(id)
    if (!attempt) return []
    const { username, submitReason } = attempt
    return [{ ...{ event, id, username, submitReason }, attemptId: attempt.id }]
  })
}

const namesOf = (held: readonly HeldEvent[]) => [...new Set(held.map(({ username }) => username))]
