import { defineConfig } from 'vitest/config'
import rooms from './tools/rooms.json' with { type: 'json' }

/** The rooms of the house (docs/architecture.md). */
const ROOMS = `{${rooms.join(',')}}`

/**
 * Tests of what ends with its process: each has one of its own. All others share one process and its modules,
 * which takes a third of the time; what they share is a bug of theirs.
 */
const ALONE = 'platform/database/embedded/*.test.ts'
const SERVER = {
  globalSetup: ['tests/setup/global-setup.ts'],
  setupFiles: ['tests/setup/use-built-threads.ts', 'tests/setup/use-cheap-hashes.ts'],
  testTimeout: 30_000,
  hookTimeout: 30_000,
}

export default defineConfig({
  test: {
    // One less than there are cores is the default; most tests wait for PostgreSQL.
    maxWorkers: 2,
    // `npm test` runs the others (tools/test.mjs). A whole file has `@module-tag full` in its first comment.
    tags: [{ name: 'full', description: 'Runs in npm run test:full only.' }],
    projects: [
      {
        test: {
          name: 'unit',
          isolate: false,
          // Rules and screens' logic: no database.
          include: [
            `${ROOMS}/*.test.ts`,
            `${ROOMS}/{web,build,contract,schedule,drill,cases,aloud,family,superday}/**/*.test.ts`,
            'societies/!(server|web|command)/*.test.ts',
            'societies/*/{web,statistics}/**/*.test.ts',
            'tools/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'server',
          isolate: false,
          include: [
            `${ROOMS}/{server,database,command}/**/*.test.ts`,
            'societies/*/server/**/*.test.ts',
            'tests/{attacks,faults}/*.test.ts',
          ],
          exclude: [ALONE],
          ...SERVER,
        },
      },
      { test: { name: 'alone', include: [ALONE], testTimeout: 30_000, hookTimeout: 30_000 } },
    ],
  },
})
