import path from 'node:path'
import { defineConfig } from 'vitest/config'

// biome-ignore lint/style/noDefaultExport: Vitest reads the default export
export default defineConfig({
  test: {
    name: 'rush',
    root: path.join(import.meta.dirname, '..', '..'),
    include: ['tests/rush/**/*.test.ts'],
    // They share the ports and the processor.
    fileParallelism: false,
    testTimeout: 1_200_000,
    hookTimeout: 120_000,
  },
})
