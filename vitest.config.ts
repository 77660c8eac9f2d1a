import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// As `npm start` has it: what one process compiled, the next need not compile again.
process.env['NODE_COMPILE_CACHE'] ??= join(import.meta.dirname, 'node_modules/.cache/sygnet/compiled')

/**
 * Files run in an order that the seed decides, because none may need another; but first those that would keep the run
 * waiting at its end.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const chance = createHash('sha1').update(`${this.ctx.config.sequence.seed} ${moduleId}`).digest('hex')
      return `${moduleId.includes('/e2e/accessibility') ? 0 : 1} ${chance}`
    }
    return files.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  }
}

const tests = '**/*.test.{ts,tsx}'
const checks = '**/*.check.test.ts'
const onlyAll = '**/*.all.test.ts'
const exclude = ['node_modules/**', 'dist/**']
/** The files of `npm test` with an exhaustive part, which `npm run test:all` runs: they ask server/testing/breadth.ts how much to do. */
const withExhaustivePart = globSync(tests, { cwd: import.meta.dirname, exclude: [...exclude, checks] }).filter((path) =>
  / from '[^']*\/breadth\.ts'/.test(readFileSync(join(import.meta.dirname, path), 'utf8')),
)

export default defineConfig({
  test: {
    projects: [
      // What compares the code with a list or a rule, for `npm run check`.
      { extends: true, test: { name: 'check', include: [checks], exclude, provide: { exhaustive: false } } },
      {
        extends: true,
        test: {
          name: 'once',
          include: [tests],
          exclude: [...exclude, checks, onlyAll],
          provide: { exhaustive: false },
        },
      },
      // A test of every combination takes minutes where other work goes on.
      {
        extends: true,
        test: {
          name: 'all',
          include: [onlyAll, ...withExhaustivePart],
          exclude,
          provide: { exhaustive: true },
          testTimeout: 900_000,
        },
      },
    ],
    globalSetup: ['server/testing/test-database.ts'],
    // A worker loads the portal once for all its files, which leave nothing behind for one another.
    isolate: false,
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A wait ends when what is waited for is there; limits end a hang.
    expect: { poll: { timeout: 60_000 } },
    // Two cores, and tests that often wait for a browser or a database: one more than the cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst, shuffle: { files: true, tests: false } },
  },
})
