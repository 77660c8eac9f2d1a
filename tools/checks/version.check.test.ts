import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../../server/platform/observability/version.ts'
import { root } from './source-tree.ts'

const read = (name: string) => readFileSync(join(root, name), 'utf8')

test('R88 the version is that of the newest release in the changelog, the README and the lock', () => {
  const released = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) – .+$/gm)].map(([, number]) => number!)
  expect(released).toEqual(released.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })))
  // Before the first release there is none.
  expect([version, undefined]).toContain(released[0])
  expect(read('README.md')).toContain(`Version ${version};`)
  const lock = JSON.parse(read('package-lock.json')) as { version: string; packages: { '': { version: string } } }
  expect([lock.version, lock.packages[''].version]).toEqual([version, version])
})
