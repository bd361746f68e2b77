import { rm } from 'node:fs/promises'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../platform/database/embedded/start.ts'
import { migrateDatabase } from '../../platform/database/migrate-database.ts'
import { buildServer } from '../../tools/build-server.mjs'
import { makeDataFolder } from './data-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

interface Started {
  url: string
  stop(): Promise<void>
}

/** Vitest sets up each project separately, in one process. They all use one PostgreSQL. */
const shared = globalThis as typeof globalThis & {
  testPostgres?: { started: Promise<Started>; projects: number } | undefined
}

/** Builds the server, and starts one PostgreSQL with a migrated template that each server test file copies. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.testPostgres ??= { started: start(), projects: 0 }
  const { testPostgres } = shared
  testPostgres.projects += 1
  const { url, stop } = await testPostgres.started
  project.provide('postgresUrl', url)
  return async () => {
    testPostgres.projects -= 1
    if (testPostgres.projects > 0) return
    shared.testPostgres = undefined
    await stop()
  }
}

async function start(): Promise<Started> {
  const [dataDir] = await Promise.all([makeDataFolder('superday-tests-'), buildServer()])
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    // Test data doesn't have to survive a power cut.
    settings: {
      ...{ fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' },
      // Otherwise it visits the databases of all files in turn.
      autovacuum: 'off',
    },
  })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  await client.query('create database superday_template')
  await client.end()
  await migrateDatabase(withDatabase(postgres.url, 'superday_template'))
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
