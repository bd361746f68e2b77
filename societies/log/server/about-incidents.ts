import { incidentWords } from '../../../assessments/incident-words.ts'
import {
  type IncidentCandidate,
  type JudgedIncident,
  readIncidents,
} from '../../incidents/server/read-incidents.ts'
import type { Client } from '../../kit/server/action.ts'

/** An incident, or a candidate as a whole, that an entry of the log is about (product 7.20.1). */
interface AboutIncident {
  /** null where the entry has the name, which would give away the number */
  candidate: string | null
  number: number | null
  /** null: the candidate as a whole */
  incident: { name: string; lead: string; at: Date; strike: number | null } | null
}

type Detail = Readonly<Record<string, unknown>>

/** The actions that are about incidents: verdicts, reveals and strikes. */
const TELLING = new Set([
  'decide-incident',
  'withdraw-verdict',
  'show-name',
  'show-score',
  'take-strikes-back',
  'restore-strikes',
  'void-event',
])
/** The details of an entry name the rest. */
const MOST = 5

/**
 * What the entries of a page of the log are about, in their order. Incidents are gathered again each time, and keep
 * their names (product 7.16.1). Where the entry has the candidate's name, nothing leads to the number, so that the
 * log is no way to find hidden names (product 7.16.3).
 * @param mayName whether the reader sees candidates' names
 */
export async function readAbout(
  client: Client,
  entries: readonly { action: string; assessment: string | null; detail: Detail }[],
  mayName: boolean,
): Promise<AboutIncident[][]> {
  const asked = entries.map(({ action, assessment: code, detail }) =>
    code !== null && TELLING.has(action) ? { code, ...askedBy(detail) } : null,
  )
  const known = new Map<string, Known>()
  for (const code of new Set(asked.flatMap((one) => one?.code ?? []))) {
    const ofTest = asked.flatMap((one) => (one?.code === code ? one : []))
    known.set(code, await readKnown(client, code, ofTest))
  }
  return asked.map((one) =>
    one ? aboutOf(one, known.get(one.code) ?? new Map(), mayName).slice(0, MOST) : [],
  )
}

type Asked = ReturnType<typeof askedBy>

/** What a detail calls the candidates and incidents that it is about. */
function askedBy(detail: Detail) {
  const numbersIn = (...keys: string[]) =>
    keys.flatMap((key) => detail[key]).filter((one) => typeof one === 'number')
  const textsIn = (...keys: string[]) =>
    keys.flatMap((key) => detail[key]).filter((one) => typeof one === 'string')
  return {
    numbers: numbersIn('candidate', 'candidates'),
    usernames: textsIn('username', 'usernames'),
    events: numbersIn('event', 'events'),
    incidents: textsIn('incident', 'incidents'),
  }
}

/** Candidates of a test by number and by username. */
type Known = ReadonlyMap<number | string, IncidentCandidate>

async function readKnown(client: Client, code: string, asked: readonly Asked[]): Promise<Known> {
  const { rows } = await client.query<{ id: string; username: string }>(
    `select c.id, c.username from candidates c
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     where c.assessment = $1 and not c.is_demo
       and (b.number = any ($2::int[]) or c.username = any ($3::text[]))`,
    [code, asked.flatMap(({ numbers }) => numbers), asked.flatMap(({ usernames }) => usernames)],
  )
  const candidates = await readIncidents(client, code, { only: rows.map(({ id }) => id) })
  const known = new Map<number | string, IncidentCandidate>()
  for (const candidate of candidates) {
    const row = rows.find(({ id }) => id === candidate.candidateId)
    if (row) known.set(row.username, candidate)
    if (candidate.number !== null) known.set(candidate.number, candidate)
  }
  return known
}

function aboutOf(asked: Asked, known: Known, mayName: boolean): AboutIncident[] {
  const called = [
    ...asked.numbers.map((number) => ({ one: known.get(number), isNamed: false })),
    ...asked.usernames.map((username) => ({ one: known.get(username), isNamed: mayName })),
  ]
  return called.flatMap(({ one, isNamed }): AboutIncident[] => {
    if (!one) return []
    const whose = isNamed
      ? { candidate: null, number: null }
      : { candidate: one.candidateId, number: one.number }
    const found = one.incidents.filter(
      ({ name, events }) =>
        asked.incidents.includes(name) || events.some((event) => asked.events.includes(event)),
    )
    if (found.length > 0) return found.map((each) => ({ ...whose, incident: incidentOf(each) }))
    return isNamed ? [] : [{ ...whose, incident: null }]
  })
}

function incidentOf(one: JudgedIncident): AboutIncident['incident'] {
  const { lead } = incidentWords(one, () => '')
  return {
    name: one.name,
    lead: one.report ? 'What a member reported' : lead.replace(/\.$/, ''),
    at: one.at,
    strike: one.strike?.number ?? null,
  }
}
