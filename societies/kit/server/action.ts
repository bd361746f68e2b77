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
  /** In whole milliseconds, because the expiry job compares deadlines for equality. */
  now: Date
  /** The audit log's actor: the operating system's user on the command line, the member's name in the browser. */
  actor: string
  /** The member's account; omitted on the command line. */
  userId?: string
  /** The society whose share of the queue the action uses; omitted on the command line. */
  societyId?: string
  /** Created by the page when its dialog opens, so that a retry changes nothing (product 7.15.3). */
  requestId?: string
  /** A hash of the request's parameters and body. The same id with others is rejected. */
  asked?: string
  /** Whether the client disconnected; omitted on the command line. */
  isGone?: () => boolean
  /** Counts characters that an action stores toward the member's day. Errors: 429 too_many. */
  charge?: (client: Client, characters: number) => Promise<void>
}

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
type Asker = Pick<Organizer, 'db' | 'userId' | 'societyId' | 'isGone'>

/** Reads and exports that run concurrently on one node. Most connections must stay free for saves. */
const LOOKS_AT_ONCE = 3
/** How many of them one member can use, so that others always get a slot. */
const MEMBER_AT_ONCE = 2
/** After a long read, the member's slot stays blocked for this multiple of its duration. */
const REST = 2
/** Exports, which hold a connection as long as a large page does. */
const TAKES_OUT = /^(export.*|slips)$/

/** Actions that run concurrently on one node, and how many of them per society. Each may wait for a test's row lock. */
const ACTS_AT_ONCE = 4
const SOCIETY_AT_ONCE = 2

/** Of one node, before its connections: fair queues for reads and for actions. */
const queues = new WeakMap<Database, { reads: InLine; acts: InLine }>()

function queuesOf(db: Database) {
  const known = queues.get(db) ?? {
    reads: createLine(LOOKS_AT_ONCE, { atOnce: MEMBER_AT_ONCE, rest: REST }),
    // A slot rests as long as its action took.
    acts: createLine(ACTS_AT_ONCE, { atOnce: SOCIETY_AT_ONCE, rest: 1 }),
  }
  queues.set(db, known)
  return known
}

/** Queues reads fairly across members. Errors: those of the queue. */
const inTurn = <T>({ db, userId = '', isGone }: Asker, work: () => Promise<T>): Promise<T> =>
  queuesOf(db).reads({ share: userId, isGone }, work)

/** Queues an action fairly across societies, and runs it even if the member hung up. */
const actInTurn = <T>({ db, societyId, userId = '' }: Asker, work: () => Promise<T>): Promise<T> =>
  queuesOf(db).acts({ share: societyId ?? userId }, work)

/** A result, and the details for the audit log. Details never contain a password. */
export interface Done<T> {
  result: T
  /** Null if the action changed nothing. It writes no log entry then. */
  detail: Record<string, unknown> | null
  /** Characters in other rows that grow with the number of people, such as a message for each. */
  characters?: number
}

/** Each request already counts as 200 characters. */
const CHARGED_FROM = 1_000

/**
 * Runs an organizer's action and writes its audit log entry in the same transaction, so that neither exists without the
 * other (product 7.1.2). Exports of keys or candidates' data use it too. A retry gets the stored response and does
 * nothing. Errors: 409 request_used, and those of the work.
 * @param code the assessment, or a function called after the work if the work creates it
 * @param what its result is stored as JSON if the organizer's request has an id
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
    // Looked up both before and after, because the work may create or delete the assessment.
    const before = typeof code === 'string' ? await societyOf(client, code) : null
    const { result, detail, characters = 0 } = await what(client)
    const named = typeof code === 'string' ? code : code()
    const societyId = before ?? (await societyOf(client, named))
    const { userId: by = null, asked = null } = organizer
    const answer = request ? JSON.stringify({ by, asked, answer: result }) : ''
    const stored = characters + answer.length + JSON.stringify(detail).length
    if (stored > CHARGED_FROM) await organizer.charge?.(client, stored)
    if (request) {
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

/** Does the same for a society's members and invitations. */
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

/** Waits for an earlier request with the same id and returns its response. Errors: 409 request_used. */
async function readAnswer<T>(
  client: Client,
  { userId, asked }: Organizer,
  { id, action, code }: { id: string; action: string; code: string },
): Promise<{ result: T } | null> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [id])
  const { rows } = await client.query<{ answer: { answer: T }; isSame: boolean }>(
    sql`select answer, assessment = ${code} and action = ${action} and answer ->> 'by' is not distinct
      from ${userId ?? null}
       and coalesce(answer ->> 'asked' = ${asked ?? null}, true) as "isSame"
     from organiser_calls where id = ${id}`,
  )
  if (!rows[0]) return null
  if (!rows[0].isSame) throw requestUsed()
  return { result: rows[0].answer.answer }
}

/** The error for a request id that was used with another body. */
export const requestUsed = () => {
  const sentence =
    'This was already sent with different content. Close the dialog and open it again.'
  return refuse(409, 'request_used', sentence)
}

async function societyOf(client: Client, code: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    'select society_id as id from assessments where code = $1',
    [code],
  )
  return rows[0]?.id ?? null
}

/** Writes an audit log entry. Entries can't be changed or deleted (product 7.20.2). */
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
 * Reads from a single read-only snapshot, without a log entry, because Live polls every few seconds (product 7.1.2).
 */
export const read = <T>(organizer: Asker, look: (client: Client) => Promise<T>): Promise<T> =>
  inTurn(organizer, () => readOnce(organizer.db, look))

/** Does the same without queueing, for requests that are queued elsewhere. */
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
/** How long a preview waits for a locked row, in milliseconds. */
const FORESEEING_WAITS_MS = 300

/** Previews an action in a transaction that is rolled back. It locks no row that a save needs. */
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

/** Errors: 400 reason_missing for a blank reason (product 7.1.4). */
export function requireReason(reason: string): string {
  const text = reason.trim()
  if (text === '') throw refuse(400, 'reason_missing', 'Give a reason. It is saved in the log.')
  return text
}

/** The author and time of the last save; null if unknown. */
interface LastChange {
  by: string | null
  at: Date | null
  /** True if the member saved in another tab or on another device. */
  isYou?: boolean
}

/** Returns 409 stale: another save came after the form was loaded. Nothing is stored or merged (product 7.9.9). */
export function staleError({ by, at, isYou }: LastChange, now: Date): ApiError {
  const who = isYou ? 'You changed this on another page' : by && `${by} changed this`
  const when = at ? ` ${agoWords(now.getTime() - at.getTime())}` : ''
  const sentence = `${who || 'This was changed'}${when}. Reload to see the new version. Your text is kept.`
  return refuse(409, 'stale', sentence, { by, at: at?.toISOString() ?? null })
}

/** Returns 'just now', 'a minute ago', '3 hours ago'. */
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

/** Reads the last change from the log. @param which a condition on its entries */
export async function readLastLogged(client: Client, which: Sql): Promise<LastChange> {
  const { rows } = await client.query<LastChange>(
    sql`select actor as by, at from admin_actions where ${which} order by id desc limit 1`,
  )
  return rows[0] ?? { by: null, at: null }
}
