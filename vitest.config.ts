import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['**/*.test.{ts,tsx}'],
    exclude: ['node_modules/**', 'dist/**'],
    globalSetup: ['tools/test-database.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two cores: a worker each for the tests; the database and browsers share them.
    maxWorkers: 2,
    sequence: { shuffle: { files: true, tests: false } },
  },
})
