import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { hashCandidatePassword } from '../assessments/server/password-store.ts'
import { listMigrations } from '../platform/database/migrate.ts'
import { MIGRATION_LIMITS, migrateDatabase } from '../platform/database/migrate-database.ts'
import { readOrMakeSecretKey } from '../platform/database/secret-key.ts'
import { type RunningProduct, startProduct } from './product.ts'
import type { Figure } from './rounds.ts'
import { Savers, type SavesReport } from './savers.ts'

const ROOT = path.join(import.meta.dirname, '..')
const MIGRATIONS = path.join('platform', 'database', 'migrations')
const CODE = 'BENCH_MIGRATIONS'
const PASSWORD = 'abcd-efgh-jkmnp'
const CANDIDATES = 100
/** Average pause between a candidate's saves: a hundred save 50 times a second. */
const SAVE_EVERY_MS = 2_000
/** Earlier attempts, which the stored events belong to. */
const PAST = 5_000
const BATCH = 500_000
/** Milliseconds for which saves are watched without changes, and before and after each change. */
const CALM_MS = 20_000
const EDGE_MS = 3_000
/** Milliseconds that a transaction which has read the events stays open. */
const HELD_MS = 20_000
const FIRST_TRIAL_AT = 4_000_000_000_000

interface Trial {
  what: string
  report: SavesReport
  seconds: number
}

/**
 * migration-failed, migration-save-ms: saves of a hundred candidates while the schema changes, with many events stored.
 * The changes: the newest migration by a node of this version next to one of the previous version (from git), possible
 * later changes to the table of events, and those behind a long transaction. It also measures what we avoid: waiting
 * for that lock without a limit, and building an index without CONCURRENTLY.
 */
export async function benchMigrations(events: number): Promise<Figure[]> {
  const before = checkOutBefore()
  const publicUrl = 'http://localhost:3000'
  const old = await startProduct({ PUBLIC_URL: publicUrl }, before.folder).catch((error) => {
    before.remove()
    throw error
  })
  let beside: RunningProduct | undefined
  const db = new pg.Client({ connectionString: old.databaseUrl })
  await db.connect()
  try {
    const secretKey = await readOrMakeSecretKey(old.dataDir)
    await prepare(db, hashCandidatePassword(secretKey, PASSWORD))
    await fill(db, events)
    const savers = await Savers.start(old.url, {
      code: CODE,
      password: PASSWORD,
      count: CANDIDATES,
    })
    savers.begin(SAVE_EVERY_MS)
    const trial = (what: string, act: () => Promise<unknown>) => tryOut(savers, what, act)
    await trial('nothing', () => wait(CALM_MS))
    const done = [
      await trial(
        `${before.migration}, by a node of this version next to the old one`,
        async () => {
          beside = await startProduct(
            {
              DATABASE_URL: old.databaseUrl,
              SECRET_KEY: secretKey.toString('base64'),
              PUBLIC_URL: publicUrl,
            },
            ROOT,
          )
        },
      ),
      await trial('two columns and a check, not valid', () => migrate(old.databaseUrl, 1)),
      await trial('the check is validated', () => migrate(old.databaseUrl, 2)),
      await trial('an index, concurrently', () => migrate(old.databaseUrl, 3)),
      await trial(`a column, behind a transaction of ${HELD_MS / 1000} s`, async () => {
        const { released } = await holdTable(old.databaseUrl)
        await Promise.all([released, migrate(old.databaseUrl, 4)])
      }),
    ]
    // Nothing changes now, so the slowest save is due to the machine, but failures count.
    savers.urls = [old.url, beside?.url ?? '']
    const both = await trial('both versions serve', () => wait(CALM_MS))
    savers.urls = [old.url]
    await trial('not used: the same without lock_timeout', async () => {
      const { released } = await holdTable(old.databaseUrl)
      const changed = db.query('alter table attempt_events add column trial_bare jsonb')
      await Promise.all([released, changed])
    })
    await trial('not used: an index, not concurrently', () =>
      db.query('create index trial_bare on attempt_events (received_at)'),
    )
    await savers.end()
    return figuresOf(done, both.report.failed, events)
  } finally {
    await db.end()
    await beside?.stop()
    await old.stop()
    before.remove()
  }
}

/** @param failedCalm saves that failed while both versions served and nothing changed */
function figuresOf(done: readonly Trial[], failedCalm: number, events: number): Figure[] {
  const failed = done.reduce((sum, { report }) => sum + report.failed, failedCalm)
  const saves = done.reduce((sum, { report }) => sum + report.saves, 0)
  const longest = Math.max(...done.map(({ report }) => report.longestMs))
  const limit = MIGRATION_LIMITS.holdMs
  return [
    {
      name: 'migration-failed',
      figure: failed,
      limit: '0',
      met: failed === 0,
      note: `of ${saves} saves, ${events} events stored`,
    },
    {
      name: 'migration-save-ms',
      figure: longest,
      limit: `< ${limit}`,
      met: longest < limit,
      note: 'the slowest save while the schema changed',
    },
  ]
}

/** Checks out and builds the program as it was before the newest migration, in a separate folder. */
function checkOutBefore(): { folder: string; migration: string; remove(): void } {
  const migration = listMigrations().at(-1)?.name ?? ''
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()
  const file = path.posix.join('platform', 'database', 'migrations', `${migration}.sql`)
  const added = git('log', '-1', '--diff-filter=A', '--format=%H', '--', file)
  const folder = mkdtempSync(path.join(tmpdir(), 'superday-before-'))
  git('worktree', 'add', '--detach', '--force', folder, `${added}^`)
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'))
  execFileSync(
    process.execPath,
    ['--input-type=module', '-e', `await (await import('./tools/build-server.mjs')).buildServer()`],
    { cwd: folder, stdio: 'inherit' },
  )
  return {
    folder,
    migration,
    remove: () => void git('worktree', 'remove', '--force', folder),
  }
}

async function tryOut(savers: Savers, what: string, act: () => Promise<unknown>): Promise<Trial> {
  savers.report()
  await wait(EDGE_MS)
  const begunAt = performance.now()
  await act()
  const seconds = Math.round((performance.now() - begunAt) / 100) / 10
  await wait(EDGE_MS)
  const report = savers.report()
  console.error(
    `| ${what} | ${seconds} | ${report.failed} of ${report.saves} | ${report.medianMs} | ${report.p99Ms} | ${report.longestMs} |`,
  )
  for (const failure of report.failures) console.error(failure)
  return { what, report, seconds }
}

/** Possible later changes to the events, in order. */
const LATER = [
  `-- live: yes, adds two columns and a check of one
alter table attempt_events add column trial_note text, add column trial_weight smallint default 1 not null,
  add constraint trial_weight_positive check (trial_weight > 0) not valid`,
  `-- live: yes, validates a check
alter table attempt_events validate constraint trial_weight_positive`,
  `-- live: yes, adds an index
drop index concurrently if exists attempt_events_trial;
--> statement-breakpoint
create index concurrently attempt_events_trial on attempt_events (received_at)`,
  `-- live: yes, adds a column
alter table attempt_events add column trial_other jsonb`,
]

/** Migrates as a node of a later version would, up to the migration with that number, from 1. */
async function migrate(url: string, upTo: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'superday-later-'))
  try {
    cpSync(path.join(ROOT, MIGRATIONS), folder, { recursive: true })
    const journalFile = path.join(folder, 'meta', '_journal.json')
    const journal = JSON.parse(readFileSync(journalFile, 'utf8'))
    for (const [index, sql] of LATER.slice(0, upTo).entries()) {
      const tag = `later_${index + 1}`
      writeFileSync(path.join(folder, `${tag}.sql`), sql)
      journal.entries.push({ tag, when: FIRST_TRIAL_AT + index, breakpoints: true })
    }
    writeFileSync(journalFile, JSON.stringify(journal))
    const log = {
      info: (line: string) => console.error(line),
      warn: (line: string) => console.error(line),
    }
    await migrateDatabase(url, { migrationsDir: folder, log })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Starts a transaction that has read the events when this returns, and ends it later. */
async function holdTable(url: string): Promise<{ released: Promise<void> }> {
  const holder = new pg.Client({ connectionString: url, application_name: 'holder' })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from attempt_events limit 1')
  const release = async () => {
    await wait(HELD_MS)
    await holder.query('commit')
    await holder.end()
  }
  return { released: release() }
}

/** A current test, and an earlier one with its attempts. */
async function prepare(db: pg.Client, passwordHash: Buffer): Promise<void> {
  await db.query(
    `with owner as (
       insert into societies (id, name, via, created_at)
       values (gen_random_uuid(), 'Bench', 'command', now()) returning id
     )
     insert into assessments (code, society_id, society, duration_seconds, shuffle, navigator, rules,
       time_zone, is_sample, created_at)
     select code, id, 'Bench', 7200, true, true,
       '{"timing":[],"allowed":[],"forbidden":[],"contact":null}', 'Europe/Lisbon', false, now()
     from owner, unnest(array[$1, 'BENCH_PAST']) code`,
    [CODE],
  )
  await db.query(
    `insert into assessment_items (assessment, position, question, answer_a, answer_b, answer_c,
       answer_d, correct_option, is_sample)
     select $1, n, 'By how much does the price of bond ' || n || ' change when its yield rises?',
       'It falls by 1%', 'It falls by 2%', 'It falls by 3%', 'It falls by 4%',
       (array['A', 'B', 'C', 'D'])[1 + n % 4], false
     from generate_series(1, 30) n`,
    [CODE],
  )
  await db.query(
    `insert into candidates (id, assessment, username, password_hash, created_at)
     select gen_random_uuid(), code, 'candidate-' || n, $2, now()
     from (values ($1, ${CANDIDATES}), ('BENCH_PAST', ${PAST})) as given (code, count),
       generate_series(1, count) n`,
    [CODE, passwordHash],
  )
  await db.query(
    `insert into attempts (id, assessment, candidate_id, paper, started_at, deadline_at, submitted_at,
       submit_reason, window_id, is_demo)
     select gen_random_uuid(), assessment, id, '{}', now() - interval '60 days', now() - interval '59 days',
       now() - interval '59 days', 'submitted', 'w', false
     from candidates where assessment = 'BENCH_PAST'`,
  )
}

/** Stores events of the earlier attempts in time order, as a term of tests leaves them. */
async function fill(db: pg.Client, events: number): Promise<void> {
  const begunAt = performance.now()
  // Every row refers to an existing attempt. Checking ten million foreign keys would take half of the time.
  await db.query('set session_replication_role = replica')
  // The other indexes aren't updated per row either. They are rebuilt at the end.
  const { rows: indexes } = await db.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = 'attempt_events' and indexname <> 'attempt_events_pkey'`,
  )
  for (const { name } of indexes) await db.query(`drop index ${name}`)
  await db.query(
    `create temp table past as select row_number() over () - 1 as place, id, candidate_id
     from attempts where assessment = 'BENCH_PAST'`,
  )
  for (let from = 0; from < events; from += BATCH) {
    await db.query(
      `insert into attempt_events (candidate_id, attempt_id, kind, window_id, number, at_ms, detail, received_at)
       select candidate_id, id, 'answer', 'w', n / ${PAST}, n / 4,
         jsonb_build_object('questionId', n % 30, 'choice', 'A', 'revision', 1),
         now() - interval '60 days' + n * interval '10 ms'
       from generate_series($1::bigint, $2::bigint - 1) n join past on place = n % ${PAST}`,
      [from, Math.min(events, from + BATCH)],
    )
  }
  await db.query(`set session_replication_role = origin; set maintenance_work_mem = '1GB'`)
  for (const { definition } of indexes) await db.query(definition)
  await db.query('reset maintenance_work_mem')
  await db.query('vacuum analyze attempt_events')
  const { rows } = await db.query(
    `select pg_size_pretty(pg_total_relation_size('attempt_events')) as size`,
  )
  const seconds = Math.round((performance.now() - begunAt) / 1000)
  console.error(`${events} events stored in ${seconds} s, ${rows[0].size} with their indexes`)
}
