import type pg from 'pg'
import { isStandby, NotingClient, StandbyError } from './primary.ts'

/**
 * The servers that an address names, each as an address of its own: several as libpq takes them,
 * postgres://user@one:5432,two:5432/name. One of them is the primary.
 */
export function addressesOf(url: string): string[] {
  const match = /^([a-z]+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/i.exec(url)
  if (!match) return [url]
  const [, before, hosts = '', after] = match
  return hosts.split(',').map((host) => `${before}${host}${after}`)
}

/**
 * Whether an error says that this server cannot be the one, so that the next address is worth a try: it is a
 * standby, starts or ends (57P), is not there, or does not answer. Not that a pool is full.
 */
export function isWrongServer(error: unknown): boolean {
  if (error instanceof StandbyError || error instanceof AggregateError) return true
  const { code, message } = error as { code?: unknown; message: string }
  if (typeof code === 'string') return /^(57P0\d|E[A-Z]+(_[A-Z]+)?)$/.test(code)
  return /Connection terminated/.test(message)
}

/**
 * One connection, to the primary among the servers of an address.
 * Errors: of the last one, when none takes it.
 */
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
