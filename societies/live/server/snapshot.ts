import { setImmediate as nextTurn } from 'node:timers/promises'
import { type LiveCandidate, TROUBLES } from '../contract.ts'
import { companyOf, isInside, type TroubleLine, troublesOf } from '../troubles.ts'
import { type Action, type Person, personOf, type Row } from './read-room.ts'

/** Candidates in one turn of the event loop, so that saves don't wait for all of them. */
const AT_ONCE = 100

/** Who is where in a test at one moment, and who needs help. */
export interface Snapshot {
  /** milliseconds since 1970 */
  takenMs: number
  /** by id */
  candidates: readonly LiveCandidate[]
  /** alerts that no member has seen yet, most urgent first */
  lines: readonly TroubleLine[]
  /** newest first */
  actions: readonly Action[]
}

/** Makes a snapshot of what was read. */
export async function makeSnapshot(
  { rows, actions }: { rows: readonly Row[]; actions: readonly Action[] },
  takenMs: number,
): Promise<Snapshot> {
  const people = await mapInTurns(rows, personOf)
  const company = companyOf(people)
  const decided = await mapInTurns(people, (person) => {
    const found = troublesOf(person, company, takenMs)
    const marks = found.map(({ trouble, mark }) => ({ trouble, seenBy: person.seen[mark] ?? null }))
    return {
      candidate: candidateOf(person, marks),
      lines: found.filter(({ mark }) => person.seen[mark] === undefined),
    }
  })
  const urgency = ({ trouble }: TroubleLine) => TROUBLES.indexOf(trouble)
  return {
    takenMs,
    candidates: decided.map(({ candidate }) => candidate),
    lines: decided
      .flatMap(({ lines }) => lines)
      .sort(
        (a, b) =>
          urgency(a) - urgency(b) || a.sinceMs - b.sinceMs || (a.candidate < b.candidate ? -1 : 1),
      ),
    actions,
  }
}

async function mapInTurns<T, R>(list: readonly T[], work: (one: T) => R): Promise<R[]> {
  const done: R[] = []
  for (const one of list) {
    done.push(work(one))
    if (done.length % AT_ONCE === 0) await nextTurn()
  }
  return done
}

/** The fields that leave the server, listed one by one: no score and no choice is among them. */
function candidateOf(person: Person, marks: LiveCandidate['marks']): LiveCandidate {
  const { startedMs, verifiedMs } = person
  const counted = person.strikes.filter(({ isCounted }) => isCounted).length
  return {
    id: person.id,
    name: person.name,
    username: person.username,
    room: person.room,
    where:
      startedMs === null
        ? verifiedMs === null
          ? 'absent'
          : 'verified'
        : isInside(person)
          ? 'running'
          : 'submitted',
    answered: person.answered,
    total: person.total,
    savedMs: person.savedMs,
    endsMs: person.deadlineMs,
    closedMs: person.submittedMs,
    reason: person.submitReason,
    strikes: counted,
    takenBack: person.strikes.length - counted,
    extraSeconds: person.extraSeconds,
    givenSeconds: person.incidentSeconds,
    late: person.lateCount,
    marks,
  }
}
