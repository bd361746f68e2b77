import path from 'node:path'
import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export
export default defineConfig({
  test: {
    name: 'faults',
    root: path.join(import.meta.dirname, '..', '..', '..'),
    include: ['tests/faults/full-length/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
})
