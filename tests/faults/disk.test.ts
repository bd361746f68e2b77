/**
 * A disk that fills up while the server runs. The embedded database's start.test.ts starts on a full disk.
 * @module-tag full
 */
import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareKeys } from '../../accounts/server/sessions/keys.ts'
import { createApp } from '../../app/server/app.ts'
import { type Database, openDatabase, SERVER_LIMITS } from '../../platform/database/database.ts'
import {
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../platform/database/embedded/start.ts'
import { migrateDatabase } from '../../platform/database/migrate-database.ts'
import { callSignUp, useRig } from '../rig/rig.ts'
import { fillDisk } from './full-length/disk.ts'

const rig = useRig()
const lines: string[] = []
let folder: string
let isMounted = false
let postgres: EmbeddedPostgres | undefined
let db: Database | undefined

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday-disk-'))
  isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=160m', 'tmpfs', folder]).status === 0
})
afterAll(async () => {
  await db?.$client.end()
  await postgres?.stop()
  if (isMounted) spawnSync('umount', ['-l', folder])
  await rm(folder, { recursive: true, force: true })
})

it('a full disk causes 503 with the reason in the log, loses nothing, and the server recovers', async (context) => {
  if (!isMounted) context.skip('a small disk cannot be mounted here; root may do that')
  postgres = await startEmbeddedPostgres({ dataDir: folder, log: (line) => lines.push(line) })
  await migrateDatabase(postgres.url)
  db = openDatabase(postgres.url, { limits: SERVER_LIMITS })
  const dependencies = { ...rig.dependencies, db }
  await prepareKeys(dependencies)
  rig.app = createApp(dependencies)
  const { token, userId } = await callSignUp(rig)
  const acknowledged = new Set<string>()
  const finish = async () => {
    const id = randomUUID()
    const body = { id, timeZone: 'Europe/Lisbon' }
    const { status } = await rig.call('POST', '/api/streak', { token, body })
    if (status === 200) acknowledged.add(id)
    return status
  }
  expect(await finish()).toBe(200)

  const filler = path.join(folder, 'filler')
  await fillDisk(folder, filler)
  // PostgreSQL writes WAL files of 16 MB. Here it needs the next one, for which there is no space.
  await db.$client.query('select pg_switch_wal()').catch(() => {})
  const seen = new Set<number>()
  const isFull = async () => {
    seen.add(await finish())
    return seen.has(503) && lines.some((line) => line.includes('the disk is full'))
  }
  await expect.poll(isFull, { timeout: 15_000, interval: 5 }).toBe(true)

  await rm(filler)
  await expect.poll(finish, { timeout: 20_000 }).toBe(200)
  expect([...seen].filter((status) => status !== 200 && status !== 503)).toEqual([])
  const { rows } = await db.$client.query('select id from error_practices where user_id = $1', [
    userId,
  ])
  const stored = new Set(rows.map(({ id }) => id))
  expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([])
}, 60_000)
