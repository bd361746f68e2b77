import { randomUUID } from 'node:crypto'
import type { Listed } from '../../candidate-lines.ts'
import type { Client } from '../action.ts'

/** A candidate before there is a row. */
export interface NewCandidate {
  username: string
  name: string | null
  /** lower case */
  email: string | null
  room: string | null
  note: string | null
  extraSeconds: number
  exemptKinds: readonly string[]
  passwordHash: Buffer
}

/**
 * Puts candidates on an assessment's list, with passwords that nobody has. Who is on it by username stays untouched.
 * @returns ids, for those that were added
 */
export async function insertCandidates(
  client: Client,
  code: string,
  added: readonly NewCandidate[],
  now: Date,
): Promise<{ id: string; email: string | null }[]> {
  const { rows } = await client.query<{ id: string; email: string | null }>(
    `insert into candidates (id, assessment, username, name, email, room, note, password_hash,
       extra_seconds, exempt_kinds, created_at)
     select id, $1, username, name, email, room, note, hash, extra,
       coalesce(string_to_array(nullif(kinds, ''), ','), '{}'), $2
     from unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bytea[],
       $10::int[], $11::text[])
       as row (id, username, name, email, room, note, hash, extra, kinds)
     on conflict (assessment, lower(username)) do nothing
     returning id, email`,
    [
      ...[code, now],
      added.map(() => randomUUID()),
      ...(
        ['username', 'name', 'email', 'room', 'note', 'passwordHash', 'extraSeconds'] as const
      ).map((field) => added.map((one) => one[field])),
      added.map(({ exemptKinds }) => exemptKinds.join(',')),
    ],
  )
  return rows
}

/** Who is on an assessment's list already. */
export async function readListed(client: Client, code: string): Promise<Listed[]> {
  const { rows } = await client.query<Listed>(
    'select username, name, lower(email) as email, room from candidates where assessment = $1',
    [code],
  )
  return rows
}
