import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { atMost, type Figure } from './figures.ts'
import { startPortal } from '../e2e/testing/portal-process.ts'

/** From a fresh clone to the first page, and the second start: `npm start` as a newcomer runs it, with the packages in npm's cache. */
export async function measureStarts(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'sygnet-bench-start-'))
  try {
    const clone = join(directory, 'clone')
    execFileSync('git', ['clone', '--quiet', join(import.meta.dirname, '..'), clone])
    const options = { cwd: clone, dataDirectory: join(directory, 'data') }
    const first = await startPortal('npm', ['start'], options)
    await first.demonstrationReady
    await first.stop()
    const second = await startPortal('npm', ['start'], options)
    await second.stop()
    return [
      {
        what: 'fresh clone to the first page, packages in the cache',
        value: first.seconds,
        unit: 's',
        limit: atMost(30),
      },
      { what: 'second start to the first page', value: second.seconds, unit: 's', limit: atMost(2) },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
