import { lockAttempts } from '../../../assessments/server/attempt-store.ts'
import { countStrikes, restoreEvents, voidEvents } from '../../../assessments/server/event-store.ts'
import { MAX_VIOLATIONS } from '../../../assessments/violations.ts'
import { ApiError } from '../../../platform/server/api.ts'
import { act, type Client, type Organiser } from '../action.ts'
import { lockCandidates } from './decide.ts'
import {
  type IncidentCandidate,
  type JudgedIncident,
  readIncidents,
  standingVerdict,
} from './read-incidents.ts'

/** An incident of a candidate, as the page names it. */
interface Named {
  candidate: string
  incident: string
}

interface Held {
  number: number | null
  incident: JudgedIncident
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
    const { attempts, held } = await hold(client, code, named)
    const voided: number[] = []
    const reasons = new Set<string>()
    for (const { incident } of held) {
      const reason = clearedWhy(incident)
      if (reason === null || incident.strike?.standing !== 'stands') throw stale()
      reasons.add(reason)
      voided.push(...(await voidEvents(client, incident.events, reason, organiser.now)))
    }
    const ended = attempts.filter(({ submitReason }) => submitReason === 'violations')
    return {
      result: {
        takenBack: held.length,
        mayBeReopened: await countFreed(
          client,
          ended.map(({ id }) => id),
        ),
      },
      detail: { ...detailOf(held, voided), reason: [...reasons].join(' ') },
    }
  })
}

/**
 * Lets strikes count again that were taken back, whoever did that; by number too (product 7.16.14).
 * Errors: 404 not_found; 409 stale where one counts already, strikes_would_end where somebody writes whom three
 * would end.
 */
export function countStrikesAgain(
  organiser: Organiser,
  code: string,
  named: readonly Named[],
  reason: string,
): Promise<{ counted: number }> {
  return act(organiser, 'restore-strikes', code, async (client) => {
    const { attempts, held } = await hold(client, code, named)
    const restored: number[] = []
    for (const { incident } of held) {
      if (incident.strike?.standing !== 'taken_back') throw stale()
      restored.push(...(await restoreEvents(client, incident.events)))
    }
    for (const { id, submitReason } of attempts) {
      if (submitReason === null && (await countStrikes(client, id)) >= MAX_VIOLATIONS) {
        throw new ApiError(
          409,
          'strikes_would_end',
          'Somebody of them is writing, and has as many strikes besides that it would end the test.',
        )
      }
    }
    return {
      result: { counted: held.length },
      detail: { ...detailOf(held, restored), reason },
    }
  })
}

/** Locks whose incidents these are, and reads what is known of them then. Errors: 404 not_found. */
async function hold(client: Client, code: string, named: readonly Named[]) {
  const ids = [...new Set(named.map(({ candidate }) => candidate))]
  await lockCandidates(client, code, ids)
  const attempts = await lockAttempts(client, code, ids)
  const candidates = await readIncidents(client, code, { only: ids })
  const byId = new Map(candidates.map((one) => [one.candidateId, one]))
  const held = named.map((one) => heldOf(one, byId.get(one.candidate)))
  return { attempts, held }
}

function heldOf(named: Named, candidate: IncidentCandidate | undefined): Held {
  const incident = candidate?.incidents.find(({ name }) => name === named.incident)
  if (!candidate?.attempt || !incident) {
    throw new ApiError(404, 'not_found', 'There is no such incident any more.')
  }
  return { number: candidate.number, incident }
}

/** For the log. Of an absence the way out and the way back are both events, and one strike. */
const detailOf = (held: readonly Held[], events: readonly number[]) => ({
  ...{ events, strikes: held.length },
  candidates: [...new Set(held.map(({ number }) => number))],
})

const stale = () =>
  new ApiError(
    409,
    'stale',
    'A verdict or a strike was changed meanwhile. Please look at it again.',
  )

/** Why an incident was cleared; null where it is not. */
function clearedWhy({ verdicts }: JudgedIncident): string | null {
  const standing = standingVerdict(verdicts)
  return standing?.verdict === 'cleared' ? standing.reason : null
}

/** How many of these attempts, which strikes ended, would not be ended by what stands now. */
async function countFreed(client: Client, attemptIds: readonly string[]): Promise<number> {
  let freed = 0
  for (const id of attemptIds) {
    if ((await countStrikes(client, id)) < MAX_VIOLATIONS) freed += 1
  }
  return freed
}
