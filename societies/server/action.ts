import type pg from 'pg'
import { nameOf } from '../../accounts/person.ts'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction, orHeld } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/server/api.ts'
import type { CurrentUser } from '../../platform/server/current-user.ts'
import type { AppDependencies } from '../../platform/server/dependencies.ts'
import { refuse } from './refuse.ts'

/** Who acts on which database, and when. */
export interface Organiser {
  db: Database
  /** whole milliseconds, as all instants of attempts: the sweep compares deadlines for equality */
  now: Date
  /** for the audit log: at the command line the operating system's user, in the browser the member's name */
  actor: string
  /** the member's account; left out at the command line */
  userId?: string
  /** made by the page when its dialog opens: the same request again changes nothing (product 7.15.3) */
  requestId?: string
}

/** The member who makes a call in the browser, now. */
export const memberOf =
  ({ db, now }: Pick<AppDependencies, 'db' | 'now'>) =>
  (user: CurrentUser, requestId?: string): Organiser & { userId: string } => ({
    ...{ db, now: now(), actor: nameOf(user.email), userId: user.id, requestId },
  })

export type Client = Pick<pg.PoolClient, 'query'>

/**
 * Reads, previews and exports of one node under way at once: each may hold a connection for a second, and of the
 * node's twenty most have to be free for who saves an answer.
 */
const LOOKS_AT_ONCE = 3
/** Acts that take data out: they hold a connection as long as a large page does. */
const TAKES_OUT = /^(export.*|slips)$/

const lookers = new WeakMap<Database['$client'], { underWay: number; waiting: (() => void)[] }>()

/** Does it when its turn has come; who waits has no connection in hand. Not to be asked for within itself. */
async function inTurn<T>({ $client }: Database, work: () => Promise<T>): Promise<T> {
  const turns = lookers.get($client) ?? { underWay: 0, waiting: [] }
  lookers.set($client, turns)
  if (turns.underWay < LOOKS_AT_ONCE) turns.underWay += 1
  else await new Promise<void>((resolve) => turns.waiting.push(resolve))
  try {
    return await work()
  } finally {
    // The turn is handed on.
    const next = turns.waiting.shift()
    if (next) next()
    else turns.underWay -= 1
  }
}

/** What goes into the audit log beside the result. Never a password. */
export interface Done<T> {
  result: T
  detail: Record<string, unknown>
}

/**
 * Does something an organiser asked for and notes it in the audit log, in one transaction: no action
 * without its note, no note without its action (product 7.1.2). What carries keys or a candidate's data
 * away is done like this too. A request that was done before is answered as it was then, and does nothing.
 * Errors: ApiError 409 request_used, besides those of the work.
 * @param code the assessment; of one that the work makes and names, asked for afterwards
 * @param what its result is kept as JSON where the organiser's request has an id
 */
export function act<T>(
  organiser: Organiser,
  action: string,
  code: string | (() => string),
  what: (client: Client) => Promise<Done<T>>,
): Promise<T> {
  const done = async (client: Client) => {
    const request = requestOf(organiser, action, code)
    const earlier = request && (await readAnswer<T>(client, organiser, request))
    if (earlier) return earlier.result
    // Asked twice, because the work may make the assessment, or delete it.
    const before = typeof code === 'string' ? await societyOf(client, code) : null
    const { result, detail } = await what(client)
    const named = typeof code === 'string' ? code : code()
    const societyId = before ?? (await societyOf(client, named))
    if (request) await keepAnswer(client, organiser, request, result)
    await note(client, organiser, { action, societyId, code: named, detail })
    return result
  }
  const work = () => inTransaction(organiser.db, done)
  return TAKES_OUT.test(action) ? inTurn(organiser.db, work) : work()
}

/** The same for what concerns a society and none of its assessments: its members and invitations. */
export function actInSociety<T>(
  organiser: Organiser,
  action: string,
  societyId: string,
  work: (client: Client) => Promise<Done<T>>,
): Promise<T> {
  return inTransaction(organiser.db, async (client) => {
    const { result, detail } = await work(client)
    await note(client, organiser, { action, societyId, code: null, detail })
    return result
  })
}

/** A request of a page, and what it asks for. */
interface Request {
  id: string
  action: string
  code: string
}

function requestOf(
  { requestId: id }: Organiser,
  action: string,
  code: string | (() => string),
): Request | null {
  return id === undefined || typeof code !== 'string' ? null : { id, action, code }
}

/**
 * What a request was answered, if it was done before. Of two at once the second waits here for the first.
 * Errors: ApiError 409 request_used where the id stands for something else, or is somebody else's.
 */
async function readAnswer<T>(
  client: Client,
  { userId }: Organiser,
  { id, action, code }: Request,
): Promise<{ result: T } | null> {
  await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [id])
  const { rows } = await client.query<{ answer: { answer: T }; isSame: boolean }>(
    `select answer, assessment = $2 and action = $3 and answer ->> 'by' is not distinct from $4 as "isSame"
     from organiser_calls where id = $1`,
    [id, code, action, userId ?? null],
  )
  if (!rows[0]) return null
  if (!rows[0].isSame) {
    throw new ApiError(
      409,
      'request_used',
      'This was already sent for something else. Close the dialog and open it again.',
    )
  }
  return { result: rows[0].answer.answer }
}

async function keepAnswer(
  client: Client,
  { now, userId }: Organiser,
  { id, action, code }: Request,
  answer: unknown,
): Promise<void> {
  await client.query(
    `insert into organiser_calls (id, assessment, action, answer, created_at)
     values ($1, $2, $3, $4, $5)`,
    [id, code, action, JSON.stringify({ by: userId ?? null, answer }), now],
  )
}

async function societyOf(client: Client, code: string): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    'select society_id as id from assessments where code = $1',
    [code],
  )
  return rows[0]?.id ?? null
}

/**
 * A line of the audit log, in the transaction of what it tells about. The database refuses to change or delete
 * it (product 7.20.2).
 */
export async function note(
  client: Client,
  { now, actor, userId }: Omit<Organiser, 'db'>,
  line: {
    action: string
    societyId: string | null
    code: string | null
    detail: Record<string, unknown>
  },
): Promise<void> {
  await client.query(
    `insert into admin_actions (at, actor, user_id, via, action, society_id, assessment, detail)
     values ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [
      now,
      actor,
      userId ?? null,
      userId ? 'console' : 'command',
      line.action,
      line.societyId,
      line.code,
      JSON.stringify(line.detail),
    ],
  )
}

/**
 * Looks at what is stored, all of it at one moment, and leaves no note: a page that shows who is inside
 * asks every few seconds (product 7.1.2). Nothing can be changed or locked here. It waits for its turn.
 */
export function read<T>(
  { db }: Pick<Organiser, 'db'>,
  look: (client: Client) => Promise<T>,
): Promise<T> {
  return inTurn(db, () =>
    inTransaction(db, async (client) => {
      await client.query('set transaction isolation level repeatable read, read only')
      return look(client)
    }),
  )
}

/** Says that a transaction shall not stand, and what it would have done. */
class Foreseen<T> extends Error {
  readonly outcome: T
  constructor(outcome: T) {
    super('rolled back')
    this.outcome = outcome
  }
}

/** How long somebody who only looks waits for a row that another holds, milliseconds. */
const FORESEEING_WAITS_MS = 300

/**
 * What an act would do: it is done in a transaction that is rolled back, so by the same code, and leaves no
 * note. It may hold what no candidate's save needs, and waits for nobody for long.
 */
export async function foresee<T>(
  { db }: Pick<Organiser, 'db'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  try {
    return await inTurn(db, () =>
      inTransaction(db, async (client) => {
        await client.query(`set local lock_timeout = ${FORESEEING_WAITS_MS}`)
        throw new Foreseen(await orHeld(work(client)))
      }),
    )
  } catch (error) {
    if (error instanceof Foreseen) return error.outcome
    throw error
  }
}

/** Errors: 400 reason_missing for a reason that says nothing (product 7.1.4). */
export function requireReason(reason: string): string {
  const text = reason.trim()
  if (text === '') throw refuse(400, 'reason_missing', 'Give a reason. It stays on record.')
  return text
}
