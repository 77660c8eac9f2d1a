import { expect, test } from 'vitest'
import { lockfileProblems, readLockfiles, type Lock } from './lockfile.ts'

const [manifest, lock] = readLockfiles()

test('R88 every package of the lock has its hash, comes from the registry, and runs no install script without a review', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(lockfileProblems(manifest, lock)).toEqual([])
})

const fastify = 'node_modules/fastify'

/** What is found when the entry of a package has other fields. */
function problemsWith(fields: Partial<Lock['packages'][string]>, path = fastify): string[] {
  const packages = { ...lock.packages, [path]: { ...lock.packages[fastify], ...fields } }
  return lockfileProblems(manifest, { ...lock, packages })
}

test.each([
  ['no hash', undefined],
  ['a weak hash', 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='],
  ['a cut hash', 'sha512-AAAA'],
])('R88 %s in the lock is refused', (_what, integrity) => {
  expect(problemsWith({ integrity })).toEqual([`${fastify} has no SHA-512 hash`])
})

test.each([
  { resolved: 'git+ssh://git@example.org/a.git#0123456789abcdef0123456789abcdef01234567' },
  { resolved: 'https://example.org/a.tgz' },
  { resolved: 'file:../a.tgz' },
  { resolved: '../a', link: true },
  { link: true },
])('R88 a package of the lock that comes from %j is refused', (fields) => {
  expect(problemsWith(fields)).toEqual([`${fastify} has an address of its own`])
})

test('R88 a package of the lock under the name of another is refused', () => {
  expect(problemsWith({ name: 'other' })).toEqual([`${fastify} is another package, other`])
})

test.each([fastify, `${fastify}/node_modules/constructor`])('R88 an install script added to %s is refused', (path) => {
  expect(problemsWith({ hasInstallScript: true }, path)).toEqual([
    `${path} has an install script that is not in allowScripts`,
  ])
})

test('R88 a lock of another version is refused', () => {
  expect(lockfileProblems(manifest, { ...lock, lockfileVersion: 1 })).toEqual([
    'package-lock.json has version 1; only version 3 is checked',
  ])
})
