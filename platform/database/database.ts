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

/** Timeouts in milliseconds, and how many callers may wait before the next gets a 503. */
interface PoolLimits {
  /** for getting a connection, new or from the pool */
  connectMs: number
  /** callers that may wait for a connection; the next fails immediately, which is better than late */
  waiting: number
  /** for a statement, enforced by the server */
  statementMs: number
  /** for a lock, enforced by the server; 0 waits as long as the statement may */
  lockMs: number
  /** between a transaction's statements, enforced by the server, so that a hanging node releases its locks */
  idleInTransactionMs: number
  /** for a response, enforced here because an unreachable server can't end the statement; 0 waits forever */
  answerMs: number
}

/** Limits of a command, which isn't in a hurry. */
const COMMAND_LIMITS: PoolLimits = {
  connectMs: 5_000,
  waiting: Number.POSITIVE_INFINITY,
  statementMs: 15_000,
  lockMs: 0,
  idleInTransactionMs: 0,
  answerMs: 0,
}

/** Limits of the server, where users wait. docs/faults.md explains each. */
export const SERVER_LIMITS: PoolLimits = {
  connectMs: 5_000,
  // This is less than a second's work, and more than ten thousand candidates who submit within ten seconds need.
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
    super('too many calls are waiting for a database connection')
  }
}

type Connected = Parameters<pg.Pool['connect']>[0]

class BoundedPool extends pg.Pool {
  readonly #onServerLost: () => void
  readonly #waitingLimit: number
  readonly #addresses: { urls: string[]; current: number }
  readonly #inUse = new Set<pg.PoolClient>()
  readonly #idle = new Set<pg.PoolClient>()
  /** connections in use whose server is lost; they aren't reused */
  readonly #forgotten = new Set<pg.PoolClient>()

  constructor(
    url: string,
    config: pg.PoolConfig,
    { waiting, answerMs }: PoolLimits,
    onServerLost: () => void,
  ) {
    const addresses = { urls: addressesOf(url), current: 0 }
    // Each new connection goes to the address that worked last.
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
      // The pool doesn't listen to a connection that is in use. If it dies, its statement fails, and without a listener
      // the event would end the process.
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
      // The pool removes a connection that is ending; it checks right after this event.
      if (this.#forgotten.delete(client)) client.end().catch(() => {})
      else this.#idle.add(client)
    })
    this.on('remove', (client) => {
      for (const clients of [this.#inUse, this.#idle, this.#forgotten]) clients.delete(client)
    })
  }

  /** Drops every connection to a lost server, so that callers don't have to find out one by one. */
  #forget(found: pg.PoolClient): void {
    this.#onServerLost()
    for (const client of this.#inUse) this.#forgotten.add(client)
    for (const client of this.#idle) {
      if (client !== found) wireOf(client).stream.destroy(new Error('the database server is lost'))
    }
  }

  /** Cuts a silent connection with its socket's timer, because pg's query_timeout costs a fifth of the throughput. */
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
  // The pool's query() gets its connection here too.
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

  /** @param attempt each caller tries each address once */
  #connect(connected: Connected, attempt: number): void {
    const { urls, current } = this.#addresses
    super.connect((error, client, done) => {
      if (!error || !isWrongServer(error)) return connected(error, client, done)
      // The first caller to notice moves all others to the next address.
      if (this.#addresses.current === current) this.#addresses.current = (current + 1) % urls.length
      if (attempt < urls.length) this.#connect(connected, attempt + 1)
      else connected(error, client, done)
    })
  }
}

/** The values of each field over a list, as parameters of unnest. */
export const fieldLists = <T, Field extends keyof T>(list: readonly T[], ...fields: Field[]) =>
  fields.map((field) => list.map((one) => one[field]))

/** PostgreSQL settings of each session. */
export function sessionSettings(limits: PoolLimits): Record<string, string | number> {
  return {
    timezone: 'UTC',
    statement_timeout: limits.statementMs,
    lock_timeout: limits.lockMs,
    idle_in_transaction_session_timeout: limits.idleInTransactionMs,
    // A plan made for a nearly empty table is kept, and must still serve ten thousand people who arrive within ten
    // seconds. Every lookup here uses an index, and no query is worth compiling.
    enable_seqscan: 'off',
    // A merge join reads a whole index in order.
    enable_mergejoin: 'off',
    jit: 'off',
  }
}

/** Opens a pool on the primary of PostgreSQL 15 or later. `onServerLost`: the server is gone or no longer primary. */
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
      // A full pool applies back-pressure: the caller gets a 503.
      connectionTimeoutMillis: limits.connectMs,
      // This detects a server that vanished silently, about 10 s later.
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
  // Without a listener, a dropped idle connection would end the process.
  pool.on('error', options.onError ?? (() => {}))
  return drizzle(pool)
}

/**
 * SQLSTATEs that mean 'not now'. 08: connection; 53: resources or disk full; 57P: shutdown or start; 57014, 55P03:
 * timeouts; 25P03: idle in a transaction; 25006: a standby; 40001, 40P01: conflicts.
 */
const UNAVAILABLE_STATES = /^((08|53)...|57P0\d|57014|55P03|25P03|25006|40001|40P01)$/
const UNAVAILABLE_SYSTEM_CODES = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'EMFILE'],
])
/** Messages that the driver gives without a code, for a lost connection or a closing pool. */
const UNAVAILABLE_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|the database does not answer|not queryable|after calling end on the pool/

/** Of those, the ones that concern a single row: lock timeout, serialization failure, deadlock. */
const LOCK_STATES = /^(55P03|40001|40P01)$/

function* causesOf(error: unknown): Generator<Error & { code?: unknown }> {
  for (let current = error; current instanceof Error; current = current.cause) yield current
}

const hasState = (error: unknown, states: RegExp): boolean =>
  [...causesOf(error)].some(({ code }) => typeof code === 'string' && states.test(code))

/** Whether statements got in each other's way, as opposed to the database being unavailable. */
export const isLockConflict = (error: unknown): boolean => hasState(error, LOCK_STATES)

/** Whether the database is unavailable or full, as opposed to the query being wrong. */
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

/** Whether a unique constraint rejected the row because another call was faster. */
export const isUniqueViolation = (error: unknown): boolean => hasState(error, /^23505$/)

/** Whether a check rejected the row, such as a start whose paper changed after it was read. */
export const isCheckViolation = (error: unknown): boolean => hasState(error, /^23514$/)

/** Whether the account or session that owns the row was deleted in the meantime. */
export const isOwnerGone = (error: unknown): boolean =>
  hasState(error, /^23503$/) &&
  [...causesOf(error)].some(({ message }) => /_(user|session)_id_/.test(message))
