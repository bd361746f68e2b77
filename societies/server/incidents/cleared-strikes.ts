import { lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { countStrikes, voidEvents } from '../../../assessments/server/event-store.ts'
import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { ApiError } from '../../../platform/server/api.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { lockCandidates } from './decide.ts'
import { type IncidentCandidate, type JudgedIncident, readIncidents } from './read-incidents.ts'

/** An incident of a candidate, as the page names it. */
interface Named {
  candidate: string
  incident: string
}

interface Held extends Named {
  number: number | null
  events: number[]
  reason: string
}

/**
 * Takes the strikes of incidents back that were cleared, with the verdict's own reason, so that who was cleared
 * is not ‘cheated’ in the results (product 7.16.14). By number: nobody's name is needed for it, in the answer or
 * in the log.
 * Errors: 404 not_found; 409 stale where one is not cleared any more, or its strike stands no more.
 */
export function takeClearedStrikesBack(
  organiser: Organiser,
  code: string,
  named: readonly Named[],
): Promise<{ takenBack: number; mayBeReopened: number }> {
  return act(organiser, 'take-strikes-back', code, async (client) => {
    const ids = [...new Set(named.map(({ candidate }) => candidate))]
    await lockCandidates(client, code, ids)
    const attempts = await lockAttempts(client, code, ids)
    const [only] = ids.length === 1 ? ids : []
    const { candidates } = await readIncidents(client, code, only ? { candidateId: only } : {})
    const byId = new Map(candidates.map((one) => [one.candidateId, one]))
    const held = named.map((one) => heldOf(one, byId.get(one.candidate)))
    const voided: number[] = []
    for (const { events, reason } of held) {
      voided.push(...(await voidEvents(client, events, reason, organiser.now)))
    }
    const ended = attempts.filter(({ submitReason }) => submitReason === 'violations')
    const reasons = [...new Set(held.map(({ reason }) => reason))]
    return {
      result: {
        takenBack: held.length,
        mayBeReopened: await countFreed(
          client,
          ended.map(({ id }) => id),
        ),
      },
      detail: {
        // Of an absence the way out and the way back are both events, and one strike.
        ...{ events: voided, strikes: held.length },
        candidates: [...new Set(held.map(({ number }) => number))],
        reason: reasons.join(' '),
      },
    }
  })
}

function heldOf(named: Named, candidate: IncidentCandidate | undefined): Held {
  const incident = candidate?.incidents.find(({ name }) => name === named.incident)
  if (!candidate?.attempt || !incident) {
    throw new ApiError(404, 'not_found', 'There is no such incident any more.')
  }
  const reason = clearedWhy(incident)
  if (reason === null || incident.strike?.standing !== 'stands') {
    throw new ApiError(
      409,
      'stale',
      'A verdict or a strike was changed meanwhile. Please look at it again.',
    )
  }
  return { ...named, number: candidate.number, events: incident.events, reason }
}

/** Why an incident was cleared; null where it is not, or not by as many as it needs. */
function clearedWhy({ state, verdicts }: JudgedIncident): string | null {
  const standing = verdicts.filter(({ withdrawnAt }) => withdrawnAt === null)
  const isCleared = state === 'decided' && standing.every(({ verdict }) => verdict === 'cleared')
  return isCleared ? (standing.find(({ isSecond }) => !isSecond)?.reason ?? null) : null
}

/** How many of these attempts, which strikes ended, would not be ended by what stands now. */
async function countFreed(client: Client, attemptIds: readonly string[]): Promise<number> {
  let freed = 0
  for (const id of attemptIds) {
    if ((await countStrikes(client, id)) < MAX_VIOLATIONS) freed += 1
  }
  return freed
}
