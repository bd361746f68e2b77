import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'

/* Only the primary accepts writes, and another server may become primary at any time. */

export class StandbyError extends Error {
  constructor() {
    super('the database is a read-only standby')
  }
}

/** SQLSTATEs of a lost server: it is read-only (25006) or shutting down (57P01, 57P02). */
const LOST_STATES = new Set(['25006', '57P01', '57P02'])

export const isFromLostServer = ({ code }: { code?: string }) => LOST_STATES.has(code ?? '')

/** pg's connection below the statement level. */
export function wireOf(client: pg.ClientBase): EventEmitter & { stream: Socket } {
  return (client as unknown as { connection: EventEmitter & { stream: Socket } }).connection
}

/** Records what the server reports at connection, which needs no statement. */
export class NotingClient extends pg.Client {
  saysStandby = false

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    wireOf(this).on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.saysStandby = parameterValue === 'on'
    })
  }
}

/** Whether a connection leads to a standby. Runs a statement only if the server reported that it is one. */
async function isStandby(client: pg.ClientBase): Promise<boolean> {
  if (!(client instanceof NotingClient && client.saysStandby)) return false
  // A pooler may repeat an outdated report.
  const { rows } = await client.query<{ isStandby: boolean }>(
    'select pg_is_in_recovery() as "isStandby"',
  )
  return rows[0]?.isStandby ?? false
}

/** Rejects a new connection to a standby, which a proxy may lead to just after a failover. */
export function verifyPrimary(client: pg.ClientBase, done: (error?: Error) => void): void {
  isStandby(client).then((is) => done(is ? new StandbyError() : undefined), done)
}

/** Splits an address with several servers into one each: postgres://user@one:5432,two:5432/name. */
export function addressesOf(url: string): string[] {
  const match = /^([a-z]+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/i.exec(url)
  if (!match) return [url]
  const [, before, hosts = '', after] = match
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

/** Whether to try the next address: this one is a standby, starting or stopping (57P), missing or silent. */
export function isWrongServer(error: unknown): boolean {
  if (error instanceof StandbyError || error instanceof AggregateError) return true
  const { code, message } = error as { code?: unknown; message: string }
  if (typeof code === 'string') return /^(57P0\d|E[A-Z]+(_[A-Z]+)?)$/.test(code)
  return /Connection terminated/.test(message)
}

/** Connects to the primary among an address's servers. Errors: the last server's. */
export async function connectToPrimary(
  url: string,
  config: Omit<pg.ClientConfig, 'connectionString'> = {},
): Promise<pg.Client> {
  let last: unknown
  for (const connectionString of addressesOf(url)) {
    const client = new NotingClient({ ...config, connectionString })
    client.on('error', () => {}) // the running statement rejects as well
    try {
      await client.connect()
      if (!(await isStandby(client))) return client
      last = new StandbyError()
    } catch (error) {
      if (!isWrongServer(error)) throw error
      last = error
    }
    await client.end().catch(() => {})
  }
  throw last
}
