import type { CandidateFacts } from '../../contract/candidates.ts'
import { slipTold, toldOf } from '../../credential-letter.ts'
import { type Client, type Organiser, read } from '../action.ts'

/** A candidate c with the newest mail m, the attempt t and the newest check d of the computer (product 7.11.4). */
const SHOWN = `c.id, c.username, c.name, c.email, c.room, c.note, c.extra_seconds as "extraSeconds",
  c.exempt_kinds as "exemptKinds", c.version, c.changed_by as "changedBy",
  c.password_made_at as "passwordMadeAt", c.revoked_at is not null as "isRevoked",
  case when t.id is null then 'none' when t.submitted_at is null then 'inside' else 'done' end as attempt,
  t.id is null and exists (
    select from candidate_tokens k where k.candidate_id = c.id) as "isWaiting",
  d.checked_at as "triedAt", coalesce(d.troubles, '{}') as findings, m.state as "mailState", m.address as "mailAddress", m.error as "mailError",
  m.changed_at as "mailAt", m.told, c.slip_told as "onSlip", a.opens_at as "opensAt", a.closes_at as "closesAt",
  a.time_zone as "timeZone", a.duration_seconds as "durationSeconds"`
const FROM = `candidates c join assessments a on a.code = c.assessment left join attempts t on t.candidate_id = c.id
  left join device_checks d on d.candidate_id = c.id
  left join lateral (select * from credential_mails x where x.candidate_id = c.id
    order by x.created_at desc, x.id limit 1) m on true`

type Row = Omit<CandidateFacts, 'mail' | 'passwordMadeAt' | 'triedAt' | 'isToldOtherwise'> & {
  told: string | null
  /** what the slip with the password that counts tells of the time; null: it is on none */
  onSlip: string | null
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  durationSeconds: number
  passwordMadeAt: Date | null
  triedAt: Date | null
  mailState: NonNullable<CandidateFacts['mail']>['state'] | null
  mailAddress: string
  mailError: string | null
  mailAt: Date
}

/** The candidates of an assessment, by name; demo candidates are for trying out and stay away. */
export function listCandidates(
  organiser: Pick<Organiser, 'db'>,
  societyId: string,
  code: string,
): Promise<CandidateFacts[]> {
  return read(organiser, (client) => readCandidates(client, societyId, code))
}

/** The same in a transaction of the caller's. */
export async function readCandidates(
  client: Client,
  societyId: string,
  code: string,
): Promise<CandidateFacts[]> {
  const { rows } = await client.query<Row>(
    `select ${SHOWN} from ${FROM}
     where c.assessment = $1 and a.society_id = $2 and not c.is_demo
     order by lower(coalesce(c.name, c.username)), c.username`,
    [code, societyId],
  )
  // As people look a name up: É beside E, Ø beside O, which the database's own order puts at the end.
  return rows.map(shown).sort((a, b) => BY_NAME.compare(a.name ?? a.username, b.name ?? b.username))
}

const BY_NAME = new Intl.Collator('en', { numeric: true })

/** One of them, or null. */
export async function getCandidateFacts(
  client: Client,
  code: string,
  id: string,
): Promise<CandidateFacts | null> {
  const { rows } = await client.query<Row>(
    `select ${SHOWN} from ${FROM} where c.assessment = $1 and c.id = $2 and not c.is_demo`,
    [code, id],
  )
  return rows[0] ? shown(rows[0]) : null
}

function shown(row: Row): CandidateFacts {
  const { mailState, mailAddress, mailError, mailAt, told, onSlip, ...rest } = row
  const { opensAt, closesAt, timeZone, durationSeconds, ...facts } = rest
  const time = { opensAt, closesAt, timeZone, durationSeconds }
  const isOut = mailState === 'sent' || mailState === 'unsure'
  return {
    ...facts,
    isToldOtherwise:
      onSlip === null ? isOut && told !== null && told !== toldOf(time) : onSlip !== slipTold(time),
    passwordMadeAt: row.passwordMadeAt?.toISOString() ?? null,
    triedAt: row.triedAt?.toISOString() ?? null,
    mail: mailState && {
      state: mailState,
      address: mailAddress,
      at: mailAt.toISOString(),
      error: mailError,
    },
  }
}

export interface MailRow {
  candidate: string
  state: NonNullable<CandidateFacts['mail']>['state']
  address: string
  at: Date
  error: string | null
  passwordMadeAt: Date | null
}

/** Newest mails whose state has changed since a moment, and how many wait in all. */
export function listMailsSince(
  organiser: Pick<Organiser, 'db'>,
  societyId: string,
  code: string,
  since: Date,
): Promise<{ changed: MailRow[]; waiting: number }> {
  return read(organiser, async (client) => {
    const { rows } = await client.query<MailRow & { waiting: number }>(
      `select m.candidate_id as candidate, m.state, m.address, m.changed_at as at, m.error,
         c.password_made_at as "passwordMadeAt"
       from ${FROM}
       where c.assessment = $1 and a.society_id = $2 and not c.is_demo
         and (m.changed_at >= $3 or m.state = 'queued')`,
      [code, societyId, since],
    )
    return {
      changed: rows.filter(({ at }) => at >= since),
      waiting: rows.filter(({ state }) => state === 'queued').length,
    }
  })
}

export interface CandidateHistory {
  givenSeconds: number
  mails: {
    state: NonNullable<CandidateFacts['mail']>['state']
    address: string
    at: Date
    error: string | null
    madeBy: string
    createdAt: Date
  }[]
}

/** What was given on the day beside what was planned, and the mails, oldest first; null for nobody. */
export function getHistory(
  organiser: Pick<Organiser, 'db'>,
  societyId: string,
  code: string,
  id: string,
): Promise<CandidateHistory | null> {
  return read(organiser, async (client) => {
    const { rows } = await client.query<{ givenSeconds: number }>(
      `select coalesce(t.incident_seconds, 0) as "givenSeconds"
       from candidates c join assessments a on a.code = c.assessment
       left join attempts t on t.candidate_id = c.id
       where c.assessment = $1 and a.society_id = $2 and c.id = $3 and not c.is_demo`,
      [code, societyId, id],
    )
    if (!rows[0]) return null
    const mails = await client.query<CandidateHistory['mails'][number]>(
      `select state, address, changed_at as at, error, made_by as "madeBy", created_at as "createdAt"
       from credential_mails where candidate_id = $1 order by created_at desc, id limit 50`,
      [id],
    )
    return { givenSeconds: rows[0].givenSeconds, mails: mails.rows.reverse() }
  })
}
