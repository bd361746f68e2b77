import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as accounts from '../../../accounts/server/tables.ts'
import * as assessments from '../../../assessments/server/tables.ts'
import * as daily from '../../../daily/server/tables.ts'
import * as practice from '../../../practice/server/tables.ts'
import * as societies from '../../../societies/server/tables.ts'
import {
  backupOf,
  dump,
  fillEverything,
  finishTest,
  makeDatabase,
  restoreInto,
  withClient,
} from '../../../tests/rig/backup-rig.ts'
import { runCommand } from '../../../tests/rig/commands/run-command.ts'
import { signUp, useRig } from '../../../tests/rig/rig.ts'
import { sized } from '../../../tests/setup/size.ts'
import { ADMIN_FILE } from '../../../tools/build-server.mjs'
import { startEmbeddedPostgres } from '../embedded/start.ts'
import { fingerprintOf } from '../secret-key.ts'
import * as platform from '../tables.ts'
import { checkBackup } from './restore.ts'

const rig = useRig()
const TIMEOUT_MS = 200
const PEOPLE = sized(20, 8)
let folder: string
let backup: string
/** the rows that the backup must restore */
let rows: Record<string, string[]>

const inFolder = (name: string) => path.join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday backup '))
  backup = inFolder('full.backup')
  await fillEverything(rig)
  await backupOf(rig, backup)
  rows = await dump(rig.databaseUrl)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a backup', () => {
  it('contains every table of the schema, and the test has a row in each', async () => {
    const ours = [platform, accounts, practice, daily, assessments, societies]
      .flatMap((tables) => Object.values<unknown>(tables))
      .filter((table) => is(table, PgTable))
      .map((table) => getTableName(table as PgTable))
    const { tables } = await checkBackup(backup, { secretKey: rig.dependencies.secretKey })
    expect(tables.map(({ name }) => name).sort()).toEqual(ours.sort())
    expect(tables.filter((table) => table.rows === 0)).toEqual([])
  })

  it('contains the fingerprint of SECRET_KEY, not the key', async () => {
    const { secretKey } = rig.dependencies
    const bytes = gunzipSync(await readFile(backup))
    for (const form of ['base64', 'base64url', 'hex'] as const) {
      expect(bytes.includes(secretKey.toString(form))).toBe(false)
    }
    expect(bytes.includes(secretKey)).toBe(false)
    expect(bytes.includes(`"keyFingerprint":"${fingerprintOf(secretKey)}"`)).toBe(true)
  })

  it('is recorded in the audit log, and in its own copy of it', () => {
    expect(rows.admin_actions?.filter((row) => row.includes(',tester,backup,'))).toHaveLength(1)
  })

  it('is a consistent snapshot: results saved meanwhile are complete or absent', async () => {
    const students: { token: string; userId: string }[] = []
    for (let count = 0; count < PEOPLE; count += 1) students.push(await signUp(rig))
    const file = inFolder('amid.backup')
    // Server statements may take 15 s, but copying a table may take longer.
    const url = new URL(rig.databaseUrl)
    url.searchParams.set('options', `-c statement_timeout=${TIMEOUT_MS}`)
    await withClient(rig.databaseUrl, async (blocker) => {
      // The backup reads this table between the practice days and the results, so it blocks here.
      await blocker.query('begin; lock table recovery_tokens in access exclusive mode')
      const written = backupOf(rig, file, url.href)
      const heldUp = `select from pg_stat_activity
        where application_name = 'superday-backup' and wait_event_type = 'Lock'
          and clock_timestamp() - query_start > interval '${2 * TIMEOUT_MS} ms'`
      // The blocker can't ask this: a transaction sees one snapshot of the activity.
      await expect
        .poll(async () => (await rig.db.$client.query(heldUp)).rowCount, { timeout: 10_000 })
        .toBe(1)
      const saved = await Promise.all(students.map(({ token }) => finishTest(rig, token)))
      expect(new Set(saved.map(({ status }) => status))).toEqual(new Set([201]))
      await blocker.query('commit')
      await written
    })
    const restored = await makeDatabase({ migrated: true })
    await restoreInto(rig, restored, file)
    await withClient(restored, async (client) => {
      const { rows: torn } = await client.query(
        `select from test_results r full join practice_days d using (user_id)
         where r.user_id is null or d.user_id is null`,
      )
      expect(torn).toEqual([])
      const { rows: users } = await client.query('select from users where id = any ($1)', [
        students.map(({ userId }) => userId),
      ])
      expect(users).toHaveLength(PEOPLE)
    })
  })
})

/** Runs `npm run admin -- …` in its own process, from another folder. */
const admin = (args: string[], environment: Record<string, string>) =>
  runCommand([ADMIN_FILE, ...args], {
    // npm sets these, because it runs commands in the project's folder.
    ...{ ...process.env, npm_lifecycle_event: 'admin', INIT_CWD: folder },
    ...environment,
  })

describe('the backup commands', () => {
  it('move everything from an embedded database to another one and back', {
    tags: ['full'],
    timeout: 120_000,
  }, async () => {
    const { secretKey } = rig.dependencies
    const dataDir = inFolder('embedded')
    const embedded = await startEmbeddedPostgres({ dataDir, log: () => {} })
    await restoreInto(rig, embedded.url, backup)
    await embedded.stop()
    await writeFile(path.join(dataDir, 'secret.key'), secretKey.toString('base64'), { mode: 0o600 })

    const written = await admin(['backup', 'embedded.backup'], { DATA_DIR: dataDir })
    expect(written.out).toMatch(/^The data of .* rows in \d+ tables, \d+ kB, written to embedded/)
    expect(written.out).toContain(`the fingerprint ${fingerprintOf(secretKey)}`)
    expect(written.status).toBe(0)
    expect((await stat(inFolder('embedded.backup'))).mode & 0o777).toBe(0o600)

    const url = await makeDatabase({ migrated: false })
    const [brought, elsewhere] = await Promise.all([
      admin(['restore', 'embedded.backup'], {
        DATABASE_URL: url,
        SECRET_KEY: secretKey.toString('base64'),
      }),
      admin(['restore', 'embedded.backup'], { DATA_DIR: inFolder('none') }),
    ])
    expect([brought.status, brought.out]).toEqual([
      0,
      expect.stringMatching(/, restored\.\nSessions that ended after /),
    ])
    // Each backup and each restore adds a row to the audit log.
    const { admin_actions: actions, ...found } = await dump(url)
    const { admin_actions: firstActions = [], ...expected } = rows
    expect(found).toEqual(expected)
    expect(actions).toEqual(expect.arrayContaining(firstActions))
    // The command refuses before it creates a database, because SECRET_KEY is missing.
    expect([elsewhere.status, elsewhere.err]).toEqual([
      1,
      expect.stringMatching(
        /^The backup needs the SECRET_KEY with the fingerprint .*; there is none/,
      ),
    ])
    expect(existsSync(inFolder('none'))).toBe(false)
  })
})
