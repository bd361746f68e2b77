import path from 'node:path'
import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export
export default defineConfig({
  test: {
    name: 'engines',
    root: path.join(import.meta.dirname, '..', '..'),
    include: ['tests/engines/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 90_000,
    hookTimeout: 120_000,
  },
})
