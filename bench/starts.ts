import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './figures.ts'
import { startPortal } from './portal-process.ts'

/** From a fresh clone to a page that answers, and again: `npm start` as a newcomer runs it, with the packages in npm's cache. */
export async function measureStarts(): Promise<Figure[]> {
  const place = mkdtempSync(join(tmpdir(), 'sygnet-bench-start-'))
  try {
    const clone = join(place, 'clone')
    execFileSync('git', ['clone', '--quiet', join(import.meta.dirname, '..'), clone])
    const options = { cwd: clone, dataDirectory: join(place, 'data') }
    const first = await startPortal('npm', ['start'], options)
    await first.noticed
    await first.stop()
    const second = await startPortal('npm', ['start'], options)
    await second.stop()
    return [
      {
        what: 'fresh clone to the first page, packages in the cache',
        value: first.seconds,
        unit: 's',
        limit: { at: 'most', value: 60 },
      },
      { what: 'second start to the first page', value: second.seconds, unit: 's', limit: { at: 'most', value: 2 } },
    ]
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}
