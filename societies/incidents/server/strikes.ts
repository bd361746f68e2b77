import sql from 'sql-template-tag'
import { type LockedAttempt, lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { countStrikes, restoreEvents, voidEvents } from '../../../assessments/server/event-store.ts'
import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import { calledBy } from '../../access/server/reach.ts'
import type { MemberInTest, OrganizerInTest } from '../../access/server/serve-members.ts'
import { act, type Client, requireReason } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { findIncidents, lockCandidates, type NamedIncident } from './decide.ts'
import { standingVerdict } from './read-incidents.ts'

/**
 * Takes strikes back, such as all of one minute in a room. Events that don't count are left out (product 7.15.7).
 * Errors: 400 reason_missing; 404 no_such_event if an event is not in this test.
 * @returns the events that counted until now, and candidates whose test ended by strikes that no longer count
 */
export function takeStrikesBack(
  organizer: OrganizerInTest,
  eventIds: readonly number[],
  reason: string,
): Promise<{ events: number[]; mayBeReopened: { id: string; username: string }[] }> {
  return act(organizer, 'take-strikes-back', organizer.code, async (client) => {
    const why = requireReason(reason)
    const held = await holdEvents(client, organizer, eventIds)
    const events = await voidEvents(client, eventIds, why, organizer.now)
    const touched = held.filter((one) => one.events.some((event) => events.includes(event)))
    const freed = await closedWithTooFew(client, touched)
    return {
      result: {
        events,
        mayBeReopened: freed.map(({ candidateId: id, username }) => ({
          ...{ id, username: calledBy(organizer, id, { username }).username },
        })),
      },
      detail: detailOf(events, why, touched),
    }
  })
}

/** Restores strikes (product 7.15.7). Errors: 400 reason_missing; 404 no_such_event; 409 strikes_would_end. */
export function restoreStrikes(
  organizer: OrganizerInTest,
  eventIds: readonly number[],
  reason: string,
): Promise<number[]> {
  return act(organizer, 'restore-strikes', organizer.code, async (client) => {
    const why = requireReason(reason)
    const held = await holdEvents(client, organizer, eventIds)
    const events = await restoreEvents(client, eventIds)
    await requireNoEnd(client, held, (one) => calledBy(organizer, one.candidateId, one).username)
    const touched = held.filter((one) => one.events.some((event) => events.includes(event)))
    return { result: events, detail: detailOf(events, why, touched) }
  })
}

/** Returns null if nothing changed. */
const detailOf = (events: readonly number[], reason: string, of: readonly LockedAttempt[]) =>
  events.length === 0 ? null : { events, reason, usernames: of.map(({ username }) => username) }

/**
 * Takes back the strikes of cleared incidents with the verdict's reason, so that a cleared candidate is not 'cheated'
 * in the results (product 7.16.14). The log uses numbers, because names may be hidden.
 * Errors: 404 not_found; 409 stale if an incident is no longer cleared or its strike doesn't count.
 */
export function takeClearedStrikesBack(
  organizer: MemberInTest,
  named: readonly NamedIncident[],
): Promise<{ takenBack: number; mayBeReopened: number }> {
  return act(organizer, 'take-strikes-back', organizer.code, async (client) => {
    const { attempts, held } = await holdIncidents(client, organizer, named)
    const events: number[] = []
    const reasons = new Set<string>()
    for (const { found } of held) {
      const standing = standingVerdict(found.verdicts)
      if (standing?.verdict !== 'cleared' || found.strike?.standing !== 'stands') throw stale()
      reasons.add(standing.reason)
      events.push(...(await voidEvents(client, found.events, standing.reason, organizer.now)))
    }
    const mayBeReopened = (await closedWithTooFew(client, attempts)).length
    return {
      result: { takenBack: held.length, mayBeReopened },
      detail: { events, ...countedOf(held), reason: [...reasons].join(' ') },
    }
  })
}

/** Restores the strikes of cleared incidents (product 7.16.14). Errors: 404 not_found; 409 stale, strikes_would_end. */
export function countStrikesAgain(
  organizer: MemberInTest,
  named: readonly NamedIncident[],
  reason: string,
): Promise<{ counted: number }> {
  return act(organizer, 'restore-strikes', organizer.code, async (client) => {
    const { attempts, held } = await holdIncidents(client, organizer, named)
    const events: number[] = []
    for (const { found } of held) {
      if (found.strike?.standing !== 'taken_back') throw stale()
      events.push(...(await restoreEvents(client, found.events)))
    }
    await requireNoEnd(client, attempts, () => 'A candidate')
    return { result: { counted: held.length }, detail: { events, ...countedOf(held), reason } }
  })
}

/** Locks the attempts that these events belong to. @returns each attempt with its events. Errors: 404 no_such_event. */
async function holdEvents(
  client: Client,
  organizer: OrganizerInTest,
  eventIds: readonly number[],
): Promise<(LockedAttempt & { events: number[] })[]> {
  const { code } = await requireAssessment(client, organizer)
  const { rows } = await client.query<{ event: number; candidateId: string }>(
    sql`select e.id::float8 as event, c.id as "candidateId" from attempt_events e
     join candidates c on c.id = e.candidate_id
     where e.id = any (${eventIds}::bigint[]) and c.assessment = ${code} and e.attempt_id is not null`,
  )
  if (rows.length < new Set(eventIds).size) {
    throw refuse(404, 'no_such_event', 'This event no longer exists. Reload the page.')
  }
  const ids = rows.map(({ candidateId }) => candidateId)
  const attempts = await lockAttempts(client, code, ids)
  return attempts.map((attempt) => {
    const own = rows.filter(({ candidateId }) => candidateId === attempt.candidateId)
    return { ...attempt, events: own.map(({ event }) => event) }
  })
}

/** Locks the candidates and their attempts, then reads the incidents. Errors: 404 not_found. */
async function holdIncidents(
  client: Client,
  organizer: MemberInTest,
  named: readonly NamedIncident[],
) {
  const { code } = organizer
  const ids = named.map(({ candidate }) => candidate)
  await lockCandidates(client, code, ids)
  const attempts = await lockAttempts(client, code, ids)
  return { attempts, held: await findIncidents(client, organizer, named) }
}

/** Details for the log. Leaving and returning are two events of one absence, and one strike. */
const countedOf = (held: readonly { number: number | null }[]) => ({
  strikes: held.length,
  candidates: [...new Set(held.map(({ number }) => number))],
})

/** Returns attempts that strikes ended and that now have too few strikes for it. */
async function closedWithTooFew(client: Client, attempts: readonly LockedAttempt[]) {
  const found: LockedAttempt[] = []
  for (const attempt of attempts) {
    if (attempt.submitReason !== 'violations') continue
    if ((await countStrikes(client, attempt.id)) < MAX_VIOLATIONS) found.push(attempt)
  }
  return found
}

/** Errors: 409 strikes_would_end if a running test would reach the number of strikes that ends it. */
async function requireNoEnd(
  client: Client,
  attempts: readonly LockedAttempt[],
  called: (attempt: LockedAttempt) => string,
): Promise<void> {
  for (const attempt of attempts) {
    if (attempt.submitReason !== null) continue
    if ((await countStrikes(client, attempt.id)) < MAX_VIOLATIONS) continue
    const sentence = `${called(attempt)} is still taking the test and would reach ${MAX_VIOLATIONS} strikes, which would end it. Nothing was changed.`
    throw refuse(409, 'strikes_would_end', sentence)
  }
}

const stale = () =>
  refuse(409, 'stale', 'A verdict or a strike has changed. Reload the page and try again.')
