import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeDatabase, withClient } from '../../tests/rig/backup-rig.ts'
import { listMigrations } from './migrate.ts'
import { MIGRATION_LIMITS, migrateDatabase } from './migrate-database.ts'

/** Short, so that tests don't wait. The proportions are those of MIGRATION_LIMITS. */
const LIMITS = { lockMs: 500, holdMs: 600, waitMs: 20_000, silenceMs: 1_000 }
const FIRST = `-- live: no, because there is nothing before
create table service_pulse (id smallint primary key, last_seen_at timestamptz not null);
--> statement-breakpoint
create table events (id bigint generated always as identity primary key, kind text not null);
--> statement-breakpoint
insert into service_pulse values (1, now())`
const COLUMN = '-- live: yes, adds a column\nalter table events add column dwell jsonb'

let folder: string
let url: string
let closers: (() => Promise<unknown>)[]
let lines: string[]
const log = {
  info: (line: string) => void lines.push(`info ${line}`),
  warn: (line: string) => void lines.push(`warn ${line}`),
}

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'superday-migrations-'))
  closers = []
  lines = []
  url = await makeDatabase({ migrated: false })
  await migrate(FIRST)
})
afterEach(async () => {
  for (const close of closers.reverse()) await close()
  rmSync(folder, { recursive: true, force: true })
})

/** Migrates with these files, in order. Earlier files come first again. */
const migrate = (...files: string[]) => {
  const migrationsDir = writeMigrations(files)
  return migrateDatabase(url, { log, migrationsDir, limits: LIMITS })
}

function writeMigrations(files: readonly string[]): string {
  const dir = mkdtempSync(path.join(folder, 'dir-'))
  mkdirSync(path.join(dir, 'meta'))
  const entries = files.map((sql, idx) => {
    const tag = `000${idx}_m`
    writeFileSync(path.join(dir, `${tag}.sql`), sql)
    return { idx, version: '7', when: idx + 1, tag, breakpoints: true }
  })
  writeFileSync(path.join(dir, 'meta', '_journal.json'), JSON.stringify({ entries }))
  return dir
}

async function open(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, application_name: name })
  client.on('error', () => {})
  await client.connect()
  closers.push(() => client.end().catch(() => {}))
  return client
}

/** Simulates a node of another version, with its session and heartbeat. */
async function startNode(): Promise<{ client: pg.Client; stopBeating(): void }> {
  const client = await open('superday')
  let isBeating = true
  const beating = (async () => {
    while (isBeating) {
      await client.query('update service_pulse set last_seen_at = clock_timestamp()')
      await sleep(100)
    }
  })()
  const stopBeating = () => {
    isBeating = false
  }
  closers.push(async () => {
    stopBeating()
    await beating
  })
  return { client, stopBeating }
}

const columns = () =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select attname::text as name from pg_attribute
       where attrelid = 'events'::regclass and attnum > 0 and not attisdropped order by attnum`,
    )
    return rows.map(({ name }) => name)
  })

describe('while a long transaction holds the table', () => {
  async function hold(): Promise<pg.Client> {
    const holder = await open('superday-backup')
    await holder.query('begin')
    await holder.query('select from events')
    return holder
  }

  it('a migration gives way, so that others don’t wait behind it, and logs what it waits for', {
    tags: ['full'],
  }, async () => {
    const holder = await hold()
    const migrating = migrate(FIRST, COLUMN)
    const saver = await open('saver')
    let longestMs = 0
    const until = performance.now() + 2_500
    while (performance.now() < until) {
      const begunAt = performance.now()
      await saver.query(`insert into events (kind) values ('saved')`)
      longestMs = Math.max(longestMs, performance.now() - begunAt)
      await sleep(20)
    }
    expect(await columns()).toEqual(['id', 'kind'])
    await holder.query('commit')
    await migrating
    expect(await columns()).toEqual(['id', 'kind', 'dwell'])
    expect(longestMs).toBeGreaterThan(100)
    expect(longestMs).toBeLessThan(LIMITS.lockMs + 700)
    expect(lines).toContainEqual(
      expect.stringMatching(
        /^warn 0001_m gives way to .*superday-backup \(process \d+, in a transaction for \d+ s\).* and retries in 1 s$/,
      ),
    )
    expect(lines.at(-1)).toMatch(/^info 0001_m is done, after \d+ ms and [2-9] tries$/)
  })

  it("a migration gives up naming the lock's holder, and earlier migrations stay", async () => {
    const holder = await hold()
    const migrationsDir = writeMigrations([
      FIRST,
      '-- live: yes, adds a table\ncreate table other (id int)',
      COLUMN,
    ])
    const limits = { ...LIMITS, waitMs: 1_500 }
    await expect(migrateDatabase(url, { log, migrationsDir, limits })).rejects.toThrow(
      /^0002_m has waited \d seconds, in several tries, for a lock that others hold: superday-backup \(process \d+, .*None of it was changed\.$/,
    )
    await holder.query('commit')
    expect(await columns()).toEqual(['id', 'kind'])
    await withClient(url, (client) => client.query('select from other'))
    await migrateDatabase(url, { log, migrationsDir, limits })
    expect(await columns()).toEqual(['id', 'kind', 'dwell'])
  })
})

describe('a migration that must not run live', () => {
  const DROPPED =
    '-- live: no, because nodes of before read the column\nalter table events drop column kind'

  it('is refused while a node of another version sends heartbeats, and nothing runs before it', async () => {
    await startNode()
    await expect(migrate(FIRST, COLUMN, DROPPED)).rejects.toThrow(
      "Another version of Superday is running on this database, and it can't run with this version's changes (0002_m, because nodes of before read the column). Stop every node, then start this version",
    )
    expect(await columns()).toEqual(['id', 'kind'])
  })

  it('runs when that heartbeat stops, whatever its time, and immediately without other nodes', {
    tags: ['full'],
  }, async () => {
    const { client, stopBeating } = await startNode()
    stopBeating()
    await sleep(200)
    await client.query(`update service_pulse set last_seen_at = now() + interval '1 hour'`)
    const begunAt = performance.now()
    await migrate(FIRST, COLUMN, DROPPED)
    expect(performance.now() - begunAt).toBeGreaterThan(LIMITS.silenceMs)
    await client.end()
    const next = performance.now()
    await migrate(FIRST, COLUMN, DROPPED, DROPPED.replace('column kind', 'column dwell'))
    expect(performance.now() - next).toBeLessThan(LIMITS.silenceMs)
    expect(await columns()).toEqual(['id'])
  })

  it('is the default when it says nothing', async () => {
    await startNode()
    await expect(migrate(FIRST, 'alter table events add column b int')).rejects.toThrow(
      '(0001_m, because it does not say that it can)',
    )
  })
})

describe('a migration that can run live', () => {
  const SLOW = `${COLUMN};\n--> statement-breakpoint\nselect pg_sleep(0.4);\n--> statement-breakpoint\nselect pg_sleep(0.4)`

  it('may hold locks for at most holdMs in total while nodes serve, and is rolled back after that', {
    tags: ['full'],
  }, async () => {
    await startNode()
    await expect(migrate(FIRST, SLOW)).rejects.toThrow(
      '0001_m takes longer than the 0.6 seconds for which people can wait',
    )
    expect(await columns()).toEqual(['id', 'kind'])
  })

  it('may take as long as it needs when no nodes serve', { tags: ['full'] }, async () => {
    await migrate(FIRST, SLOW)
    expect(await columns()).toContain('dwell')
  })

  it('may validate for as long as it takes', { tags: ['full'] }, async () => {
    await startNode()
    await withClient(url, (client) =>
      client.query(`
        insert into events (kind) select 'a' from generate_series(1, 4);
        create function slow(text) returns boolean language plpgsql as
          $$ begin perform pg_sleep(0.3); return true; end $$`),
    )
    await migrate(
      FIRST,
      '-- live: yes, adds a check\nalter table events add constraint c check (slow(kind)) not valid',
      '-- live: yes, validates it\nalter table events validate constraint c',
    )
  })

  const INDEX = `-- live: yes, adds an index
drop index concurrently if exists events_kind;
--> statement-breakpoint
create index concurrently events_kind on events (kind)`
  const isValid = () =>
    withClient(url, async (client) => {
      const { rows } = await client.query(
        `select indisvalid as is from pg_index where indexrelid = to_regclass('events_kind')`,
      )
      return rows.map(({ is }) => is)
    })

  it('builds an index concurrently: others write meanwhile, and it waits for older transactions', {
    tags: ['full'],
  }, async () => {
    const writer = await open('superday')
    await writer.query('begin')
    await writer.query(`insert into events (kind) values ('a')`)
    const migrating = migrate(FIRST, INDEX)
    await sleep(1_000)
    const other = await open('superday')
    await other.query(`set lock_timeout = 100; insert into events (kind) values ('b')`)
    await writer.query('commit')
    await migrating
    expect(await isValid()).toEqual([true])
    expect(lines[0]).toMatch(/^warn 0001_m waits for superday \(process \d+/)
  })

  it('rebuilds an interrupted index, and nodes that start together wait for one another', {
    tags: ['full'],
  }, async () => {
    await withClient(url, async (client) => {
      await client.query(`insert into events (kind) values ('a'), ('a')`)
      await expect(
        client.query('create unique index concurrently events_kind on events (kind)'),
      ).rejects.toThrow('could not create unique index')
    })
    expect(await isValid()).toEqual([false])
    const writer = await open('other')
    await writer.query('begin')
    await writer.query(`insert into events (kind) values ('a')`)
    const migrating = [migrate(FIRST, INDEX), migrate(FIRST, INDEX), migrate(FIRST, INDEX)]
    await sleep(1_500)
    await writer.query('commit')
    await Promise.all(migrating)
    expect(await isValid()).toEqual([true])
    expect(lines.filter((line) => line.includes('is done'))).toHaveLength(1)
    expect(lines).toContain('warn waiting for another node that is migrating, or for a restore')
  })

  it('runs in one transaction as part of a new database', async () => {
    url = await makeDatabase({ migrated: false })
    await migrate(FIRST, INDEX)
    expect(await isValid()).toEqual([true])
  })
})

it('a migration and a new database ignore the role’s time limits', {
  tags: ['full'],
}, async () => {
  url = await makeDatabase({ migrated: false })
  await withClient(url, (client) =>
    client.query(
      'do $$ begin execute format($f$alter database %I set statement_timeout = 300$f$, current_database()); end $$',
    ),
  )
  const slow = (sql: string) => `${sql};\n--> statement-breakpoint\nselect pg_sleep(0.6)`
  await migrate(slow(FIRST))
  await migrate(slow(FIRST), slow(COLUMN))
})

it('a faulty migration fails immediately, with PostgreSQL’s message', async () => {
  await expect(migrate(FIRST, COLUMN.replace('events', 'nothing'))).rejects.toThrow(
    'relation "nothing" does not exist',
  )
})

it('a waiting migration refuses no request', () => {
  expect(MIGRATION_LIMITS.holdMs).toBeGreaterThan(MIGRATION_LIMITS.lockMs)
  expect(MIGRATION_LIMITS.lockMs).toBeGreaterThan(1_000)
  expect(listMigrations().at(-1)?.live.words).toBeTruthy()
})
