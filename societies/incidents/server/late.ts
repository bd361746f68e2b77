import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import type { acceptLateAnswers as acceptCall, listLateAnswers } from '../../acts/contract.ts'
import { act, foresee, read, requireReason } from '../../kit/server/action.ts'
import {
  acceptLateOf,
  type LateAnswer,
  newestAcceptable,
  notedOfLate,
  readLate,
} from './late-answers.ts'

type LateAnswers = Sendable<ResponseOf<typeof listLateAnswers>>
type Answer = LateAnswers['people'][number]['answers'][number]

/** Lists answers that came after the end, by person, with the effect of accepting them. */
export async function previewLate(organiser: MemberInTest): Promise<LateAnswers> {
  const { code, now } = organiser
  const late = await read(organiser, async (client) => {
    await requireAssessment(client, organiser)
    return readLate(client, code, null, false)
  })
  const acceptable = new Set(newestAcceptable(late).map(({ event }) => event))
  const people = new Map<
    string,
    Omit<LateAnswers['people'][number], 'answers'> & { answers: Answer[] }
  >()
  for (const one of late) {
    const { candidateId: id, username, name, item, chosenAt, receivedAt } = one
    const person = people.get(id) ?? { id, username, name, answers: [] }
    person.answers.push({ item, chosenAt, receivedAt, standing: standingOf(one, acceptable) })
    people.set(id, person)
  }
  const { changes } =
    acceptable.size === 0
      ? { changes: [] }
      : await foresee(organiser, (client) => acceptLateOf(client, code, null, now))
  return {
    people: [...people.values()],
    acceptable: acceptable.size,
    changes: changes.filter(({ isDemo }) => !isDemo).length,
  }
}

/** Whether a late answer would count, or why not (product 7.5.4). */
function standingOf(one: LateAnswer, acceptable: ReadonlySet<number>): Answer['standing'] {
  if (acceptable.has(one.event)) return 'counts'
  if (one.isOpen) return 'open'
  if (one.isInTime === null) return 'unknown'
  if (!one.isInTime) return 'too_late'
  // An answer that is stored already, or a newer one, matters more than why this one came late.
  return one.isOutdated || one.wasServiceAway ? 'outdated' : 'not_held_up'
}

/** Counts the late answers that can count (product 7.15.8). Errors: 400 reason_missing. */
export function acceptLateAnswers(
  organiser: MemberInTest,
  { reason, candidate }: { reason: string; candidate: string | null },
): Promise<ResponseOf<typeof acceptCall>> {
  return act(organiser, 'accept-late', organiser.code, async (client) => {
    const why = requireReason(reason)
    const { code } = await requireAssessment(client, organiser, 'change')
    const done = await acceptLateOf(client, code, candidate, organiser.now)
    const result = { accepted: done.accepted, changes: done.changes.length }
    return { result, detail: notedOfLate(done, why) }
  })
}
