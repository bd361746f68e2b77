import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { SERVER_LIMITS } from './database.ts'
import {
  applyMigrations,
  CONCURRENTLY,
  listMigrations,
  MIGRATION_LOCK,
  type Migration,
  noteMigration,
  readSchemaVersion,
} from './migrate.ts'
import { DatabaseStartError } from './pooler.ts'
import { connectToPrimary } from './primary.ts'

/** Milliseconds that a migration may block others, and that it waits for them. */
interface MigrationLimits {
  /** for one lock, because later calls queue behind it */
  lockMs: number
  /** for a whole migration while nodes serve, from its first lock to its commit */
  holdMs: number
  /** for all locks together, including the pauses between tries */
  waitMs: number
  /** without a heartbeat, after which a node counts as ended */
  silenceMs: number
}

export const MIGRATION_LIMITS: MigrationLimits = {
  // This is more than deadlock_timeout (1 s), after which PostgreSQL cancels an autovacuum that blocks us.
  lockMs: 2_000,
  // Calls give up on a lock after lockMs and return an error. No migration may cause that.
  holdMs: SERVER_LIMITS.lockMs - 100,
  waitMs: 120_000,
  // Heartbeats come every second, and may be late.
  silenceMs: 6_000,
}

/** Milliseconds between checks whether others are done. */
const LOOK_MS = 200
/** If a statement takes longer than this share of lockMs, we check what it waits for. */
const CURIOUS = 0.25
/** Milliseconds between log messages about what a migration waits for. */
const TELL_AFTER_MS = 1_000
const TELL_EVERY_MS = 5_000
/** Queued calls are served between tries, for longer each time. */
const PAUSES_MS = [1_000, 2_000, 4_000, 8_000, 15_000]
/** Tries of a migration that is slow by itself, because each one makes others wait. */
const LONG_TRIES = 3

interface Options {
  /** logs what it waits for (warn) and what it did (info) */
  log?: { info(line: string): void; warn(line: string): void }
  migrationsDir?: string
  limits?: MigrationLimits
}

/**
 * Migrates the schema while older nodes may serve (decision 047). Each migration runs once, in its own transaction,
 * waits at most lockMs for a lock, and holds one at most holdMs while others serve. Errors: DatabaseStartError when one
 * must not run next to a serving node, or takes longer than waitMs. Completed migrations stay.
 */
export async function migrateDatabase(
  url: string,
  { log, migrationsDir, limits = MIGRATION_LIMITS }: Options = {},
): Promise<void> {
  const known = listMigrations(migrationsDir)
  // An advisory lock belongs to the connection that took it, so this needs its own.
  const client = await connect(url)
  let watcher: Promise<pg.Client> | undefined
  const watch = () => {
    watcher ??= connect(url)
    return watcher
  }
  try {
    await waitForTurn(client, log)
    const version = await readSchemaVersion(client)
    if (version === null) return await inTransaction(client, () => applyMigrations(client, known))
    const ahead = known.filter(({ at }) => at > version)
    if (ahead.length === 0) return
    const isServed = await hasNodes(client)
    const unbearable = ahead.find(({ live }) => !live.isLive)
    if (isServed && unbearable) await requireSilence(client, unbearable, limits)
    for (const migration of ahead) {
      // A silent node isn't serving.
      const isHurried = isServed && !unbearable
      await new Run({ client, watch, migration, isHurried, limits, log }).finish()
    }
  } finally {
    // Ending the connection also releases the lock after an error.
    await client.end()
    await watcher?.then((opened) => opened.end()).catch(() => {})
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = await connectToPrimary(url, { application_name: 'superday-migration' })
  // The role's timeouts are meant for calls.
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  return client
}

/** Waits until no process migrates or restores. Polls, because a waiting statement's snapshot blocks index builds. */
async function waitForTurn(client: pg.Client, log: Options['log']): Promise<void> {
  let tellAt = performance.now() + TELL_AFTER_MS
  for (;;) {
    const { rows } = await client.query<{ isOurs: boolean }>(
      'select pg_try_advisory_lock($1) as "isOurs"',
      [MIGRATION_LOCK],
    )
    if (rows[0]?.isOurs) return
    if (performance.now() >= tellAt) {
      log?.warn('waiting for another node that is migrating, or for a restore')
      tellAt += TELL_EVERY_MS
    }
    await sleep(LOOK_MS)
  }
}

async function inTransaction(client: pg.Client, act: () => Promise<void>): Promise<void> {
  await client.query('begin')
  await act()
  await client.query('commit')
}

/** Whether a node or command is connected to this database, and any node has ever sent a heartbeat here. */
async function hasNodes(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(`
    select to_regclass('public.service_pulse') is not null and exists (
      select from pg_stat_activity
      where datname = current_database() and application_name = 'superday' and pid <> pg_backend_pid()
    ) as is`)
  return rows[0]?.is ?? false
}

/** Waits until no node sends heartbeats (assessments/server/pulse.ts). Any that does runs another version. */
async function requireSilence(
  client: pg.Client,
  { name, live }: Migration,
  { silenceMs }: MigrationLimits,
): Promise<void> {
  const read = async () => {
    const { rows } = await client.query<{ at: string }>(
      'select last_seen_at::text as at from service_pulse',
    )
    return rows[0]?.at
  }
  const first = await read()
  const until = performance.now() + silenceMs
  while (performance.now() < until) {
    await sleep(LOOK_MS)
    if ((await read()) === first) continue
    throw new DatabaseStartError(
      `Another version of Superday is running on this database, and it can't run with this version's changes (${name}, because ${live.words}). Stop every node, then start this version; see Deploying in docs/operations.md. Nothing was changed.`,
    )
  }
}

interface Attempt {
  client: pg.Client
  /** a second connection, which can inspect the first while it waits */
  watch: () => Promise<pg.Client>
  migration: Migration
  /** whether nodes serve in the meantime */
  isHurried: boolean
  limits: MigrationLimits
  log: Options['log']
}

/** Retries one migration until it is done or fails for good. */
class Run {
  readonly #begunAt = performance.now()
  readonly #attempt: Attempt
  #blockers = ''
  #longTries = 0

  constructor(attempt: Attempt) {
    this.#attempt = attempt
  }

  async finish(): Promise<void> {
    const { migration, log } = this.#attempt
    for (let tries = 0; ; tries += 1) {
      try {
        await this.#try()
        const tookMs = Math.round(performance.now() - this.#begunAt)
        log?.info(`${migration.name} is done, after ${tookMs} ms and ${tries + 1} tries`)
        return
      } catch (error) {
        // A lost connection is already rolled back, and its own error says more.
        await this.#attempt.client.query('rollback').catch(() => {})
        const pauseMs = PAUSES_MS[Math.min(tries, PAUSES_MS.length - 1)] as number
        this.#requireHope(error, pauseMs)
        log?.warn(
          `${migration.name} gives way to ${this.#blockers || 'others'} and retries in ${pauseMs / 1000} s`,
        )
        await sleep(pauseMs)
      }
    }
  }

  async #try(): Promise<void> {
    const { client, migration } = this.#attempt
    this.#blockers = ''
    if (migration.statements.some((statement) => CONCURRENTLY.test(statement))) {
      // No read or write waits for these statements, but they wait for all open transactions.
      await client.query('set lock_timeout = 0; set statement_timeout = 0')
      for (const statement of migration.statements) await this.#query(statement)
      await noteMigration(client, migration)
      return
    }
    await inTransaction(client, async () => {
      const until = performance.now() + this.#attempt.limits.holdMs
      for (const statement of migration.statements) {
        await this.#limit(until)
        await this.#query(statement)
      }
      await noteMigration(client, migration)
    })
  }

  /** Sets the timeouts for the transaction's next statement. */
  async #limit(until: number): Promise<void> {
    const { client, isHurried, limits, migration } = this.#attempt
    const lockMs = limits.lockMs
    // Validating blocks no call, however many rows it reads.
    const isHolding = isHurried && !migration.statements.every((text) => VALIDATES.test(text))
    const leftMs = isHolding ? Math.max(1, Math.round(until - performance.now())) : 0
    await client.query(
      `set local lock_timeout = ${isHolding ? Math.min(lockMs, leftMs) : lockMs}; set local statement_timeout = ${leftMs}`,
    )
  }

  /** Runs a statement. If it is slow, logs what it waits for. */
  async #query(statement: string): Promise<void> {
    const running = this.#attempt.client.query(statement)
    const done = running.then(
      () => true,
      () => true,
    )
    const curiousMs = this.#attempt.limits.lockMs * CURIOUS
    if (!(await Promise.race([done, sleep(curiousMs, false, { ref: false })]))) {
      this.#blockers = await this.#findBlockers().catch(() => '')
      const { log, migration } = this.#attempt
      if (this.#blockers) log?.warn(`${migration.name} waits for ${this.#blockers}`)
    }
    await running
  }

  async #findBlockers(): Promise<string> {
    const { client, watch } = this.#attempt
    const watcher = await watch()
    const { rows } = await watcher.query<{ pid: number; name: string; seconds: number | null }>(
      `select p.pid, coalesce(nullif(a.application_name, ''), a.backend_type, 'a session') as name,
         extract(epoch from clock_timestamp() - a.xact_start)::int as seconds
       from unnest(pg_blocking_pids($1)) as p (pid) left join pg_stat_activity a on a.pid = p.pid`,
      [(client as unknown as { processID: number }).processID],
    )
    return rows
      .map(
        ({ pid, name, seconds }) =>
          `${name} (process ${pid}${seconds === null ? '' : `, in a transaction for ${seconds} s`})`,
      )
      .join(', ')
  }

  /** Throws if a retry is useless: a readable message, or the error itself if it isn't about waiting. */
  #requireHope(error: unknown, pauseMs: number): void {
    const { code } = error as { code?: unknown }
    const isLock = code === '55P03' || code === '40P01'
    const isLong = code === '57014'
    if (!isLock && !isLong) throw error
    const { migration, limits } = this.#attempt
    const { name } = migration
    if (isLong && !this.#blockers) this.#longTries += 1
    if (this.#longTries >= LONG_TRIES) {
      throw new DatabaseStartError(
        `${name} takes longer than the ${limits.holdMs / 1000} seconds for which people can wait while other nodes serve. Stop every node, then start this version; see Deploying in docs/operations.md. None of it was changed.`,
      )
    }
    const waitedMs = performance.now() - this.#begunAt
    if (waitedMs + pauseMs <= limits.waitMs) return
    throw new DatabaseStartError(
      `${name} has waited ${Math.round(waitedMs / 1000)} seconds, in several tries, for a lock that others hold: ${this.#blockers || 'a constant stream of calls'}. Wait until they end, or end them (select pg_terminate_backend(…)), then start this version again. None of it was changed.`,
    )
  }
}

const VALIDATES = /^(--.*\n|\s)*alter table \S+ validate constraint \S+;?\s*$/i
