import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Runs the given test files with vitest, and then the summary of its report. */
function closingLine(files: Record<string, string>): { line: string; exitCode: number | null } {
  const folder = mkdtempSync(join(tmpdir(), 'summary-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder, name), `import { expect, test } from 'vitest'\n${text}`)
  const node = process.execPath
  spawnSync(
    node,
    [
      join(root, 'node_modules/vitest/vitest.mjs'),
      'run',
      '--passWithNoTests',
      '--reporter=json',
      '--outputFile=report.json',
    ],
    { cwd: folder },
  )
  const { stdout, status } = spawnSync(node, [join(root, 'tools/test-summary.ts'), 'report.json'], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { line: stdout, exitCode: status }
}

const passes = `test('passes', () => expect(1).toBe(1))`

test('counts what passed', () => {
  expect(closingLine({ 'a.test.ts': passes, 'b.test.ts': passes })).toEqual({
    line: '2 passed, 0 failed\n',
    exitCode: 0,
  })
})

test('tells skipped ones, and fails with a failed one', () => {
  const text = `${passes}\ntest('fails', () => expect(1).toBe(2))\ntest.skipIf(true)('needs a program', () => {})`
  expect(closingLine({ 'a.test.ts': text })).toEqual({ line: '1 passed, 1 failed, 1 skipped\n', exitCode: 1 })
})

test('a file that cannot be loaded is a failure', () => {
  expect(closingLine({ 'a.test.ts': passes, 'b.test.ts': `throw new Error('broken')` })).toEqual({
    line: '1 passed, 1 failed\n',
    exitCode: 1,
  })
})

test('a run without tests is a failure', () => {
  expect(closingLine({})).toEqual({ line: '0 passed, 0 failed\n', exitCode: 1 })
})
