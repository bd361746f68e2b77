import { defineConfig } from 'vitest/config'
import rooms from './tools/rooms.json' with { type: 'json' }

/** The rooms of the house (docs/architecture.md). */
const ROOMS = `{${rooms.join(',')}}`

export default defineConfig({
  test: {
    // One less than there are cores is the default; most tests wait for PostgreSQL.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          // Rules and screens' logic: no database.
          include: [
            `${ROOMS}/*.test.ts`,
            `${ROOMS}/{web,build}/**/*.test.ts`,
            'tools/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'server',
          include: [
            `${ROOMS}/{server,database,command}/**/*.test.ts`,
            'tests/{attacks,faults}/*.test.ts',
          ],
          globalSetup: ['tests/rig/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
    ],
  },
})
