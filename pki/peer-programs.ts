import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Whether the system has a program. Tests ask such programs for their own opinion of what we make. */
export function has(program: string) {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** Runs a program to its end; never rejects. Both outputs are joined, as programs differ in where they report. */
export function run(program: string, args: string[]) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const surroundings = ['TZ=UTC', 'LC_ALL=C.UTF-8']
    const child = execFile('env', [...surroundings, program, ...args], (_, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: stdout + stderr }),
    )
  })
}

/** A folder that goes away with the test. */
export function testFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
