import { randomUUID } from 'node:crypto'
import { AdminError } from '../../../platform/server/admin-error.ts'
import type { Client } from '../../kit/server/action.ts'
import { refuse } from '../../kit/server/refuse.ts'

export interface Society {
  id: string
  name: string
  /** 'console': founded by an account, which proves no name (product 7.7.2) */
  via: 'console' | 'command'
}

/** The society of a name, in capitals or not, or null. */
export async function getSociety(client: Client, name: string): Promise<Society | null> {
  const { rows } = await client.query<Society>(
    'select id, name, via from societies where lower(name) = lower($1)',
    [name.trim()],
  )
  return rows[0] ?? null
}

/** The same, as it was typed. Errors: AdminError when there is none, with the names that exist. */
export async function requireSociety(client: Client, name: string): Promise<Society> {
  const society = await getSociety(client, name)
  if (society) return society
  const { rows } = await client.query<{ name: string }>('select name from societies order by name')
  const known = rows.map((one) => one.name)
  throw new AdminError(
    `There is no society ${name.trim()}. ${known.length === 0 ? 'There are none yet: make one with societies create' : `There are: ${known.join(', ')}`}.`,
  )
}

/**
 * A new society. Errors: 409 society_exists.
 * @param via 'console': founded in the browser
 * @returns its id
 */
export async function makeSociety(
  client: Client,
  name: string,
  via: Society['via'],
  now: Date,
): Promise<string> {
  const { rows } = await client.query<{ id: string }>(
    `insert into societies (id, name, via, created_at) values ($1, $2, $3, $4)
     on conflict (lower(name)) do nothing returning id`,
    [randomUUID(), name.trim(), via, now],
  )
  if (!rows[0]) throw nameTaken(name.trim())
  return rows[0].id
}

export const nameTaken = (name: string) =>
  refuse(
    409,
    'society_exists',
    `There is a society ${name} already. If it is yours, ask one of its owners to invite you.`,
  )

/** The id of the society of a name, which is made where there is none. */
export async function findOrMakeSociety(client: Client, name: string, now: Date): Promise<string> {
  const found = await getSociety(client, name)
  if (found) return found.id
  const { rows } = await client.query<{ id: string }>(
    `insert into societies (id, name, via, created_at) values ($1, $2, 'command', $3)
     on conflict (lower(name)) do update set name = societies.name returning id`,
    [randomUUID(), name.trim(), now],
  )
  return (rows[0] as { id: string }).id
}

/**
 * The society that a new assessment belongs to: the named one, or the one of the name that candidates read, which
 * is made where there is none. One that was founded in the browser has to be named: anyone could have taken the
 * name to be given the questions (product 7.7.2).
 * Errors: AdminError.
 */
export async function societyForNew(
  client: Client,
  { named, read, now }: { named: string | undefined; read: string; now: Date },
): Promise<string> {
  if (named !== undefined) return (await requireSociety(client, named)).id
  const found = await getSociety(client, read)
  if (found?.via === 'console') {
    throw new AdminError(
      `Somebody founded a society ${found.name} in the browser and would get these questions. If it is the right one (societies list shows its owners), say so with --society "${found.name}".`,
    )
  }
  return findOrMakeSociety(client, read, now)
}
