import path from 'node:path'
import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export
export default defineConfig({
  test: {
    name: 'cluster',
    root: path.join(import.meta.dirname, '..', '..'),
    include: ['tests/cluster/**/*.test.ts'],
    // The tests share the ports of one cluster.
    fileParallelism: false,
    testTimeout: 400_000,
    hookTimeout: 120_000,
  },
})
