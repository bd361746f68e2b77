import { act, foresee, type Organiser, read, requireReason } from '../action.ts'
import { type Place, requireAssessment } from '../assessments.ts'
import {
  acceptLateOf,
  type LateAnswer,
  newestAcceptable,
  notedOfLate,
  readLate,
} from '../incidents/late-answers.ts'

/** Whether an answer that came late would count, or why not (product 7.5.4). */
export type LateStanding = 'counts' | 'too_late' | 'unknown' | 'not_held_up' | 'outdated' | 'open'

export interface LateOverview {
  people: {
    id: string
    username: string
    name: string | null
    answers: { item: number; chosenAt: Date | null; receivedAt: Date; standing: LateStanding }[]
  }[]
  acceptable: number
  /** how many results accepting all of them changes */
  changes: number
}

/** Answers that came after the end, by person, and what accepting them would do. Errors: OrganiserRefusal. */
export async function previewLate(organiser: Organiser, place: Place): Promise<LateOverview> {
  const late = await read(organiser, async (client) => {
    const { code } = await requireAssessment(client, place)
    return readLate(client, code, null, false)
  })
  const acceptable = new Set(newestAcceptable(late).map(({ event }) => event))
  const people = new Map<string, LateOverview['people'][number]>()
  for (const one of late) {
    const { candidateId: id, username, name, item, chosenAt, receivedAt } = one
    const person = people.get(id) ?? { ...{ id, username, name }, answers: [] }
    person.answers.push({ item, chosenAt, receivedAt, standing: standingOf(one, acceptable) })
    people.set(id, person)
  }
  const foreseen =
    acceptable.size === 0
      ? { accepted: 0, changes: [] }
      : await foresee(organiser, (client) => acceptLateOf(client, place.code, null, organiser.now))
  const changes = foreseen.changes.filter(({ isDemo }) => !isDemo).length
  return { people: [...people.values()], acceptable: acceptable.size, changes }
}

function standingOf(one: LateAnswer, acceptable: ReadonlySet<number>): LateStanding {
  if (acceptable.has(one.event)) return 'counts'
  if (one.isOpen) return 'open'
  if (one.isInTime === null) return 'unknown'
  if (!one.isInTime) return 'too_late'
  // What is stored already, or a newer choice of the same question, matters more than why it came late.
  return one.isOutdated || one.wasServiceAway ? 'outdated' : 'not_held_up'
}

/** Counts the late answers that may count (product 7.15.8). Errors: OrganiserRefusal. */
export function acceptLateAnswers(
  organiser: Organiser,
  place: Place,
  given: { reason: string; candidate: string | null },
): Promise<{ accepted: number; changes: number }> {
  return act(organiser, 'accept-late', place.code, async (client) => {
    const why = requireReason(given.reason)
    const { code } = await requireAssessment(client, place, 'change')
    const done = await acceptLateOf(client, code, given.candidate, organiser.now)
    const result = { accepted: done.accepted, changes: done.changes.length }
    return { result, detail: notedOfLate(done, why) }
  })
}
