import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'dist/**'],
    globalSetup: ['tools/test-database.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Two cores, and tests that often wait for a browser or a database: one more than the cores.
    maxWorkers: 3,
    sequence: { shuffle: { files: true, tests: false } },
  },
})
