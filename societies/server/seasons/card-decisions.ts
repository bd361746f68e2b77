import type { CardContent } from '../../contract/card.ts'
import { ROLES } from '../../roles.ts'
import type { Client } from '../action.ts'
import { readOpen } from '../incidents/undecided.ts'
import { checkChain } from '../log/read-log.ts'
import { LEAST_GROUP } from './card-groups.ts'

/*
 * What was decided in a season, as counts over everybody: rulings, incidents, time, who acted. Each query takes
 * the codes of the season's assessments.
 */

type Rulings = CardContent['rulings']
type Shifts = CardContent['shifts']

/** Rulings that stand, in the order of the test (product 7.21.6). */
export async function readRulings(
  client: Client,
  codes: readonly string[],
  nameOf: (code: string) => string | null,
  satOf: (code: string) => number,
): Promise<Rulings> {
  const { rows } = await client.query<{
    code: string
    question: number
    kind: Rulings[number]['kind']
    reason: string
    changed: number | null
    isBeforeNames: boolean
  }>(
    `select i.assessment as code, i.position as question, r.kind, r.reason,
       case when exists (select from ruling_results x where x.ruling_id = r.id) then
         (select count(*)::int from ruling_results x join attempts a on a.id = x.attempt_id
          where x.ruling_id = r.id and not a.is_demo
            and (x.correct_after, x.incorrect_after) is distinct from (x.correct_before, x.incorrect_before))
       end as changed,
       l.names_shown_at is null or l.names_shown_at > r.created_at as "isBeforeNames"
     from standing_rulings r join assessment_items i on i.id = r.item_id
     left join result_lines l on l.assessment = i.assessment
     where i.assessment = any ($1) order by array_position($1, i.assessment), i.position, r.id`,
    [codes],
  )
  const names = await readNames(client, codes)
  return rows.map(({ code, reason, changed, ...ruling }) => ({
    ...ruling,
    name: nameOf(code),
    reason: withoutNames(reason, names),
    // How many of ten had a question wrong is a statistic of ten.
    changed: satOf(code) < LEAST_GROUP ? null : changed,
  }))
}

/** Points given for harder questions that stand. */
export async function readShifts(
  client: Client,
  codes: readonly string[],
  nameOf: (code: string) => string | null,
): Promise<Shifts> {
  const { rows } = await client.query<{ code: string; points: number; reason: string }>(
    `select assessment as code, points, reason from score_shifts
     where assessment = any ($1) and withdrawn_at is null order by array_position($1, assessment)`,
    [codes],
  )
  const names = await readNames(client, codes)
  return rows.map(({ code, points, reason }) => ({
    ...{ name: nameOf(code), points },
    reason: withoutNames(reason, names),
  }))
}

/** Words that tell who somebody is: what the list says of candidates, and who acted. In lower case. */
async function readNames(client: Client, codes: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ word: string }>(
    `select distinct lower(word) as word from (
       select unnest(array[username, name, email, room]) as word from candidates where assessment = any ($1)
       union select actor from admin_actions where assessment = any ($1)
     ) known where length(btrim(word)) > 2`,
    [codes],
  )
  return rows.map(({ word }) => word.trim())
}

/** A reason is public, and written by hand: one that names somebody, or has an address, is left out. */
export function withoutNames(reason: string, names: readonly string[]): string | null {
  const text = ` ${reason.toLowerCase().replace(/[^\p{L}\p{N}@.+_-]+/gu, ' ')} `
  const stands = (name: string) => {
    const words = ` ${name.replace(/[^\p{L}\p{N}@.+_-]+/gu, ' ')} `
    return text.includes(words) || text.replace(/[.,]+ /g, ' ').includes(words)
  }
  return /\S@\S/.test(reason) || names.some(stands) ? null : reason
}

/** How many incidents were decided how; a verdict that asks for a talk has cleared nobody. */
export async function countIncidents(
  client: Client,
  codes: readonly string[],
): Promise<CardContent['incidents']> {
  const { rows } = await client.query<{ verdict: string; count: number }>(
    `select v.verdict, count(*)::int as count
     from incident_verdicts v join candidates c on c.id = v.candidate_id
     where c.assessment = any ($1) and not c.is_demo and v.withdrawn_at is null
     group by v.verdict`,
    [codes],
  )
  const { rows: how } = await client.query<{ byReporter: number }>(
    `select count(*)::int as "byReporter"
     from incident_verdicts v join candidates c on c.id = v.candidate_id
     where c.assessment = any ($1) and v.withdrawn_at is null and exists (
       select from incident_reports r where r.candidate_id = v.candidate_id and r.user_id = v.user_id)`,
    [codes],
  )
  let [undecided, waitForTalk] = [0, 0]
  for (const code of codes) {
    for (const one of (await readOpen(client, code)).values()) {
      undecided += one.undecided
      waitForTalk += one.waitForTalk
    }
  }
  // Their words were not written for the public.
  const { rows: rooms } = await client.query<{ count: number }>(
    `select count(*)::int as count from incident_reports
     where assessment = any ($1) and candidate_id is null`,
    [codes],
  )
  const of = (verdict: string) => rows.find((row) => row.verdict === verdict)?.count ?? 0
  return {
    cleared: of('cleared'),
    upheld: of('upheld'),
    waitForTalk,
    undecided,
    ofRooms: rooms[0]?.count ?? 0,
    byReporter: how[0]?.byReporter ?? 0,
  }
}

/** Time planned and given, of those who sat; attempts opened again, strikes taken back. */
export async function countTime(
  client: Client,
  codes: readonly string[],
): Promise<CardContent['time']> {
  const { rows } = await client.query<
    Omit<CardContent['time'], 'givenSeconds'> & { least: number | null; most: number | null }
  >(
    `with sat as (
       select a.id, a.candidate_id, a.incident_seconds, c.extra_seconds
       from attempts a join candidates c on c.id = a.candidate_id
       where a.assessment = any ($1) and not a.is_demo and a.submitted_at is not null
     )
     select (select count(*)::int from sat where extra_seconds > 0) as planned,
       (select count(*)::int from sat where incident_seconds > 0) as given,
       (select min(incident_seconds) from sat where incident_seconds > 0) as least,
       (select max(incident_seconds) from sat where incident_seconds > 0) as most,
       (select count(*)::int from sat where exists (
          select from attempt_events e where e.attempt_id = sat.id and e.kind = 'reopened')) as reopened,
       (select count(*)::int from attempt_events e join sat on sat.id = e.attempt_id
        where e.is_violation and e.voided_at is not null) as "takenBack"`,
    [codes],
  )
  const { least, most, ...counts } = rows[0] as NonNullable<(typeof rows)[0]>
  const isOne = least === most && counts.given >= LEAST_GROUP
  return { ...counts, givenSeconds: isOne ? least : null }
}

/** Who acted, each once by the role that allows most, now or before. */
export async function countPeople(
  client: Client,
  societyId: string,
  codes: readonly string[],
): Promise<CardContent['people']> {
  const { rows } = await client.query<{ role: (typeof ROLES)[number] | null; count: number }>(
    `select role, count(*)::int as count from (
       select (select m.role from memberships m where m.user_id = l.user_id and m.society_id = $2
         order by array_position($3, m.role) limit 1) as role
       from admin_actions l where l.assessment = any ($1) and l.via = 'console'
       group by l.user_id, case when l.user_id is null then l.actor end
     ) acted group by role`,
    [codes, societyId, ['owner', 'reviewer', 'author', 'invigilator']],
  )
  const { rowCount } = await client.query(
    `select from admin_actions where assessment = any ($1) and via = 'command' limit 1`,
    [codes],
  )
  const of = (role: string | null) => rows.find((row) => row.role === role)?.count ?? 0
  const [owner, author, invigilator, reviewer] = ROLES.map(of) as [number, number, number, number]
  return {
    ...{ owner, reviewer, author, invigilator },
    gone: of(null),
    isAtKeyboard: (rowCount ?? 0) > 0,
  }
}

/** The entries about these assessments, and whether the society's log is what was written. */
export async function readLogState(
  client: Client,
  societyId: string,
  codes: readonly string[],
): Promise<CardContent['log']> {
  const { rows } = await client.query<{ entries: number }>(
    'select count(*)::int as entries from admin_actions where assessment = any ($1)',
    [codes],
  )
  const { brokenAt } = await checkChain(client, societyId)
  return { entries: rows[0]?.entries ?? 0, isWhole: brokenAt === null }
}
