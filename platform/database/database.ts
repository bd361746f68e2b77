import { drizzle, type NodePgDatabase } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import {
  addressesOf,
  isFromLostServer,
  isWrongServer,
  NotingClient,
  StandbyError,
  verifyPrimary,
  wireOf,
} from './primary.ts'

export type Database = NodePgDatabase & { $client: pg.Pool }

/** The pool, or a transaction on one of its connections. */
export type Queryable = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>

/** How long, in milliseconds, and how many may wait before a call is told to come back later (503). */
interface PoolLimits {
  /** for a connection, new or from the pool */
  connectMs: number
  /** callers that wait for a connection; the next is refused at once: early is kinder than late */
  waiting: number
  /** for a statement, at the server */
  statementMs: number
  /** for a lock that another transaction holds, at the server; 0 waits as long as the statement may */
  lockMs: number
  /** between the statements of a transaction, at the server: a node that hangs lets go of its locks */
  idleInTransactionMs: number
  /** for an answer, here: a server that is unreachable can't end the statement; 0 waits for ever */
  answerMs: number
}

/** Of a command, which has the time. */
const COMMAND_LIMITS: PoolLimits = {
  connectMs: 5_000,
  waiting: Number.POSITIVE_INFINITY,
  statementMs: 15_000,
  lockMs: 0,
  idleInTransactionMs: 0,
  answerMs: 0,
}

/** Of the server, behind which people wait. docs/faults.md tells what each is for. */
export const SERVER_LIMITS: PoolLimits = {
  connectMs: 5_000,
  // Less than a second's work, and more than ten thousand candidates who submit within ten seconds need.
  waiting: 2_000,
  statementMs: 15_000,
  lockMs: 3_000,
  idleInTransactionMs: 10_000,
  answerMs: 20_000,
}

const UNANSWERED = 'the database does not answer'

/** No connection will be free soon, so the caller should retry later. */
class PoolFullError extends Error {
  constructor() {
    super('too many wait for a database connection')
  }
}

type Connected = Parameters<pg.Pool['connect']>[0]

class BoundedPool extends pg.Pool {
  readonly #onServerLost: () => void
  readonly #waitingLimit: number
  readonly #addresses: { urls: string[]; current: number }
  readonly #inUse = new Set<pg.PoolClient>()
  readonly #idle = new Set<pg.PoolClient>()
  /** in use, of a server that is lost: nobody gets them after who has them */
  readonly #forgotten = new Set<pg.PoolClient>()

  constructor(
    url: string,
    config: pg.PoolConfig,
    { waiting, answerMs }: PoolLimits,
    onServerLost: () => void,
  ) {
    const addresses = { urls: addressesOf(url), current: 0 }
    // Each connection that is made goes to the address at which the last one was right.
    class Client extends NotingClient {
      constructor(options?: pg.ClientConfig) {
        super({ ...options, connectionString: addresses.urls[addresses.current] })
      }
    }
    super({ ...config, Client, verify: verifyPrimary })
    this.#addresses = addresses
    this.#onServerLost = onServerLost
    this.#waitingLimit = waiting
    this.#keepCount()
    this.on('connect', (client) => {
      // A connection that dies while a transaction has it has no listener of the pool's. The statement
      // under way fails by itself; without a listener the event would end the process.
      client.on('error', () => {})
      wireOf(client).on('errorMessage', (error) => {
        if (isFromLostServer(error)) this.#forget(client)
      })
    })
    if (answerMs > 0) this.#cutUnanswered(answerMs)
  }

  #keepCount(): void {
    this.on('acquire', (client) => {
      this.#idle.delete(client)
      this.#inUse.add(client)
    })
    this.on('release', (_, client) => {
      this.#inUse.delete(client)
      // An ending one is removed by the pool, which looks right after this.
      if (this.#forgotten.delete(client)) client.end().catch(() => {})
      else this.#idle.add(client)
    })
    this.on('remove', (client) => {
      for (const clients of [this.#inUse, this.#idle, this.#forgotten]) clients.delete(client)
    })
  }

  /** Lets go of every connection to a server that is lost, so that not each caller has to find out. */
  #forget(found: pg.PoolClient): void {
    this.#onServerLost()
    for (const client of this.#inUse) this.#forgotten.add(client)
    for (const client of this.#idle) {
      if (client !== found) wireOf(client).stream.destroy(new Error('the database server is lost'))
    }
  }

  /** Cuts a silent connection by its socket's timer: pg's query_timeout costs a fifth of the speed. */
  #cutUnanswered(answerMs: number): void {
    this.on('connect', (client) => {
      const { stream } = wireOf(client)
      stream.setTimeout(answerMs)
      stream.on('timeout', () => {
        if (!this.#inUse.has(client)) return
        this.#forget(client)
        stream.destroy(new Error(UNANSWERED))
      })
    })
  }

  override connect(): Promise<pg.PoolClient>
  override connect(connected: Connected): void
  // Also what query() of the pool takes its connection from.
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (!connected) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)))
      })
    }
    if (this.waitingCount < this.#waitingLimit) this.#connect(connected, 1)
    else connected(new PoolFullError(), undefined, () => {})
    return undefined
  }

  /** @param attempt each address is tried once for a caller */
  #connect(connected: Connected, attempt: number): void {
    const { urls, current } = this.#addresses
    super.connect((error, client, done) => {
      if (!error || !isWrongServer(error)) return connected(error, client, done)
      // The first that finds it out leads all others to the next address.
      if (this.#addresses.current === current) this.#addresses.current = (current + 1) % urls.length
      if (attempt < urls.length) this.#connect(connected, attempt + 1)
      else connected(error, client, done)
    })
  }
}

/** What each session is asked to keep to, by the names of PostgreSQL. */
export function sessionSettings(limits: PoolLimits): Record<string, string | number> {
  return {
    timezone: 'UTC',
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    // A plan that was made while a table was nearly empty is kept, and has to serve the ten thousand who
    // come in within ten seconds: everything here is looked up by an index, none is worth compiling.
    enable_seqscan: 'off',
    // A merge reads a whole index in its order.
    enable_mergejoin: 'off',
    jit: 'off',
  }
}

/** A pool on the primary of PostgreSQL 15 or later. `onServerLost`: the server is gone, or no primary any more. */
export function openDatabase(
  url: string,
  options: {
    max?: number
    limits?: PoolLimits
    onError?: (error: Error) => void
    onServerLost?: () => void
  } = {},
): Database {
  const limits = options.limits ?? COMMAND_LIMITS
  const pool = new BoundedPool(
    url,
    {
      max: options.max ?? 20,
      // A full pool is back-pressure, not a reason to hang: the caller hears 503.
      connectionTimeoutMillis: limits.connectMs,
      // A server that vanished without a word is found out, some 10 s after this.
      keepAlive: true,
      keepAliveInitialDelayMillis: 5_000,
      idleTimeoutMillis: 30_000,
      application_name: 'superday',
      options: Object.entries(sessionSettings(limits))
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    },
    limits,
    options.onServerLost ?? (() => {}),
  )
  // Without a listener a dropped idle connection would end the process.
  pool.on('error', options.onError ?? (() => {}))
  return drizzle(pool)
}

/**
 * SQLSTATEs that mean 'not now'. 08 connection, 53 resources or disk full, 57P shutdown or start, 57014 and 55P03
 * timeouts, 25P03 idle in a transaction, 25006 a standby, 40001 and 40P01 conflicts.
 */
const UNAVAILABLE_STATES = /^((08|53)...|57P0\d|57014|55P03|25P03|25006|40001|40P01)$/
const UNAVAILABLE_SYSTEM_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE'],
])
/** What the driver says without a code: of a lost connection, and of a pool that is being closed. */
const UNAVAILABLE_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|the database does not answer|not queryable|after calling end on the pool/

/** Of those, what is one row's matter and says nothing of the others: lock timeout, serialization, deadlock. */
const LOCK_STATES = /^(55P03|40001|40P01)$/

function* causesOf(error: unknown): Generator<Error & { code?: unknown }> {
  for (let current = error; current instanceof Error; current = current.cause) yield current
}

const hasState = (error: unknown, states: RegExp): boolean =>
  [...causesOf(error)].some(({ code }) => typeof code === 'string' && states.test(code))

/** Whether an error says that a statement got into another's way, not that the database is away. */
export const isLockConflict = (error: unknown): boolean => hasState(error, LOCK_STATES)

/** Whether an error says that the database is away or full, not that the query was wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (hasState(error, UNAVAILABLE_STATES)) return true
  return [...causesOf(error)].some(
    (cause) =>
      cause instanceof PoolFullError ||
      cause instanceof StandbyError ||
      UNAVAILABLE_WORDS.test(cause.message) ||
      UNAVAILABLE_SYSTEM_CODES.has(String(cause.code)),
  )
}

/** Whether a unique constraint rejected it because another call was faster. */
export const isUniqueViolation = (error: unknown): boolean => hasState(error, /^23505$/)

/** Whether a check refused it: of a start, that its paper has changed since it was read. */
export const isCheckViolation = (error: unknown): boolean => hasState(error, /^23514$/)

/** Whether the account or session that a row belongs to has gone meanwhile. */
export const isOwnerGone = (error: unknown): boolean =>
  hasState(error, /^23503$/) &&
  [...causesOf(error)].some(({ message }) => /_(user|session)_id_/.test(message))
