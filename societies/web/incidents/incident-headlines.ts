import type { ResponseOf } from '../../../platform/endpoint.ts'
import { countOf, numberWord } from '../../../platform/words.ts'
import { blindNumber } from '../../blind-number.ts'
import type { listIncidents, ShownIncident } from '../../contract/incidents.ts'

export type IncidentList = ResponseOf<typeof listIncidents>
export type ListedCandidate = IncidentList['candidates'][number]

/** How often the pages look again while somebody writes, milliseconds. */
export const LOOK_MS = 10_000

/** 'Candidate 021': what stands for a name that is covered. */
export const candidateName = (number: number | null): string =>
  number === null ? 'A candidate who has not started' : `Candidate ${blindNumber(number)}`

/** The verdict asks for a talk, which is yet to come (product 7.16.11). */
export const waitsForTalk = ({ state }: Pick<ShownIncident, 'state'>): boolean =>
  state === 'needs_talk'

/** The decision that counts: at most one of an incident's was not taken back. */
export const standingOf = ({ verdicts }: Pick<ShownIncident, 'verdicts'>) =>
  verdicts.find(({ withdrawnAt }) => withdrawnAt === null)

/** Whether somebody still has to decide; what waits for a talk is told apart. */
export const isUndecided = ({ state }: Pick<ShownIncident, 'state'>): boolean => state === 'waiting'

/** Either of the two: it holds the release. */
export const isOpen = (one: Pick<ShownIncident, 'state'>): boolean =>
  isUndecided(one) || waitsForTalk(one)

/**
 * Cleared, and its strike stands all the same: the result goes on saying ‘cheated’ until somebody takes it back
 * (product 7.16.14).
 */
export const isClearedStrike = (one: Pick<ShownIncident, 'strike' | 'verdicts'>) =>
  one.strike?.standing === 'stands' && standingOf(one)?.verdict === 'cleared'

/** How many of a candidate's incidents wait. */
export const waitingOf = ({ incidents }: Pick<ListedCandidate, 'incidents'>): number =>
  incidents.filter(isUndecided).length

/** Those with something to decide, in the order of the list. */
export const undecidedOf = (candidates: readonly ListedCandidate[]): ListedCandidate[] =>
  candidates.filter((one) => waitingOf(one) > 0)

/** The finding of the list. */
export function listHeadline(candidates: readonly ListedCandidate[]): string {
  const waiting = undecidedOf(candidates)
  const count = waiting.reduce((sum, one) => sum + waitingOf(one), 0)
  const talks = candidates.flatMap(({ incidents }) => incidents).filter(waitsForTalk).length
  if (talks > 0) {
    return `${count > 0 ? `${count} undecided, ` : ''}${talks} ${talks === 1 ? 'waits' : 'wait'} for a talk`
  }
  if (count > 0) {
    const verb = count === 1 ? 'waits' : 'wait'
    return `${upper(numberWord(count))} ${count === 1 ? 'incident' : 'incidents'} of ${numberWord(waiting.length).toLowerCase()} ${waiting.length === 1 ? 'candidate' : 'candidates'} ${verb} for a verdict`
  }
  if (candidates.some(({ incidents }) => incidents.length > 0)) return 'Nothing waits for a verdict'
  return 'Nothing was seen'
}

/** The finding of one candidate's page. */
export function fileHeadline(
  number: number | null,
  incidents: readonly ShownIncident[],
  isRunning: boolean,
): string {
  const name = candidateName(number)
  const waiting = incidents.filter(isUndecided).length
  const asking = incidents.length
  if (asking === 0) return `${name}: nothing was seen`
  const talks = incidents.filter(waitsForTalk).length
  const all =
    asking === 1
      ? 'the one incident'
      : asking === 2
        ? 'both incidents'
        : `all ${numberWord(asking).toLowerCase()} incidents`
  const some = `${numberWord(waiting).toLowerCase()} of ${numberWord(asking).toLowerCase()} incidents`
  const of = waiting === asking ? all : some
  if (isRunning) return `${name}: ${countOf(asking, 'incident')} so far`
  if (talks > 0) {
    return `${name}: ${waiting > 0 ? `${waiting} undecided, ` : ''}${talks} ${talks === 1 ? 'waits' : 'wait'} for a talk`
  }
  if (waiting === 0) return `${name}: nothing waits for a verdict`
  return `${name}: ${of} ${waiting === 1 ? 'waits' : 'wait'} for a verdict`
}

const upper = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** A verdict in a word. */
export const VERDICT_WORDS = {
  cleared: 'Cleared',
  upheld: 'Upheld',
  needs_talk: 'Needs a talk',
} as const
