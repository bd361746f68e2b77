// Long because it covers every way in which a restore is refused, each with its message.
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  backupOf,
  dump,
  fillEverything,
  forge,
  makeDatabase,
  restoreInto,
  withApp,
  withClient,
} from '../../../tests/rig/backup-rig.ts'
import { refusalOf } from '../../../tests/rig/organizer-rig.ts'
import { useRig } from '../../../tests/rig/rig.ts'
import { sized } from '../../../tests/setup/size.ts'
import { openDatabase } from '../database.ts'
import { applyMigrations, listMigrations } from '../migrate.ts'
import { migrateDatabase } from '../migrate-database.ts'
import { fingerprintOf } from '../secret-key.ts'
import { listTables } from './backup.ts'

const rig = useRig()
let folder: string
let backup: string
let filled: Awaited<ReturnType<typeof fillEverything>>
/** the rows that the backup must restore */
let rows: Record<string, string[]>

const inFolder = (name: string) => path.join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'superday backup '))
  backup = inFolder('full.backup')
  filled = await fillEverything(rig)
  await backupOf(rig, backup)
  rows = await dump(rig.databaseUrl)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Returns a restored database's rows, and separately the audit row that the restore added. */
async function dumpRestored(
  url: string,
): Promise<{ rows: Record<string, string[]>; notes: string[] }> {
  const { admin_actions: actions = [], ...others } = await dump(url)
  return {
    rows: { ...others, admin_actions: actions.filter((row) => !row.includes(',restore,')) },
    notes: actions.filter((row) => row.includes(',restore,')),
  }
}

const restored = async (file = backup, more = {}) => {
  const url = await makeDatabase({ migrated: true })
  await restoreInto(rig, url, file, more)
  return url
}

describe('a restore that signs everyone out', () => {
  it('ends all sessions, refresh tokens and candidate tokens; passwords and attempts stay', async () => {
    const { student, running } = filled
    const url = await restored(backup, { signEveryoneOut: true })
    const left = (await dumpRestored(url)).rows
    await withApp(rig, url, async (call) => {
      expect((await call('GET', '/api/profile', { token: student.token })).status).toBe(401)
      const refreshed = await call('POST', '/auth/v1/token?grant_type=refresh_token', {
        body: { refresh_token: student.refreshToken },
      })
      expect([refreshed.status, refreshed.body.error_code]).toEqual([
        400,
        'refresh_token_not_found',
      ])
      const signedIn = await call('POST', '/auth/v1/token?grant_type=password', {
        body: { email: 'ana@example.com', password: 'correct horse battery' },
      })
      const resumed = await call('POST', '/api/assessments/RUNNING/attempt', {
        token: signedIn.body.access_token,
        headers: { 'X-Candidate-Token': running.seat.candidateToken, 'X-Window-Id': 'w' },
        body: { windowId: 'w' },
      })
      expect([resumed.status, resumed.body.code]).toEqual([403, 'bad_candidate_token'])
    })
    for (const table of ['sessions', 'recovery_tokens', 'candidate_tokens']) {
      expect(rows[table]?.length, table).toBeGreaterThan(0)
      expect(left[table], table).toEqual([])
    }
    expect(left.attempts).toEqual(rows.attempts)
    expect(left.users).toEqual(rows.users)
  })
})

describe('a restore into an empty database', () => {
  let url: string
  beforeAll(async () => {
    url = await restored()
  })

  it('has every row of every table unchanged, and its own log entry', async () => {
    const found = await dumpRestored(url)
    expect(found.rows).toEqual(rows)
    expect(found.notes).toHaveLength(1)
  })

  it('continues the numbers of identity columns', async () => {
    await withClient(url, async (client) => {
      const next = async (table: string) => {
        const sequence = `pg_get_serial_sequence('${table}', 'id')`
        const { rows } = await client.query(
          `select nextval(${sequence})::int as next, (select max(id)::int from ${table}) as last`,
        )
        return rows[0]
      }
      for (const table of ['assessment_items', 'attempt_events', 'item_rulings', 'admin_actions']) {
        const { next: number, last } = await next(table)
        expect(number, table).toBe(last + 1)
      }
    })
  })

  it('still enforces its triggers on new rows', async () => {
    await withClient(url, async (client) => {
      const { rows: off } = await client.query(
        `select tgname from pg_trigger where tgenabled <> 'O' and not tgisinternal`,
      )
      expect(off).toEqual([])
    })
  })

  it('accepts old passwords, access tokens and refresh tokens', async () => {
    const { student } = filled
    await withApp(rig, url, async (call) => {
      const profile = await call('GET', '/api/profile', { token: student.token })
      expect([profile.status, profile.body.email]).toEqual([200, 'ana@example.com'])
      const signedIn = await call('POST', '/auth/v1/token?grant_type=password', {
        body: { email: 'ana@example.com', password: 'correct horse battery' },
      })
      expect(signedIn.status).toBe(200)
      const refreshed = await call('POST', '/auth/v1/token?grant_type=refresh_token', {
        body: { refresh_token: student.refreshToken },
      })
      expect(refreshed.status).toBe(200)
      const streak = await call('GET', '/api/streak?timeZone=Europe/Lisbon', {
        token: student.token,
      })
      expect(streak.body.currentStreak).toBe(1)
    })
  })

  it('continues a running test with its old candidate token', async () => {
    const { seat, items, candidate } = filled.running
    await withApp(rig, url, async (call) => {
      const on = (method: string, route: string, body?: unknown) =>
        call(method, `/api/assessments/RUNNING/attempt${route}`, {
          token: seat.token,
          headers: { 'X-Candidate-Token': seat.candidateToken, 'X-Window-Id': seat.windowId },
          body,
        })
      const resumed = await on('POST', '', { windowId: seat.windowId })
      expect(resumed.body).toMatchObject({
        status: 'in_progress',
        remainingMs: 1_200_000,
        answers: [{ questionId: items[0]?.id, choice: 'A', revision: 3 }],
      })
      const answers = items.map(({ id, correctOption }) => ({
        questionId: id,
        choice: correctOption,
        revision: 4,
      }))
      expect((await on('POST', '/submit', { answers })).body.status).toBe('submitted')
    })
    await withClient(url, async (client) => {
      const { rows: results } = await client.query(
        `select r.correct, r.cheated from assessment_results r join attempts a on a.id = r.attempt_id
         where a.candidate_id = $1`,
        [candidate.id],
      )
      expect(results).toEqual([{ correct: 4, cheated: false }])
    })
  })
})

describe('a restore', () => {
  it('replaces what a start creates, and creates missing tables', { tags: ['full'] }, async () => {
    const bare = await makeDatabase({ migrated: false })
    await restoreInto(rig, bare, backup)
    expect((await dumpRestored(bare)).rows).toEqual(rows)
    await migrateDatabase(bare) // has nothing to do

    const started = await makeDatabase({ migrated: true })
    await withClient(started, (client) =>
      client.query(`
        insert into bank values (1, 7, 'hash');
        insert into service_pulse values (1, now(), now());
        insert into signing_keys values ('kid', '{}', '\\x00', now());
        insert into questions values
          (1, 'c', 'd', 't', 'q', 'a', 'b', 'c', 'd', 'A', null, '{}', 'content', false)`),
    )
    await restoreInto(rig, started, backup)
    expect((await dumpRestored(started)).rows).toEqual(rows)
  })

  it('into a database with data is refused, and with --replace deletes the data first', async () => {
    const url = await restored()
    await withClient(url, (client) =>
      client.query(`
        update users set email = 'other@example.com' where email is not null;
        delete from attempt_events`),
    )
    const before = await dump(url)
    expect(await refusalOf(() => restoreInto(rig, url, backup))).toMatch(
      /^The database is not empty: .*users \(4\).* attempts \(2\).*\. .*--replace/,
    )
    expect(await dump(url)).toEqual(before)
    await restoreInto(rig, url, backup, { replace: true })
    expect((await dumpRestored(url)).rows).toEqual(rows)
  })

  it('keeps all rows, even more than the read buffer and very long ones', {
    tags: ['full'],
  }, async () => {
    const from = await makeDatabase({ migrated: true })
    const digest = async (url: string) =>
      withClient(url, async (client) => {
        const { rows: found } = await client.query(
          `select count(*)::int as count, md5(string_agg(m::text, '' order by tries)) from mails m`,
        )
        return found[0]
      })
    await withClient(from, (client) =>
      client.query(`
        insert into mails select gen_random_uuid(), 'recovery', 'a@example.com', now(), n, now(), null,
          repeat(md5(n::text), case when n = 700 then 50000 else 100 end)
        from generate_series(1, 1500) n`),
    )
    const file = inFolder('large.backup')
    await backupOf(rig, file, from)
    const url = await makeDatabase({ migrated: true })
    await restoreInto(rig, url, file)
    expect(await digest(url)).toEqual(await digest(from))
    expect((await digest(url)).count).toBe(1500)
  })

  it('creates the tables of an older backup and migrates them', {
    tags: ['full'],
  }, async () => {
    const old = await makeDatabase({ migrated: false })
    const before = listMigrations().slice(0, -1)
    await withClient(old, async (client) => {
      await applyMigrations(client, before)
      await client.query(`insert into mails values
        (gen_random_uuid(), 'recovery', 'old@example.com', now(), 0, now(), null, null)`)
    })
    const file = inFolder('old.backup')
    await backupOf(rig, file, old)

    const url = await makeDatabase({ migrated: false })
    await restoreInto(rig, url, file)
    const found = await dump(url)
    const mailsOf = (database: string) =>
      withClient(database, async (client) => {
        const { rows } = await client.query('select id, recipient, created_at, tries from mails')
        return rows
      })
    expect(await mailsOf(url)).toEqual(await mailsOf(old))
    expect(await mailsOf(url)).toHaveLength(1)
    expect(Object.keys(found).sort()).toEqual(Object.keys(rows).sort())
    await migrateDatabase(url) // has nothing to do

    const started = await makeDatabase({ migrated: true })
    expect(await refusalOf(() => restoreInto(rig, started, file))).toMatch(
      /^The backup is older .*Please restore it into a new database on which Superday was never started/,
    )
  })

  it('with --any-key and another key keeps people and work, but nothing encrypted with the key', {
    tags: ['full'],
  }, async () => {
    const secretKey = randomBytes(32)
    const url = await restored(backup, { secretKey, anyKey: true })
    const found = await dumpRestored(url)
    const lost = [
      'sessions',
      'candidate_tokens',
      'replaced_tokens',
      'recovery_tokens',
      'signing_keys',
    ]
    for (const [table, kept] of Object.entries(rows)) {
      expect(found.rows[table], table).toEqual(lost.includes(table) ? [] : kept)
    }
    await withApp(
      rig,
      url,
      async (call) => {
        const body = { email: 'ana@example.com', password: 'correct horse battery' }
        const signedIn = await call('POST', '/auth/v1/token?grant_type=password', { body })
        const token = signedIn.body.access_token
        expect((await call('GET', '/api/profile', { token })).status).toBe(200)
        const { token: old } = filled.student
        expect((await call('GET', '/api/profile', { token: old })).status).toBe(401)
      },
      secretKey,
    )
  })

  const target = { url: '', rows: {} }
  beforeAll(async () => {
    target.url = await makeDatabase({ migrated: true })
    await withClient(target.url, (client) =>
      client.query(`insert into mails values
        (gen_random_uuid(), 'recovery', 'here@example.com', now(), 0, now(), null, null)`),
    )
    target.rows = await dump(target.url)
  })

  const keyOfRig = () => rig.dependencies.secretKey
  const sealed = (change: (text: string) => string) => (file: string) =>
    forge(backup, file, change, keyOfRig())

  const FAULTY: [string, (file: string) => Promise<void>, RegExp][] = [
    [
      'is something else',
      (file) => writeFile(file, 'hello'),
      /^The file isn't a backup or is damaged: incorrect header check\./,
    ],
    [
      'is gzip of something else',
      (file) => writeFile(file, gzipSync('{"a":1}\n')),
      /^The file isn't a backup/,
    ],
    [
      'was cut',
      async (file) => {
        const bytes = await readFile(backup)
        await writeFile(file, bytes.subarray(0, bytes.length - 200))
      },
      /damaged: unexpected end of file/,
    ],
    [
      'was cut between two tables',
      async (file) => {
        const text = gunzipSync(await readFile(backup)).toString()
        await writeFile(file, gzipSync(text.slice(0, text.indexOf('{"table":"test_results"'))))
      },
      /damaged: its end is missing/,
    ],
    [
      'has a wrong byte',
      async (file) => {
        const text = gunzipSync(await readFile(backup)).toString()
        await writeFile(file, gzipSync(text.replace('ana@example.com', 'eve@example.com')))
      },
      /damaged: its checksum is wrong/,
    ],
    [
      'was changed without the key but with a matching checksum',
      (file) => forge(backup, file, (text) => text.replace('ana@example.com', 'eve@example.com')),
      /^The backup was changed after it was made: its seal is wrong\./,
    ],
    [
      'continues after its end',
      async (file) => {
        const text = gunzipSync(await readFile(backup)).toString()
        await writeFile(file, gzipSync(`${text}more\n`))
      },
      /damaged: it continues after its end/,
    ],
    [
      'holds a row less than it says',
      sealed((text) => text.replace(/"name":"mails","rows":1/, '"name":"mails","rows":2')),
      /^The backup contains 1 rows of mails, but claims to have 2\./,
    ],
    [
      'ends with a row that the database rejects',
      sealed((text) =>
        text.replace(
          /(\{"table":"test_results"[^\n]*\n)[0-9a-f-]{36}/,
          (_, line) => `${line}00000000-0000-4000-8000-000000000000`,
        ),
      ),
      /^The database rejects the rows of test_results: .*foreign key/,
    ],
    [
      'comes from a newer version',
      sealed((text) =>
        text.replace(/"schema":\{[^}]*\}/, '"schema":{"name":"0099_next","at":9999999999999}'),
      ),
      /^The backup was made by a newer Superday \(its tables are those of 0099_next\)/,
    ],
    [
      'comes from an unknown version',
      sealed((text) => text.replace(/"schema":\{[^}]*\}/, '"schema":{"name":"0001_other","at":5}')),
      /^The backup has tables that this Superday version doesn't know \(0001_other\)/,
    ],
    [
      'has a newer format',
      sealed((text) => text.replace('"format":1', '"format":2')),
      /^The backup has format 2, but this program supports formats up to 1/,
    ],
  ]
  it.each(FAULTY.filter((_, n) => sized(true, n % 3 === 0)))(
    'changes nothing if the file %s',
    async (_, make, message) => {
      const file = inFolder('bad.backup')
      await make(file)
      expect(await refusalOf(() => restoreInto(rig, target.url, file, { replace: true }))).toMatch(
        message,
      )
      expect(await dump(target.url)).toEqual(target.rows)
    },
  )

  it('under another key is refused and names the required one', async () => {
    const secretKey = randomBytes(32)
    const url = await makeDatabase({ migrated: false })
    const refusal = await refusalOf(() => restoreInto(rig, url, backup, { secretKey }))
    expect(refusal).toContain(
      `needs the SECRET_KEY with the fingerprint ${fingerprintOf(keyOfRig())}; the current one has ${fingerprintOf(secretKey)}`,
    )
    expect(await dump(url)).toEqual({})
  })

  it('under a running server is refused', async () => {
    const url = await makeDatabase({ migrated: true })
    const server = openDatabase(url)
    await server.$client.query('select 1')
    expect(await refusalOf(() => restoreInto(rig, url, backup))).toMatch(
      /^Superday is running on this database. Please stop every node first/,
    )
    await server.$client.end()
  })

  it("into a database with another program's tables is refused", async () => {
    const url = await makeDatabase({ migrated: false })
    await withClient(url, async (client) => {
      await client.query('create table theirs (id int)')
      expect(await refusalOf(() => restoreInto(rig, url, backup, { replace: true }))).toMatch(
        /^The database has tables that aren't Superday's/,
      )
      expect((await listTables(client)).map(({ name }) => name)).toEqual(['theirs'])
    })
  })
})
