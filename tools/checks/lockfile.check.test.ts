import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockfileProblems, type Lock, type Manifest } from './lockfile.ts'
import { root } from './source-tree.ts'

const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as unknown
const manifest = read('package.json') as Manifest
const lock = read('package-lock.json') as Lock

test('R88 every package of the lock has its hash, comes from the registry, and runs no install script without a review', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(lockfileProblems(manifest, lock)).toEqual([])
})

const fastify = 'node_modules/fastify'

test.each<[string, Partial<Lock['packages'][string]>, string]>([
  ['no hash', { integrity: undefined }, 'has no SHA-512 hash'],
  ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512 hash'],
  ['an address', { resolved: 'https://example.org/a.tgz' }, 'has an address of its own'],
  ['a link', { link: true }, 'has an address of its own'],
  ['the name of another package', { name: 'other' }, 'is another package, other'],
  ['an install script', { hasInstallScript: true }, 'has an install script that is not in allowScripts'],
])('R88 %s in the lock is refused', (_what, fields, problem) => {
  const packages = { ...lock.packages, [fastify]: { ...lock.packages[fastify], ...fields } }
  expect(lockfileProblems(manifest, { ...lock, packages })).toEqual([`${fastify} ${problem}`])
})
