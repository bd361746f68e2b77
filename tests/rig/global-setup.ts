import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../platform/database/embedded/start.ts'
import { migrateDatabase } from '../../platform/database/migrate-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

/** One PostgreSQL for all server tests, with a migrated template that each file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'superday-tests-'))
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    // Nothing here has to survive a power cut.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
  })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create database superday_template')
  await client.end()
  await migrateDatabase(withDatabase(postgres.url, 'superday_template'))
  project.provide('postgresUrl', postgres.url)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
