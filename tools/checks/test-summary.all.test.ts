import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProject, run } from '../testing/projects.ts'

const root = join(import.meta.dirname, '../..')

/** Runs the given test files with vitest, and then the summary of its report. */
async function summaryOf(files: Record<string, string>) {
  const cwd = makeProject(files)
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'))
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const options = ['--globals', '--passWithNoTests', '--reporter=json', '--outputFile=report.json']
  await run(process.execPath, [vitest, 'run', ...options], { cwd })
  return run(process.execPath, [join(root, 'tools/checks/test-summary.ts'), 'report.json'], { cwd })
}

const pass = `test('passes', () => expect(1).toBe(1))`
const fail = `test('fails', () => expect(1).toBe(2))`
const broken = `throw new Error('broken')`

test.each([
  ['passed tests are counted', { 'a.test.ts': pass, 'b.test.ts': pass }, /^2 passed, 0 failed\n$/, 0],
  [
    'skipped ones are counted, and a failed one fails the run',
    { 'a.test.ts': `${pass}\n${fail}\ntest.skipIf(true)('needs a program', () => {})` },
    /^FAILED a\.test\.ts > fails\n {2}AssertionError: expected 1 to be 2[^]*\n1 passed, 1 failed, 1 skipped\n$/,
    1,
  ],
  [
    'a file that cannot be loaded is a failure',
    { 'a.test.ts': pass, 'b.test.ts': broken },
    /^FAILED b\.test\.ts > cannot be loaded\n {2}broken[^]*\n1 passed, 1 failed\n$/,
    1,
  ],
  ['a run without tests is a failure', {}, /^0 passed, 0 failed\n$/, 1],
])('%s', async (_what, files, text, exitCode) => {
  expect(await summaryOf({ ...files })).toEqual({ exitCode, stdout: expect.stringMatching(text), stderr: '' })
})
