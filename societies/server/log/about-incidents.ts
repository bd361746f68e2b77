import { incidentWords } from '../../../assessments/incident-words.ts'
import type { Client } from '../action.ts'
import {
  type IncidentCandidate,
  type JudgedIncident,
  readIncidents,
} from '../incidents/read-incidents.ts'

/** An incident, or a candidate as a whole, that an entry of the log is about (product 7.20.1). */
export interface AboutIncident {
  /** null where the entry has the name: beside it the number would tell who the others' numbers are */
  candidate: string | null
  /** stands for the candidate, whose name is covered */
  number: number | null
  /** null: the candidate as a whole, of whom something was uncovered */
  incident: { name: string; lead: string; at: Date; strike: number | null } | null
}

type Detail = Readonly<Record<string, unknown>>

/** What verdicts, uncovering and strikes are noted as; all else is about no incident. */
const TELLING = new Set([
  ...['decide-incident', 'withdraw-verdict', 'show-name', 'show-score'],
  ...['take-strikes-back', 'restore-strikes', 'void-event'],
])
/** More than these are named in the entry's details. */
const MOST = 5

/**
 * What the entries of a page of the log are about, by their place in it. Read from what is kept now: an incident is
 * gathered anew each time, and its name stays (product 7.16.1). Nobody is named, and whoever reads a name in the entry
 * is led nowhere: the log is no way around the cover (product 7.16.3).
 * @param mayName whether the reader sees who candidates are
 */
export async function readAbout(
  client: Client,
  entries: readonly { action: string; assessment: string | null; detail: Detail }[],
  mayName: boolean,
): Promise<AboutIncident[][]> {
  const codes = new Set(
    entries.flatMap(({ action, assessment }) =>
      assessment !== null && TELLING.has(action) ? [assessment] : [],
    ),
  )
  const known = new Map<string, Known>()
  for (const code of codes) {
    const of = entries.filter(
      ({ action, assessment }) => assessment === code && TELLING.has(action),
    )
    known.set(
      code,
      await readKnown(
        client,
        code,
        of.map(({ detail }) => askedBy(detail)),
      ),
    )
  }
  return entries.map(({ action, assessment, detail }) => {
    const found = known.get(assessment ?? '')
    return found && TELLING.has(action)
      ? aboutOf(askedBy(detail), found, mayName).slice(0, MOST)
      : []
  })
}

/** How a detail calls whom and what it is about. */
interface Asked {
  numbers: number[]
  usernames: string[]
  events: number[]
  incidents: string[]
}

function askedBy({
  candidate,
  candidates,
  username,
  usernames,
  event,
  events,
  incident,
  incidents,
}: Detail): Asked {
  const all = <T>(values: unknown[], is: (value: unknown) => value is T) => values.flat().filter(is)
  const isNumber = (value: unknown): value is number => typeof value === 'number'
  const isText = (value: unknown): value is string => typeof value === 'string'
  return {
    numbers: all([candidate, candidates], isNumber),
    usernames: all([username, usernames], isText),
    events: all([event, events], isNumber),
    incidents: all([incident, incidents], isText),
  }
}

/** Candidates of a test, by what they are called in details. */
interface Known {
  byNumber: Map<number, IncidentCandidate>
  byUsername: Map<string, IncidentCandidate>
}

async function readKnown(client: Client, code: string, asked: readonly Asked[]): Promise<Known> {
  const { rows } = await client.query<{ id: string; username: string; number: number | null }>(
    `select c.id, c.username, b.number from candidates c
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     where c.assessment = $1 and not c.is_demo
       and (b.number = any ($2::int[]) or c.username = any ($3::text[]))`,
    [code, asked.flatMap(({ numbers }) => numbers), asked.flatMap(({ usernames }) => usernames)],
  )
  const candidates = await readIncidents(client, code, { only: rows.map(({ id }) => id) })
  const byId = new Map(candidates.map((one) => [one.candidateId, one]))
  const known: Known = { byNumber: new Map(), byUsername: new Map() }
  for (const { id, username, number } of rows) {
    const candidate = byId.get(id)
    if (!candidate) continue
    if (number !== null) known.byNumber.set(number, candidate)
    known.byUsername.set(username, candidate)
  }
  return known
}

function aboutOf(asked: Asked, known: Known, mayName: boolean): AboutIncident[] {
  const { numbers, usernames, events, incidents } = asked
  const called = [
    ...numbers.map((number) => ({ one: known.byNumber.get(number), isNamed: false })),
    ...usernames.map((username) => ({ one: known.byUsername.get(username), isNamed: mayName })),
  ]
  return called.flatMap(({ one, isNamed }) => {
    if (!one) return []
    const whose = isNamed
      ? { candidate: null, number: null }
      : { candidate: one.candidateId, number: one.number }
    const of = one.incidents.filter(
      (each) =>
        incidents.includes(each.name) || each.events.some((event) => events.includes(event)),
    )
    if (of.length > 0) return of.map((each) => ({ ...whose, incident: named(each) }))
    return isNamed ? [] : [{ ...whose, incident: null }]
  })
}

function named(one: JudgedIncident): AboutIncident['incident'] {
  // Of an act its count is as it is now; times of the page are not told here.
  const { lead } = incidentWords(one, () => '')
  const words = one.report ? 'What a helper reported' : lead.replace(/\.$/, '')
  return { name: one.name, lead: words, at: one.at, strike: one.strike?.number ?? null }
}
