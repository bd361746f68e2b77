import type pg from 'pg'
import type { Database } from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { OrganiserRefusal } from './refusal.ts'

/** Who acts on which database, and when. */
export interface Organiser {
  db: Database
  /** whole milliseconds, as all instants of attempts: the sweep compares deadlines for equality */
  now: Date
  /** for the audit log: at the keyboard the operating system's user */
  actor: string
}

export type Client = Pick<pg.PoolClient, 'query'>

/** What goes into the audit log beside the result. Never a password. */
export interface Done<T> {
  result: T
  detail: Record<string, unknown>
}

/**
 * Does something an organiser asked for and notes it in the audit log, in one transaction: no action
 * without its note, no note without its action (product 7.1.2). What carries keys or a candidate's data
 * away is done like this too.
 * @param code the assessment
 */
export function act<T>(
  { db, now, actor }: Organiser,
  action: string,
  code: string,
  work: (client: Client) => Promise<Done<T>>,
): Promise<T> {
  return inTransaction(db, async (client) => {
    const { result, detail } = await work(client)
    await client.query(
      'insert into admin_actions (at, actor, action, assessment, detail) values ($1, $2, $3, $4, $5)',
      [now, actor, action, code, JSON.stringify(detail)],
    )
    return result
  })
}

/**
 * Looks at what is stored, all of it at one moment, and leaves no note: a page that shows who is inside
 * asks every few seconds (product 7.1.2). Nothing can be changed or locked here.
 */
export function read<T>(
  { db }: Pick<Organiser, 'db'>,
  look: (client: Client) => Promise<T>,
): Promise<T> {
  return inTransaction(db, async (client) => {
    await client.query('set transaction isolation level repeatable read, read only')
    return look(client)
  })
}

/** Errors: OrganiserRefusal for a reason that says nothing (product 7.1.4). */
export function requireReason(reason: string): string {
  const text = reason.trim()
  if (text === '') throw new OrganiserRefusal('reason_missing', {})
  return text
}
