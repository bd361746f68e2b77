import path from 'node:path'
import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export
export default defineConfig({
  test: {
    name: 'hostile',
    root: path.join(import.meta.dirname, '..', '..'),
    include: ['tests/hostile/**/*.test.ts'],
    // Each file floods its own server. Two at the same time would affect each other's measurements.
    fileParallelism: false,
    testTimeout: 240_000,
    hookTimeout: 120_000,
  },
})
