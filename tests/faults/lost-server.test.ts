import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  type Database,
  isDatabaseUnavailable,
  openDatabase,
  SERVER_LIMITS,
} from '../../platform/database/database.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { startSilentProxy } from '../rig/network/silent-proxy.ts'
import { useRig } from '../rig/rig.ts'

// A server that is no longer primary, on a small scale. tests/cluster has a cluster of three.
const rig = useRig()
const opened: Database[] = []
afterAll(() => Promise.all(opened.map((db) => db.$client.end())))

function open(url: string, limits = SERVER_LIMITS): Database {
  const db = openDatabase(url, { max: 3, limits })
  opened.push(db)
  return db
}

/** Opens three connections of the pool, which are then idle. */
async function fill({ $client: pool }: Database): Promise<void> {
  const clients = await Promise.all([1, 2, 3].map(() => pool.connect()))
  for (const client of clients) client.release()
  expect(pool.idleCount).toBe(3)
}

beforeAll(() => rig.db.$client.query('create table written (at int)'))
const write = (db: Database) =>
  inTransaction(db, (client) => client.query('insert into written values (1)'))

it('a database that became read-only fails one call, and its connections are not reused', async () => {
  const set = async (value: string) => {
    const { rows } = await rig.db.$client.query('select current_database() as name')
    await rig.db.$client.query(
      `alter database ${rows[0].name} set default_transaction_read_only = ${value}`,
    )
  }
  const db = open(rig.databaseUrl)
  await set('on')
  await fill(db)
  // These connections keep their first setting. The server accepts writes again.
  await set('off')
  const holder = await db.$client.connect()
  const refused = await write(db).catch((error) => error)
  expect([refused.code, isDatabaseUnavailable(refused)]).toEqual(['25006', true])
  holder.release()
  await Promise.all([write(db), write(db), write(db)])
})

it('a silent database is noticed once, not by each connection', async () => {
  const proxy = await startSilentProxy(rig.databaseUrl)
  try {
    const db = open(proxy.url, { ...SERVER_LIMITS, answerMs: 500 })
    await fill(db)
    proxy.silence(true)
    await expect(db.$client.query('select 1')).rejects.toThrow('the database does not answer')
    await expect.poll(() => db.$client.totalCount).toBe(0)
    proxy.silence(false)
    await write(db)
  } finally {
    proxy.end()
  }
})
