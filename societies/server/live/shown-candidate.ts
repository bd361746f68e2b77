import type { LiveCandidate } from '../../contract/live.ts'
import { isInside } from '../../day/troubles.ts'
import type { Person } from './read-people.ts'

/** What leaves the server of a candidate: named one by one. No score and no choice is among it. */
export function candidateOf(person: Person, marks: LiveCandidate['marks']): LiveCandidate {
  const { id, name, username, room, startedMs, submittedMs, verifiedMs } = person
  const counted = person.strikes.filter(({ isCounted }) => isCounted).length
  return {
    ...{ id, name, username, room },
    where:
      startedMs === null
        ? verifiedMs === null
          ? 'absent'
          : 'verified'
        : isInside(person)
          ? 'running'
          : 'submitted',
    answered: person.answered.length,
    total: person.total,
    savedMs: person.savedMs,
    endsMs: person.deadlineMs,
    closedMs: submittedMs,
    reason: person.submitReason,
    strikes: counted,
    takenBack: person.strikes.length - counted,
    extraSeconds: person.extraSeconds,
    givenSeconds: person.incidentSeconds,
    late: person.lateCount,
    marks,
  }
}

/** Whether two have as many answers, saved at the same moment. */
export const isSameSaved = (a: LiveCandidate, b: LiveCandidate): boolean =>
  a.answered === b.answered && a.savedMs === b.savedMs

/** Whether all else is the same: what a save changes, and marks, are compared apart. */
export function isSameButSaved(a: LiveCandidate, b: LiveCandidate): boolean {
  for (const field of Object.keys(a) as (keyof LiveCandidate)[]) {
    if (field === 'answered' || field === 'savedMs' || field === 'marks') continue
    if (a[field] !== b[field]) return false
  }
  return true
}

/** Whether the same troubles are told, seen by the same people. */
export function areSameMarks(a: LiveCandidate['marks'], b: LiveCandidate['marks']): boolean {
  return (
    a === b ||
    (a.length === b.length &&
      a.every((one, at) => one.trouble === b[at]?.trouble && one.seenBy === b[at]?.seenBy))
  )
}
