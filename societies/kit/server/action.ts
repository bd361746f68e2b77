import type pg from 'pg'
import sql, { type Sql } from 'sql-template-tag'
import { nameOf } from '../../../accounts/email.ts'
import type { Database } from '../../../platform/database/database.ts'
import { inTransaction, orHeld } from '../../../platform/database/transaction.ts'
import type { ApiError } from '../../../platform/server/api.ts'
import type { CurrentUser } from '../../../platform/server/current-user.ts'
import type { AppDependencies } from '../../../platform/server/dependencies.ts'
import { createLine, type InLine } from '../../../platform/server/shares/line.ts'
import { refuse } from './refuse.ts'

export interface Organizer {
  db: Database
  /** whole milliseconds, as all instants of attempts: the sweep compares deadlines for equality */
  now: Date
  /** for the audit log: at the command line the operating system's user, in the browser the member's name */
  actor: string
  /** the member's account; left out at the command line */
  userId?: string
  /** whose share of the line its acts take; left out at the command line */
  societyId?: string
  /** made by the page when its dialog opens: the same request again changes nothing (product 7.15.3) */
  requestId?: string
  /** what the call with that id asked for, hashed: the same id with something else is refused */
  asked?: string
  /** whether the member hung up; left out at the command line */
  isGone?: () => boolean
}

/** The member who makes a call in the browser, now. */
export const memberOf =
  ({ db, now }: Pick<AppDependencies, 'db' | 'now'>) =>
  (user: CurrentUser, requestId?: string): Organizer & { userId: string } => ({
    db,
    now: now(),
    actor: nameOf(user.email),
    userId: user.id,
    requestId,
  })

export type Client = Pick<pg.PoolClient, 'query'>
/** Who takes a slot of the queue. */
type Asker = Pick<Organizer, 'db' | 'userId' | 'societyId' | 'isGone'>

/** Reads and exports of one node that run at once: most of its connections have to be free for saves. */
const LOOKS_AT_ONCE = 3
/** Of those, one member's: another always finds a place. */
const MEMBER_AT_ONCE = 2
/** After a long read a member's place rests twice as long. */
const REST = 2
/** Actions that take data out: they hold a connection as long as a large page does. */
const TAKES_OUT = /^(export.*|slips)$/

/** Acts of one node that run at once, and of those one society's: each may wait for the row of a test. */
const ACTS_AT_ONCE = 4
const SOCIETY_AT_ONCE = 2

const lines = new WeakMap<Database, InLine>()
const actLines = new WeakMap<Database, InLine>()

/** Has members of all societies take turns, before they hold a connection. Errors: those of a line. */
function inTurn<T>({ db, userId = '', isGone }: Asker, work: () => Promise<T>): Promise<T> {
  const line = lines.get(db) ?? createLine(LOOKS_AT_ONCE, { atOnce: MEMBER_AT_ONCE, rest: REST })
  lines.set(db, line)
  return line({ share: userId, isGone }, work)
}

/** Has acts of all societies take turns before they hold a connection; a society's places rest as long as it acted. */
function actInTurn<T>({ db, societyId, userId = '' }: Asker, work: () => Promise<T>): Promise<T> {
  const line = actLines.get(db) ?? createLine(ACTS_AT_ONCE, { atOnce: SOCIETY_AT_ONCE, rest: 1 })
  actLines.set(db, line)
  return line({ share: societyId ?? userId }, work)
}

/** A result, and the details for the audit log: never a password, and null where nothing was done, which writes no line. */
export interface Done<T> {
  result: T
  detail: Record<string, unknown> | null
}

/**
 * Does something an organizer asked for and writes it in the audit log, in one transaction: no action without its line,
 * no line without its action (product 7.1.2). Exports of keys or candidates' data are done like this too. A repeated
 * request gets its first answer, and does nothing. Errors: 409 request_used, and those of the work.
 * @param code the assessment; a function where the work creates it: called afterwards
 * @param what its result is kept as JSON where the organizer's request has an id
 */
export function act<T>(
  organizer: Organizer,
  action: string,
  code: string | (() => string),
  what: (client: Client) => Promise<Done<T>>,
): Promise<T> {
  const done = async (client: Client) => {
    const { requestId: id } = organizer
    const request = id === undefined || typeof code !== 'string' ? null : { id, action, code }
    const earlier = request && (await readAnswer<T>(client, organizer, request))
    if (earlier) return earlier.result
    // Looked up before and after, because the work may create the assessment, or delete it.
    const before = typeof code === 'string' ? await societyOf(client, code) : null
    const { result, detail } = await what(client)
    const named = typeof code === 'string' ? code : code()
    const societyId = before ?? (await societyOf(client, named))
    if (request) {
      const { userId: by = null, asked = null } = organizer
      const answer = JSON.stringify({ by, asked, answer: result })
      await client.query(
        sql`insert into organiser_calls (id, assessment, action, answer, created_at)
          values (${request.id}, ${request.code}, ${action}, ${answer}, ${organizer.now})`,
      )
    }
    if (detail) await note(client, organizer, { action, societyId, code: named, detail })
    return result
  }
  const work = () => inTransaction(organizer.db, done)
  return (TAKES_OUT.test(action) ? inTurn : actInTurn)(organizer, work)
}

/** The same for a society as a whole: its members and invitations. */
export function actInSociety<T>(
  organizer: Organizer,
  action: string,
  societyId: string,
  work: (client: Client) => Promise<Done<T>>,
): Promise<T> {
  const done = () =>
    inTransaction(organizer.db, async (client) => {
      const { result, detail } = await work(client)
      if (detail) await note(client, organizer, { action, societyId, code: null, detail })
      return result
    })
  return (TAKES_OUT.test(action) ? inTurn : actInTurn)(organizer, done)
}

/** The answer to an earlier request of the same id, waited for. Errors: 409 request_used. */
async function readAnswer<T>(
  client: Client,
  { userId, asked }: Organizer,
  { id, action, code }: { id: string; action: string; code: string },
): Promise<{ result: T } | null> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [id])
  const { rows } = await client.query<{ answer: { answer: T }; isSame: boolean }>(
    `select answer, assessment = $2 and action = $3 and answer ->> 'by' is not distinct from $4
       and coalesce(answer ->> 'asked' = $5, true) as "isSame"
     from organiser_calls where id = $1`,
    [id, code, action, userId ?? null, asked ?? null],
  )
  if (!rows[0]) return null
  if (!rows[0].isSame) throw requestUsed()
  return { result: rows[0].answer.answer }
}

/** For an id of the page's that came with something else before. */
export const requestUsed = () => {
  const sentence = 'This was already sent for something else. Close the dialog and open it again.'
  return refuse(409, 'request_used', sentence)
}

async function societyOf(client: Client, code: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    'select society_id as id from assessments where code = $1',
    [code],
  )
  return rows[0]?.id ?? null
}

/** Writes a line of the audit log, which nobody can change or delete (product 7.20.2). */
export async function note(
  client: Client,
  { now, actor, userId }: Omit<Organizer, 'db'>,
  line: {
    action: string
    societyId: string | null
    code: string | null
    detail: Record<string, unknown>
  },
): Promise<void> {
  await client.query(
    sql`insert into admin_actions (at, actor, user_id, via, action, society_id, assessment, detail)
      values (${now}, ${actor}, ${userId ?? null}, ${userId ? 'console' : 'command'}, ${line.action},
        ${line.societyId}, ${line.code}, ${JSON.stringify(line.detail)})`,
  )
}

/**
 * Reads everything as of one moment, and writes no line in the log: Live asks every few seconds (product 7.1.2).
 * Nothing can be changed or locked here.
 */
export const read = <T>(organizer: Asker, look: (client: Client) => Promise<T>): Promise<T> =>
  inTurn(organizer, () => readOnce(organizer.db, look))

/** The same in no line: for calls that take turns elsewhere. */
export const readOnce = <T>(db: Database, look: (client: Client) => Promise<T>): Promise<T> =>
  inTransaction(db, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only')
    return look(client)
  })

export const readRows = <Row extends pg.QueryResultRow>(
  organizer: Asker,
  statement: Sql,
): Promise<Row[]> => read(organizer, async (client) => (await client.query<Row>(statement)).rows)

const ROLLED_BACK = new Error('rolled back')
/** How long a preview waits for a row that another transaction holds, milliseconds. */
const FORESEEING_WAITS_MS = 300

/** Previews an action in a transaction that is rolled back; it locks no row that a save needs. */
export async function foresee<T>(
  organizer: Asker,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const outcomes: T[] = []
  const tried = inTurn(organizer, () =>
    inTransaction(organizer.db, async (client) => {
      await client.query(`set local lock_timeout = ${FORESEEING_WAITS_MS}`)
      outcomes.push(await orHeld(work(client)))
      throw ROLLED_BACK
    }),
  )
  await tried.catch((error) => {
    if (error !== ROLLED_BACK) throw error
  })
  return outcomes[0] as T
}

/** Errors: 400 reason_missing for a reason that says nothing (product 7.1.4). */
export function requireReason(reason: string): string {
  const text = reason.trim()
  if (text === '') throw refuse(400, 'reason_missing', 'Give a reason. It stays on record.')
  return text
}

/** Who saved something last, and when; null where nobody is noted. */
interface LastChange {
  by: string | null
  at: Date | null
  /** the member's own other tab or device */
  isYou?: boolean
}

/** 409 stale: another save came after the form was read. Nothing is stored or merged (product 7.9.9). */
export function staleError({ by, at, isYou }: LastChange, now: Date): ApiError {
  const who = isYou ? 'You changed this on another page' : by && `${by} changed this`
  const when = at ? ` ${agoWords(now.getTime() - at.getTime())}` : ''
  const sentence = `${who || 'This was changed'}${when}. Reload to see the new version. Your text is kept.`
  return refuse(409, 'stale', sentence, { by, at: at?.toISOString() ?? null })
}

/** 'just now', 'a minute ago', '3 hours ago' */
function agoWords(ms: number): string {
  const units = [
    ['day', 86_400_000],
    ['hour', 3_600_000],
    ['minute', 60_000],
  ] as const
  const found = units.find(([, one]) => ms >= one)
  if (!found) return 'just now'
  const [unit, size] = found
  const count = Math.floor(ms / size)
  if (count > 1) return `${count} ${unit}s ago`
  return `${unit === 'hour' ? 'an' : 'a'} ${unit} ago`
}

/** The last change by the log. @param which of its lines */
export async function readLastLogged(client: Client, which: Sql): Promise<LastChange> {
  const { rows } = await client.query<LastChange>(
    sql`select actor as by, at from admin_actions where ${which} order by id desc limit 1`,
  )
  return rows[0] ?? { by: null, at: null }
}
