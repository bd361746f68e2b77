import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'

/* Of several servers with the same data only the primary takes writes, and it may change at any time. */

export class StandbyError extends Error {
  constructor() {
    super('the database is a standby that takes no writes')
  }
}

/** SQLSTATEs of a lost server: it takes no writes (25006), or it ends (57P01, 57P02). */
const LOST_STATES = new Set(['25006', '57P01', '57P02'])

export const isFromLostServer = ({ code }: { code?: string }) => LOST_STATES.has(code ?? '')

/** What pg knows of a connection below the statements. */
export function wireOf(client: pg.ClientBase): EventEmitter & { stream: Socket } {
  return (client as unknown as { connection: EventEmitter & { stream: Socket } }).connection
}

/** Notes what the server says of itself when it is connected to, which costs no statement. */
export class NotingClient extends pg.Client {
  saysStandby = false

  constructor(config?: string | pg.ClientConfig) {
    super(config)
    wireOf(this).on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.saysStandby = parameterValue === 'on'
    })
  }
}

/** Whether a connection leads to a standby. Asked of it only when it says so, else it costs nothing. */
async function isStandby(client: pg.ClientBase): Promise<boolean> {
  if (!(client instanceof NotingClient && client.saysStandby)) return false
  // A pooler repeats what it was told itself, long ago.
  const { rows } = await client.query<{ isStandby: boolean }>(
    'select pg_is_in_recovery() as "isStandby"',
  )
  return rows[0]?.isStandby ?? false
}

/** Refuses a new connection to a standby, where a proxy leads for a moment after the primary has changed. */
export function verifyPrimary(client: pg.ClientBase, done: (error?: Error) => void): void {
  isStandby(client).then((is) => done(is ? new StandbyError() : undefined), done)
}

/** The servers of an address, an address each: postgres://user@one:5432,two:5432/name. */
export function addressesOf(url: string): string[] {
  const match = /^([a-z]+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/i.exec(url)
  if (!match) return [url]
  const [, before, hosts = '', after] = match
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

/** Whether the next address is worth a try: a standby, starting or ending (57P), not there, or silent. */
export function isWrongServer(error: unknown): boolean {
  if (error instanceof StandbyError || error instanceof AggregateError) return true
  const { code, message } = error as { code?: unknown; message: string }
  if (typeof code === 'string') return /^(57P0\d|E[A-Z]+(_[A-Z]+)?)$/.test(code)
  return /Connection terminated/.test(message)
}

/** One connection to the primary among an address's servers. Errors: of the last one. */
export async function connectToPrimary(
  url: string,
  config: Omit<pg.ClientConfig, 'connectionString'> = {},
): Promise<pg.Client> {
  let last: unknown
  for (const connectionString of addressesOf(url)) {
    const client = new NotingClient({ ...config, connectionString })
    client.on('error', () => {}) // what is under way rejects as well
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
