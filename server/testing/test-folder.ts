import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder of a test file. It is removed after everything that the file opens later has been closed. */
export function openTestFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-test-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  return folder
}
