import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Makes a folder that is deleted after the tests of the file; `testFolder` makes one for a single test. */
export function folderOfFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
