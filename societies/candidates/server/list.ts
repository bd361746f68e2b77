import sql, { raw } from 'sql-template-tag'
import type { ResponseOf } from '../../../platform/endpoint.ts'
import type { Sendable } from '../../../platform/server/api.ts'
import { writeCsvInSlices } from '../../../platform/server/csv/csv.ts'
import { mapInSlices, sortInSlices } from '../../../platform/server/shares/slices.ts'
import { type AssessmentRow, requireAssessment } from '../../access/server/assessments.ts'
import type { MemberInTest } from '../../access/server/serve-members.ts'
import { act, type Client, read } from '../../kit/server/action.ts'
import { formatLocalTime } from '../../kit/server/local-time.ts'
import { refuse } from '../../kit/server/refuse.ts'
import { exemptionsOf } from '../../setup/exemptions.ts'
import type * as contract from '../contract.ts'
import { type OwnStart, slipTold, toldOf, withOwnStart } from '../credential-letter.ts'

type Facts = contract.CandidateFacts
type Mail = Omit<NonNullable<Facts['mail']>, 'at'> & { at: Date }

export type Candidate = Omit<Facts, 'mail' | 'passwordMadeAt' | 'triedAt'> &
  Record<'passwordMadeAt' | 'triedAt', Date | null> & { mail: Mail | null }
type Mails = Sendable<ResponseOf<typeof contract.listMails>>
type History = Sendable<ResponseOf<typeof contract.getCandidate>>

/** Selects candidate c with the newest mail m, the attempt t and the newest computer check d (product 7.11.4). */
const COLUMNS = `c.id, c.username, c.name, c.email, c.room, c.note, c.extra_seconds as "extraSeconds",
  c.starts_from as "startsFrom", c.starts_until as "startsUntil", c.exempt_kinds as "exemptKinds", c.version, c.changed_by as "changedBy",
  c.password_made_at as "passwordMadeAt", c.revoked_at is not null as "isRevoked",
  case when t.id is null then 'none' when t.submitted_at is null then 'inside' else 'done' end as attempt,
  t.id is null and exists (
    select from candidate_tokens k where k.candidate_id = c.id) as "isWaiting",
  d.checked_at as "triedAt", coalesce(d.troubles, '{}') as findings,
  m.state, m.address, m.changed_at as at, m.error, m.told, c.slip_told as "onSlip",
  a.opens_at as "opensAt", a.closes_at as "closesAt", a.time_zone as "timeZone",
  a.duration_seconds as "durationSeconds"`
const FROM = `candidates c join assessments a on a.code = c.assessment left join attempts t on t.candidate_id = c.id
  left join device_checks d on d.candidate_id = c.id
  left join lateral (select * from credential_mails x where x.candidate_id = c.id
    order by x.created_at desc, x.id limit 1) m on true`

type Row = Omit<Candidate, 'mail' | 'isToldOtherwise' | 'starts'> &
  OwnStart &
  Pick<AssessmentRow, 'opensAt' | 'closesAt' | 'timeZone' | 'durationSeconds'> &
  Omit<Mail, 'state'> & {
    /** The newest mail's state; null if there is no mail. */
    state: Mail['state'] | null
    /** The time in that mail. */
    told: string | null
    /** The time on the printed sheet with the current password; null if no sheet has it. */
    onSlip: string | null
  }

/** Lists the candidates of a test or of the member's room by name, without demo candidates. */
export async function readCandidates(
  client: Client,
  { code, societyId, room }: MemberInTest,
): Promise<Candidate[]> {
  const { rows } = await client.query<Row>(
    sql`select ${raw(COLUMNS)} from ${raw(FROM)}
     where c.assessment = ${code} and a.society_id = ${societyId} and not c.is_demo
       and (${room}::text is null or c.room = ${room})
     order by lower(coalesce(c.name, c.username)), c.username`,
  )
  // Collate so that É sorts next to E and Ø next to O. The database would sort them last.
  const { compare } = new Intl.Collator('en', { numeric: true })
  return sortInSlices(await mapInSlices(rows, withMail), (a, b) =>
    compare(a.name ?? a.username, b.name ?? b.username),
  )
}

export async function requireCandidate(
  client: Client,
  code: string,
  id: string,
): Promise<Candidate> {
  const { rows } = await client.query<Row>(
    sql`select ${raw(COLUMNS)} from ${raw(FROM)} where c.assessment = ${code} and c.id = ${id} and not c.is_demo`,
  )
  if (rows[0]) return withMail(rows[0])
  throw refuse(404, 'no_such_candidate', GONE)
}

const GONE = 'This candidate is no longer on the list.'

function withMail(row: Row): Candidate {
  const { state, address, at, error, told, onSlip, ...rest } = row
  const { opensAt, closesAt, timeZone, durationSeconds, startsFrom, startsUntil, ...facts } = rest
  const test = { opensAt, closesAt, timeZone, durationSeconds }
  const time = withOwnStart(test, { startsFrom, startsUntil })
  const isOut = state === 'sent' || state === 'unsure'
  const local = (at: Date) => formatLocalTime(at, timeZone)
  return {
    ...facts,
    starts: startsFrom &&
      startsUntil && {
        from: local(startsFrom),
        until: local(startsUntil),
        fromAt: startsFrom.toISOString(),
        untilAt: startsUntil.toISOString(),
      },
    isToldOtherwise:
      onSlip === null ? isOut && told !== null && told !== toldOf(time) : onSlip !== slipTold(time),
    mail: state && { state, address, at, error },
  }
}

/** Returns newest mails whose state has changed since a moment, and the total number waiting. */
export function listMailsSince(organizer: MemberInTest, since: Date): Promise<Mails> {
  return read(organizer, async (client) => {
    const { rows } = await client.query<Mails['changed'][number] & { at: Date }>(
      sql`select m.candidate_id as candidate, m.state, m.address, m.changed_at as at, m.error,
         c.password_made_at as "passwordMadeAt"
       from ${raw(FROM)}
       where c.assessment = ${organizer.code} and a.society_id = ${organizer.societyId} and not c.is_demo
         and (m.changed_at >= ${since} or m.state = 'queued')
         and (${organizer.room}::text is null or c.room = ${organizer.room})`,
    )
    return {
      changed: rows.filter(({ at }) => at >= since),
      waiting: rows.filter(({ state }) => state === 'queued').length,
      asOf: organizer.now,
    }
  })
}

/** Returns the time given during the test, and the mails, oldest first. Errors: 404 not_found. */
export function readHistory(organizer: MemberInTest, id: string): Promise<History> {
  return read(organizer, async (client) => {
    const { rows } = await client.query<{ givenSeconds: number }>(
      sql`select coalesce(t.incident_seconds, 0) as "givenSeconds"
       from candidates c join assessments a on a.code = c.assessment
       left join attempts t on t.candidate_id = c.id
       where c.assessment = ${organizer.code} and a.society_id = ${organizer.societyId} and c.id = ${id}
       and not c.is_demo`,
    )
    if (!rows[0]) throw refuse(404, 'not_found', GONE)
    const mails = await client.query<History['mails'][number]>(
      sql`select state, address, changed_at as at, error, made_by as "madeBy", created_at as "createdAt"
       from credential_mails where candidate_id = ${id} order by created_at desc, id limit 50`,
    )
    return { ...rows[0], mails: mails.rows.reverse() }
  })
}

/** Exports candidates as CSV in the order of `ids`, and logs it because data leaves the server (product 7.1.2). */
export function writeCandidates(
  organizer: MemberInTest,
  ids: readonly string[],
): Promise<{ csv: string }> {
  return act(organizer, 'export-candidates', organizer.code, async (client) => {
    await requireAssessment(client, organizer)
    const byId = new Map((await readCandidates(client, organizer)).map((one) => [one.id, one]))
    const chosen = ids.flatMap((id) => byId.get(id) ?? [])
    const csv = await writeCsvInSlices(
      CSV.map(([name]) => name),
      chosen,
      (one) => CSV.map(([, cellOf]) => cellOf(one)),
    )
    return { result: { csv }, detail: { candidates: chosen.length } }
  })
}

const CSV: readonly [string, (one: Candidate) => unknown][] = [
  ['name', ({ name }) => name ?? ''],
  ['username', ({ username }) => username],
  ['email', ({ email }) => email ?? ''],
  ['room', ({ room }) => room ?? ''],
  ['extra_minutes', ({ extraSeconds }) => extraSeconds / 60],
  ['exempt', ({ exemptKinds }) => shortExemptions(exemptKinds)],
  ['note', ({ note }) => note ?? ''],
  ['password_by_mail', ({ mail }) => mail?.state ?? 'not sent'],
  ['tried_computer', ({ triedAt }) => triedAt?.toISOString() ?? 'not tried'],
  ['starts_from', ({ starts }) => starts?.from ?? ''],
  ['starts_until', ({ starts }) => starts?.until ?? ''],
]
const shortExemptions = (kinds: readonly string[]) =>
  exemptionsOf(kinds)
    .map(({ short }) => short)
    .join(', ')
