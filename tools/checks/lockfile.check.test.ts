import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './source-tree.ts'

const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as unknown

type LockedPackage = {
  /** Only if it differs from the name of the folder. */
  name?: string
  resolved?: string
  integrity?: string | undefined
  link?: boolean
  hasInstallScript?: boolean
}

type Lock = { lockfileVersion: number; packages: Record<string, LockedPackage> }

/** Which packages may run their install script. npm reads it too. */
type Manifest = { allowScripts: Record<string, boolean> }

/** SHA-512 in base64. */
const sha512 = /^sha512-[A-Za-z0-9+/]{86}==$/

/**
 * What `npm ci` accepts in a lock and R88 does not: a package without a hash, from an address of its own or under the name of
 * another, and an install script that nobody has reviewed.
 */
function lockfileProblems({ allowScripts }: Manifest, { lockfileVersion, packages }: Lock): string[] {
  // npm reads the packages of an older lock from another place.
  if (lockfileVersion !== 3) return [`package-lock.json has version ${lockfileVersion}; only version 3 is checked`]
  const problems: string[] = []
  for (const [path, locked] of Object.entries(packages)) {
    if (path === '') continue
    if (!sha512.test(locked.integrity ?? '')) problems.push(`${path} has no SHA-512 hash`)
    if (locked.link || locked.resolved !== undefined) problems.push(`${path} has an address of its own`)
    if (locked.name !== undefined) problems.push(`${path} is another package, ${locked.name}`)
    if (locked.hasInstallScript && !Object.hasOwn(allowScripts, path.split('node_modules/').at(-1)!))
      problems.push(`${path} has an install script that is not in allowScripts`)
  }
  return problems
}

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
