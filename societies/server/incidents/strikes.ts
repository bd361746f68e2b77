import { lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { countStrikes, restoreEvents, voidEvents } from '../../../assessments/server/event-store.ts'
import { type COUNTED_KINDS, MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { act, type Client, type Organiser, requireReason } from '../action.ts'
import { type Place, requireAssessment } from '../assessments.ts'
import { OrganiserRefusal } from '../refusal.ts'
import { requireOnRoster } from '../roster.ts'

/** What is counted for those who are not exempt from it. */
export type CountedKind = (typeof COUNTED_KINDS)[number]

export interface StrikesChange {
  before: number
  after: number
  /** the attempt was ended by strikes that no longer stand */
  mayBeReopened: boolean
}

/**
 * Kinds of events that are kept but no longer counted for a candidate, those that came in before too
 * (product 7.3.5).
 * Errors: OrganiserRefusal.
 * @param change.add besides those exempt so far; with clear, instead of them
 */
export function exemptCandidate(
  organiser: Organiser,
  code: string,
  username: string,
  change: { add: readonly CountedKind[]; clear?: boolean },
): Promise<{ username: string; kinds: string[]; strikes: StrikesChange | null }> {
  return act(organiser, 'exempt', code, async (client) => {
    await requireAssessment(client, code)
    if (change.add.length === 0 && !change.clear)
      throw new OrganiserRefusal('nothing_to_exempt', {})
    const candidate = await requireOnRoster(client, code, username)
    const kinds = [...new Set([...(change.clear ? [] : candidate.exemptKinds), ...change.add])]
    const [attempt] = await lockAttempts(client, code, candidate.id)
    const before = attempt ? await countStrikes(client, attempt.id) : 0
    await client.query('update candidates set exempt_kinds = $2 where id = $1', [
      candidate.id,
      kinds,
    ])
    const after = attempt ? await countStrikes(client, attempt.id) : 0
    const mayBeReopened = attempt?.submitReason === 'violations' && after < MAX_VIOLATIONS
    return {
      result: {
        username: candidate.username,
        kinds,
        strikes: attempt ? { before, after, mayBeReopened } : null,
      },
      detail: { username: candidate.username, kinds, before: candidate.exemptKinds },
    }
  })
}

interface EventRow {
  id: number
  kind: string
  isViolation: boolean
  voidedAt: Date | null
  candidateId: string
  username: string
}

/**
 * Takes a strike back: the event stays, with the reason, and counts no more (product 7.4.4).
 * Errors: OrganiserRefusal.
 */
export function voidEvent(
  organiser: Organiser,
  code: string,
  eventId: number,
  reason: string,
): Promise<StrikesChange & { username: string; kind: string }> {
  return act(organiser, 'void-event', code, async (client) => {
    const why = requireReason(reason)
    await requireAssessment(client, code)
    const { rows } = await client.query<EventRow>(
      `select e.id::float8 as id, e.kind, e.is_violation as "isViolation", e.voided_at as "voidedAt",
         c.id as "candidateId", c.username
       from attempt_events e join candidates c on c.id = e.candidate_id
       where e.id = $1 and c.assessment = $2`,
      [eventId, code],
    )
    const [event] = rows
    if (!event) throw new OrganiserRefusal('no_such_event', { assessment: code, event: eventId })
    const [attempt] = await lockAttempts(client, code, event.candidateId)
    if (!event.isViolation || !attempt) {
      throw new OrganiserRefusal('event_not_counted', { event: eventId, kind: event.kind })
    }
    const before = await countStrikes(client, attempt.id)
    if ((await voidEvents(client, [eventId], why, organiser.now)).length === 0) {
      throw new OrganiserRefusal('already_taken_back', { event: eventId })
    }
    const after = await countStrikes(client, attempt.id)
    return {
      result: {
        username: event.username,
        kind: event.kind,
        before,
        after,
        mayBeReopened: attempt.submitReason === 'violations' && after < MAX_VIOLATIONS,
      },
      detail: { username: event.username, event: event.id, kind: event.kind, reason: why },
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
 * Errors: OrganiserRefusal; no_such_event where one is not of this assessment.
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
 * Errors: OrganiserRefusal; no_such_event, and strikes_would_end where somebody writes whom three would end.
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
        throw new OrganiserRefusal('strikes_would_end', { username })
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

/** Events with whose they are, whose attempts are held. Errors: OrganiserRefusal no_such_event. */
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
  const unknown = eventIds.find((event) => !known.has(event))
  if (unknown !== undefined) {
    throw new OrganiserRefusal('no_such_event', { assessment: code, event: unknown })
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
