import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'

/** Checks whether the system has a program. Tests check our output with such independent programs. */
export const has = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined

/**
 * Runs a program with a list of arguments, or with a text of them without blanks in any. Never rejects. Both outputs are
 * joined, because programs differ in where they report.
 */
export function run(program: string, args: string[] | string) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const child = execFile(
      'env',
      ['TZ=UTC', 'LC_ALL=C.UTF-8', program, ...(typeof args === 'string' ? args.split(' ').filter(Boolean) : args)],
      (_, stdout, stderr) => resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

function temporaryFolder(whenDone: (remove: () => void) => void) {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-'))
  whenDone(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Creates a folder that is deleted after the test. */
export const testFolder = () => temporaryFolder(onTestFinished)

/** Creates a folder that is deleted after the tests of the file. */
export const fileFolder = () => temporaryFolder(afterAll)

/** Creates a file that is deleted after the test. */
export function testFile(content: string | Uint8Array, name = 'file') {
  const path = join(testFolder(), name)
  writeFileSync(path, content)
  return path
}
