import type pg from 'pg'
import sql from 'sql-template-tag'
import { keyedHash } from '../../../platform/database/secret-key.ts'
import { extentOf, type HeldRole } from '../../kit/roles.ts'
import { refuse } from '../../kit/server/refuse.ts'

/** Returns a candidate's id for views without names. The list's id doesn't lead to it (product 7.16.3). */
export function coveredId(secretKey: Buffer, candidateId: string): string {
  const bytes = keyedHash(secretKey, 'covered candidates', candidateId).subarray(0, 16)
  // The id is formatted as a UUID of version 8, which allows custom content.
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** The substitute for a candidate's name where names are hidden and the list's id is known. */
export const standIn = (id: string) => ({ username: `candidate ${id.slice(0, 6)}`, name: null })

/** Returns the name an organizer may see. Roles that see names only on request get a substitute (product 7.7.4). */
export const calledBy = (
  { roles }: { roles?: readonly HeldRole[] },
  id: string,
  { username, name = null }: { username: string; name?: string | null },
) => (!roles || extentOf(roles, 'see_names') === 'all' ? { username, name } : standIn(id))

/** The parts of a member that determine whom a request may name. */
interface Reaching {
  code: string
  /** The only room whose candidates the request can reach; null means every room. */
  room: string | null
  cover: (candidateId: string) => string
}

/** The fields in which params and bodies name candidates and rooms. */
interface Names {
  candidate?: string | null
  listed?: string | null
  candidates?: readonly string[] | null
  room?: string | null
  to?: Names
}

/**
 * Looks up the candidates that a request names by list id (product 7.12.7). Errors: 403 not_your_room if one is outside
 * the member's room, or if the request is about another room or all candidates.
 */
export async function requireReached(
  client: Pick<pg.Pool, 'query'>,
  { code, room }: Reaching,
  input: { params?: unknown; body?: unknown },
): Promise<void> {
  if (room === null) return
  const given = { ...(input.params as Names), ...(input.body as Names) }
  const { candidate, listed, candidates, room: named } = { ...given, ...given.to }
  const ids = [candidate, listed, candidates].flat().filter((id) => typeof id === 'string')
  if (ids.length === 0) {
    if (named !== room) throw notYourRoom(room)
    return
  }
  const { rowCount } = await client.query(
    'select from candidates where assessment = $1 and id = any ($2::uuid[]) and room = $3',
    [code, ids, room],
  )
  if (rowCount !== new Set(ids).size) throw notYourRoom(room)
}

export const notYourRoom = (room: string) =>
  refuse(
    403,
    'not_your_room',
    `Your role covers room ${room}. Ask an invigilator of the other room or an owner.`,
  )

/** Replaces blind ids in a request with list ids. Errors: 404 not_found, also outside the member's room. */
export async function uncoverNamed<Input extends { params?: unknown; body?: unknown }>(
  client: Pick<pg.Pool, 'query'>,
  { code, room, cover }: Reaching,
  input: Input,
): Promise<Input> {
  const covered = new Set<string>()
  const replaceIn = (value: unknown, idOf: (id: string) => string | undefined): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((one) => replaceIn(one, idOf))
    const replaced = Object.entries(value).map(([name, one]) => [
      name,
      name === 'candidate' && typeof one === 'string' ? idOf(one) : replaceIn(one, idOf),
    ])
    return Object.fromEntries(replaced)
  }
  const { params, body } = input
  replaceIn([params, body], (id) => {
    covered.add(id)
    return id
  })
  if (covered.size === 0) return input
  const { rows } = await client.query<{ id: string }>(
    sql`select id from candidates where assessment = ${code} and not is_demo
       and (${room}::text is null or room = ${room})`,
  )
  const ids = new Map(rows.map(({ id }) => [cover(id), id]))
  if ([...covered].some((id) => !ids.has(id))) throw notListed()
  return { ...input, ...(replaceIn({ params, body }, (id) => ids.get(id)) as object) }
}

export const notListed = () => refuse(404, 'not_found', 'This candidate is no longer on the list.')
