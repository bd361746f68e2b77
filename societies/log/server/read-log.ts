import sql, { empty, raw } from 'sql-template-tag'
import { groupBy } from '../../../assessments/attempt-log.ts'
import { incidentWords } from '../../../assessments/incident-words.ts'
import { wholeMinute } from '../../../platform/durations.ts'
import type { BodyOf, ResponseOf } from '../../../platform/endpoint.ts'
import type { Member } from '../../access/server/serve-members.ts'
import { type IncidentCandidate, readIncidents } from '../../incidents/server/read-incidents.ts'
import { type Act, may } from '../../kit/roles.ts'
import type { Client } from '../../kit/server/action.ts'
import { describeAction, SHORT_DETAIL } from '../../kit/server/action-words.ts'
import type { exportSocietyLog, readSocietyLog } from '../contract.ts'

type Detail = Readonly<Record<string, unknown>>
type Filters = BodyOf<typeof exportSocietyLog>
type Entry = ResponseOf<typeof readSocietyLog>['entries'][number]
type Fact = Entry['facts'][number]
export type LogEntry = Awaited<ReturnType<typeof listEntries>>[number]

/** Lists the tests where a member's roles fully allow an action; null: all, and the society itself. */
function testsOf({ roles }: Member, act: Act): string[] | null {
  const codes = roles.filter(({ role }) => may(role, act) === 'all').map((one) => one.assessment)
  return codes.includes(null) ? null : codes.filter((code) => code !== null)
}

/** SQL check whether an entry l belongs to one of these tests. */
const isOf = (tests: string[] | null) =>
  tests === null ? sql`true` : sql`coalesce(l.assessment = any (${tests}), false)`

/** SQL for rows l of the log that a member can read: their own, and those of tests where a role opens the log. */
const readable = (member: Member) => sql`
  l.society_id = ${member.societyId}
  and (l.user_id = ${member.userId} or ${isOf(testsOf(member, 'read_log'))})
  and coalesce(l.assessment, '') <> all (${member.sits})`

/** SQL check whether a member sees names in an entry l, by a role in its test. */
const namesIn = (member: Member) => isOf(testsOf(member, 'see_names'))

/** SQL for the actor's display name: the name, or the address if two members share the name (product 7.20.1). */
const nameIn = ({ societyId }: Member) => sql`case when l.actor in (
    select n.actor from admin_actions n where n.society_id = ${societyId} group by n.actor
    having count(distinct coalesce(n.user_id::text, '')) > 1)
  then coalesce((select u.email from users u where u.id = l.user_id), l.actor) else l.actor end`

/** Details of an entry l. They are hidden while a deleted test can still be restored. */
const DETAIL = sql`case when exists (select from assessments a
  where a.code = l.assessment and a.deleted_at is not null) then '{}'::jsonb else (${raw(SHORT_DETAIL)}) end`

const matches = ({ assessment, actor, action }: Filters, member: Member) => sql`true
  ${assessment === undefined ? empty : sql`and l.assessment = ${assessment}`}
  ${actor === undefined ? empty : sql`and ${nameIn(member)} = ${actor}`}
  ${action === undefined ? empty : sql`and l.action = ${action}`}`

/**
 * Lists entries of the log, newest first.
 * @param before an entry id; only older entries are returned
 */
export async function listEntries(
  client: Client,
  member: Member,
  { before, ...filters }: Filters & { before?: string | undefined },
  limit: number,
) {
  const { rows } = await client.query<{
    id: number
    at: Date
    by: string
    isYou: boolean
    via: 'console' | 'command'
    assessment: string | null
    action: string
    detail: Detail
    mayName: boolean
  }>(
    sql`select l.id, l.at, ${nameIn(member)} as by, ${namesIn(member)} as "mayName", l.user_id is not distinct from ${member.userId} as "isYou", l.via,
        l.assessment, l.action, ${DETAIL} as detail
      from admin_actions l where ${readable(member)} and ${matches(filters, member)}
        ${before === undefined ? empty : sql`and l.id < ${Number(before)}`}
      order by l.id desc limit ${limit}`,
  )
  const about = await readAbout(client, rows, member)
  return rows.map(({ detail, mayName, ...entry }, index) => ({
    ...entry,
    what: describeAction(entry.action, detail, mayName),
    reason: typeof detail.reason === 'string' ? detail.reason : null,
    facts: factsOf(detail, mayName),
    about: about[index] ?? [],
  }))
}

export async function countEntries(client: Client, member: Member, filters: Filters) {
  const distinct = (column: string) =>
    raw(
      `coalesce(array_agg(distinct ${column} order by ${column}) filter (where ${column} is not null), '{}')`,
    )
  const { rows } = await client.query<{
    count: number
    assessments: string[]
    actors: string[]
    actions: string[]
  }>(
    sql`with found as (
        select l.assessment, ${nameIn(member)} as actor, l.action, ${matches(filters, member)} as fits
        from admin_actions l where ${readable(member)})
      select count(*) filter (where fits)::int as count, ${distinct('assessment')} as assessments,
        ${distinct('actor')} as actors, ${distinct('action')} as actions from found`,
  )
  return rows[0] ?? { count: 0, assessments: [], actors: [], actions: [] }
}

/** Candidates' and members' names, only for members who can see names. */
const NAMING = new Set([
  ...['username', 'usernames', 'candidates', 'moved', 'reopened', 'changes', 'tooLate', 'names'],
  ...['name', 'email', 'emails', 'note', 'people', 'rooms'],
])
/** These fields are shown elsewhere in the entry, or mean nothing to readers. */
const LEFT_OUT = new Set([
  ...['reason', 'key', 'ids', 'changes', 'asOf', 'version', 'picture'],
  // Event ids would link an entry with a name to one with a number.
  ...['event', 'events', 'incident', 'incidents', 'mark'],
])

const LONGEST = 300

/**
 * Lists details beyond the entry's sentence. Pairs such as secondsBefore and secondsAfter become one fact, and a
 * saved form only shows changes.
 * @param mayName whether the reader sees candidates' names (product 7.7.4)
 */
function factsOf(detail: Detail, mayName: boolean): Fact[] {
  const factOf = (name: string, before: unknown, after: unknown): Fact => ({
    name: nameOfKey(name),
    before: isNothing(before) ? null : textOf(before),
    after: textOf(after),
  })
  return Object.entries(detail).flatMap(([key, value]): Fact | Fact[] => {
    if (LEFT_OUT.has(key) || (NAMING.has(key) && !mayName) || isNothing(value)) return []
    if (key === 'before' && isRecord(value)) return []
    const afterKey = key.replace(/^before$/, 'after').replace(/Before$/, 'After')
    if (afterKey !== key) return isNothing(detail[afterKey]) ? factOf(key, null, value) : []
    const beforeKey = key.replace(/^after$/, 'before').replace(/After$/, 'Before')
    if (beforeKey !== key) {
      return factOf(key.replace(/after$/i, '') || 'value', detail[beforeKey], value)
    }
    const was = isRecord(detail.before) ? detail.before[key] : undefined
    if (was === undefined) return factOf(key, null, value)
    if (textOf(was) === textOf(value)) return []
    return factOf(key, isNothing(was) ? 'nothing' : was, value)
  })
}

const isRecord = (value: unknown): value is Detail =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isNothing = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && !value.length)

/** 'deadlineAt' becomes 'deadline at'. */
const nameOfKey = (key: string) =>
  key.replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`)

function textOf(value: unknown): string {
  const text = wordsOf(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)} …` : text
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const isList = Array.isArray(value) && value.every((one) => typeof one !== 'object')
  return isList ? value.join(', ') : JSON.stringify(value)
}

/** An incident or a whole candidate that an entry refers to (product 7.20.1). */
interface AboutIncident extends Pick<Entry['about'][number], 'candidate' | 'number'> {
  incident: { name: string; lead: string; at: Date; strike: number | null } | null
}

/** Actions on incidents: verdicts, reveals and strikes. */
const TELLING = new Set([
  'decide-incident',
  'withdraw-verdict',
  'show-name',
  'show-score',
  'take-strikes-back',
  'restore-strikes',
  'void-event',
])
/** The entry's details name the rest. */
const MOST = 5

/**
 * Finds the incidents and candidates of a page of log entries, in order. Incidents are derived again on each read and
 * keep their ids (product 7.16.1). If an entry has the candidate's name, nothing links to the number, so the log
 * can't reveal hidden names (product 7.16.3).
 */
async function readAbout(
  client: Client,
  entries: readonly {
    action: string
    assessment: string | null
    detail: Detail
    mayName: boolean
  }[],
  { cover }: Member,
) {
  const asked = entries.map(({ action, assessment, detail }) =>
    assessment !== null && TELLING.has(action) ? askedBy(assessment, detail) : null,
  )
  const tests = groupBy(
    asked.filter((one) => one !== null),
    ({ code }) => code,
  )
  const known: Known = new Map()
  for (const [code, ofTest] of tests) await readKnown(client, code, ofTest, known)
  return asked.map((one, index) =>
    one
      ? aboutOf(one, known, entries[index]?.mayName ?? false)
          .slice(0, MOST)
          .map((about) => coverIn(about, cover))
      : [],
  )
}

/**
 * If the entry has the candidate's name, the incident's id and time are left out, because they would identify the
 * number.
 */
const coverIn = ({ candidate, number, incident }: AboutIncident, cover: Member['cover']) => ({
  ...{ candidate: candidate && cover(candidate), number },
  incident: incident && {
    ...incident,
    name: candidate && cover(incident.name),
    at: candidate === null ? new Date(wholeMinute(incident.at.getTime())) : incident.at,
  },
})

type Asked = ReturnType<typeof askedBy>

function askedBy(code: string, detail: Detail) {
  const { candidate, candidates, username, usernames, event, events, incident, incidents } = detail
  const numbers = (...given: unknown[]) => given.flat().filter((one) => typeof one === 'number')
  const texts = (...given: unknown[]) => given.flat().filter((one) => typeof one === 'string')
  return {
    code,
    numbers: numbers(candidate, candidates),
    usernames: texts(username, usernames),
    events: numbers(event, events),
    incidents: texts(incident, incidents),
  }
}

/** Candidates by test and by number or username. */
type Known = Map<string, IncidentCandidate>
const numbered = (code: string, number: number | null) => `${code} number ${number}`
const named = (code: string, username: string) => `${code} name ${username}`

async function readKnown(client: Client, code: string, asked: readonly Asked[], known: Known) {
  const { rows } = await client.query<{ id: string; username: string }>(
    sql`select c.id, c.username from candidates c
     left join blind_numbers b on b.candidate_id = c.id and b.assessment = c.assessment
     where c.assessment = ${code} and not c.is_demo
       and (b.number = any (${asked.flatMap(({ numbers }) => numbers)}::int[])
         or c.username = any (${asked.flatMap(({ usernames }) => usernames)}::text[]))`,
  )
  const usernames = new Map(rows.map(({ id, username }) => [id, username]))
  for (const one of await readIncidents(client, code, { only: [...usernames.keys()] })) {
    known.set(numbered(code, one.number), one)
    known.set(named(code, usernames.get(one.candidateId) ?? ''), one)
  }
}

function aboutOf(asked: Asked, known: Known, mayName: boolean): AboutIncident[] {
  const { code, numbers, usernames, events, incidents } = asked
  const called = [
    ...numbers.map((number) => ({ one: known.get(numbered(code, number)), isNamed: false })),
    ...usernames.map((username) => ({ one: known.get(named(code, username)), isNamed: mayName })),
  ]
  return called.flatMap(({ one, isNamed }): AboutIncident[] => {
    if (!one) return []
    const whose = isNamed
      ? { candidate: null, number: null }
      : { candidate: one.candidateId, number: one.number }
    const found = one.incidents.filter(
      (each) => incidents.includes(each.name) || each.events.some((id) => events.includes(id)),
    )
    if (found.length === 0) return isNamed ? [] : [{ ...whose, incident: null }]
    return found.map((each) => {
      const lead = incidentWords(each, () => '').lead.replace(/\.$/, '')
      return {
        ...whose,
        incident: {
          name: each.name,
          lead: each.report ? 'What a member reported' : lead,
          at: each.at,
          strike: each.strike?.number ?? null,
        },
      }
    })
  })
}
