import { spawn, type SpawnOptionsWithoutStdio } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { testFolder } from '../../pki/testing/peer-programs.ts'

export function writeFiles(folder: string, files: Record<string, string | object>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** Creates a folder with these files (an object is written as JSON), which is removed after the test. */
export function makeProject(files: Record<string, string | object> = {}): string {
  const folder = testFolder()
  writeFiles(folder, files)
  return folder
}

/** Runs a program to its end. */
export async function run(command: string, args: readonly string[], options: SpawnOptionsWithoutStdio) {
  const child = spawn(command, args, options)
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve))
  child.stdin.end()
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exit])
  return { exitCode, stdout, stderr }
}

export const including = (part: string) => expect.stringContaining(part) as string
