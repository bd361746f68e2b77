import type pg from 'pg'
import { type Candidate, getCandidateByName } from '../../assessments/server/candidate-store.ts'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { AdminError } from '../../platform/server/admin-error.ts'

/** Who acts on which database, and when. */
export interface Organiser {
  db: Database
  /** whole milliseconds, as all instants of attempts: the sweep compares deadlines for equality */
  now: Date
  /** the operating system's user */
  actor: string
}

export type Client = Pick<pg.PoolClient, 'query'>

/** What goes into the audit log beside the result. Never a password. */
export interface Done<T> {
  result: T
  detail: Record<string, unknown>
}

/**
 * Does something an organiser asked for and notes it in the audit log, in one transaction: no action
 * without its note, no note without its action (product 7.1.2).
 * @param code the assessment, or null for an action on all of them
 */
export function act<T>(
  { db, now, actor }: Organiser,
  action: string,
  code: string | null,
  work: (client: Client) => Promise<Done<T>>,
): Promise<T> {
  return inTransaction(db, async (client) => {
    const { result, detail } = await work(client)
    await client.query(
      'insert into admin_actions (at, actor, action, assessment, detail) values ($1, $2, $3, $4, $5)',
      [now, actor, action, code, JSON.stringify(detail)],
    )
    return result
  })
}

export interface AssessmentRow {
  code: string
  society: string
  session: string | null
  durationSeconds: number
  opensAt: Date | null
  closesAt: Date | null
  timeZone: string
  isSample: boolean
  contentHash: string | null
  createdAt: Date
}

/**
 * The assessment of a code.
 * @param lock 'change' makes other organisers wait, 'replace' makes candidates who start wait too
 * Errors: AdminError when there is none, with the codes that exist.
 */
export async function requireAssessment(
  client: Client,
  code: string,
  lock: 'none' | 'change' | 'replace' = 'none',
): Promise<AssessmentRow> {
  const row = await getAssessment(client, code, lock)
  if (row) return row
  const { rows } = await client.query<{ code: string }>(
    'select code from assessments order by code',
  )
  throw new AdminError(
    rows.length === 0
      ? `There is no assessment ${code}, and no other: load one first (assessments load FILE).`
      : `There is no assessment ${code}; there are: ${rows.map((known) => known.code).join(', ')}.`,
  )
}

const LOCKS = { none: '', change: 'for no key update', replace: 'for update' }

/** The assessment of a code, or null. */
export async function getAssessment(
  client: Client,
  code: string,
  lock: 'none' | 'change' | 'replace' = 'none',
): Promise<AssessmentRow | null> {
  const { rows } = await client.query<AssessmentRow>(
    `select code, society, session, duration_seconds as "durationSeconds", opens_at as "opensAt",
       closes_at as "closesAt", time_zone as "timeZone", is_sample as "isSample",
       content_hash as "contentHash", created_at as "createdAt"
     from assessments where code = $1 ${LOCKS[lock]}`,
    [code],
  )
  return rows[0] ?? null
}

/**
 * A candidate, locked against other organisers and starts.
 * Errors: AdminError.
 */
export async function requireCandidate(
  client: Client,
  code: string,
  username: string,
): Promise<Candidate> {
  const name = normaliseUsername(username)
  const candidate = await getCandidateByName(client, code, name, 'change')
  if (candidate) return candidate
  throw new AdminError(`There is no candidate ${username} in ${code}.`)
}

/** A username as it is stored: one form of each letter, whichever computer wrote it. */
export function normaliseUsername(username: string): string {
  return username.normalize('NFC').trim()
}

/** Errors: AdminError for a reason that says nothing. */
export function requireReason(reason: string): string {
  const text = reason.trim()
  if (text === '') throw new AdminError('Please give a reason in words: it is kept for an appeal.')
  return text
}

/**
 * Minutes as somebody typed them, in seconds.
 * Errors: AdminError for anything but a number of minutes up to a day.
 */
export function parseMinutes(text: string): number {
  const minutes = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text.trim()) || minutes > 1440) {
    throw new AdminError(`'${text}' is no number of minutes between 0 and 1440, such as 10 or 7.5.`)
  }
  return Math.round(minutes * 60)
}
