import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { lockfileProblems, readLockfiles, type Lock, type Manifest } from './lockfile.ts'

const real = readLockfiles(join(import.meta.dirname, '..'))

test('R88 what is installed here is locked by hash, from a registry, exact, and runs no unknown script', () => {
  expect(lockfileProblems(real.manifest, real.lock, real.installed)).toEqual([])
})

/** What is found in copies of the real files after a change. */
function problemsAfter(change: (files: { manifest: Manifest; lock: Lock; installed: Lock }) => void): string[] {
  const copy = structuredClone(real)
  const before = lockfileProblems(copy.manifest, copy.lock, copy.installed)
  change(copy)
  return lockfileProblems(copy.manifest, copy.lock, copy.installed).filter((problem) => !before.includes(problem))
}

const fastify = 'node_modules/fastify'
const otherHash = `sha512-${'A'.repeat(86)}==`

describe('R88 is refused', () => {
  test('a changed hash', () => {
    const problems = problemsAfter(({ lock }) => (lock.packages[fastify]!.integrity = otherHash))
    expect(problems).toEqual(['node_modules/fastify is installed with another version or hash than the lock says'])
  })

  test.each([
    ['absent', undefined],
    ['weak', 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk='],
    ['cut short', 'sha512-AAAA'],
  ])('a hash that is %s', (_what, hash) => {
    const problems = problemsAfter(({ lock, installed }) => {
      for (const { packages } of [lock, installed]) {
        delete packages[fastify]!.integrity
        if (hash) packages[fastify]!.integrity = hash
      }
    })
    expect(problems).toEqual(['node_modules/fastify has no SHA-512 hash'])
  })

  test.each([
    'github:a/b',
    'a/b',
    'git+ssh://git@example.org/a.git',
    'https://example.org/a.tgz',
    'file:../a',
    'npm:other@1.0.0',
    '^1.0.0',
    'latest',
    '*',
    '',
  ])('a dependency on "%s"', (version) => {
    const problems = problemsAfter(({ manifest, lock }) => {
      manifest.dependencies!['added'] = version
      lock.packages['']!.dependencies!['added'] = version
    })
    expect(problems).toEqual([`package.json: added is "${version}", not one exact version`])
  })

  test.each(['github:a/b', 'git+https://example.org/a.git', 'https://example.org/a.tgz', 'file:../a'])(
    'a dependency of a dependency on "%s"',
    (version) => {
      const problems = problemsAfter(({ lock }) => (lock.packages[fastify]!.dependencies!['added'] = version))
      expect(problems).toEqual([`node_modules/fastify wants added from "${version}"`])
    },
  )

  test('a git package in the lock', () => {
    const resolved = 'git+ssh://git@example.org/a.git#0123456789abcdef0123456789abcdef01234567'
    const problems = problemsAfter(({ lock }) => (lock.packages['node_modules/added'] = { version: '1.0.0', resolved }))
    expect(problems).toEqual([
      'node_modules/added has no SHA-512 hash',
      'node_modules/added names the host it came from',
    ])
  })

  test('a link to a folder', () => {
    const problems = problemsAfter(({ lock }) => {
      lock.packages['../added'] = { version: '1.0.0', integrity: otherHash }
      lock.packages['node_modules/added'] = { version: '1.0.0', link: true }
    })
    expect(problems).toEqual([
      '../added does not come from a registry',
      'node_modules/added does not come from a registry',
    ])
  })

  test('an added install script, and one of a package deeper down', () => {
    const problems = problemsAfter(({ lock }) => {
      lock.packages[fastify]!.hasInstallScript = true
      lock.packages['node_modules/fastify/node_modules/added'] = {
        version: '1.0.0',
        integrity: otherHash,
        hasInstallScript: true,
      }
    })
    expect(problems).toEqual([
      'node_modules/fastify has an install script that nobody has looked at',
      'node_modules/fastify/node_modules/added has an install script that nobody has looked at',
    ])
  })

  test.each(['preinstall', 'install', 'postinstall', 'prepare'])('a %s of our own', (name) => {
    const problems = problemsAfter(({ manifest }) => (manifest.scripts = { ...manifest.scripts, [name]: 'true' }))
    expect(problems).toEqual([`package.json: ${name} would run on every installation`])
  })

  test.each(['overrides', 'workspaces', 'bundleDependencies'] as const)('%s, which go around the lock', (key) => {
    expect(problemsAfter(({ manifest }) => (manifest[key] = []))).toEqual([`package.json: ${key} goes around the lock`])
  })

  test('a lock that was made for another package.json', () => {
    expect(problemsAfter(({ manifest }) => (manifest.dependencies!['fastify'] = '1.0.0'))).toEqual([
      'package-lock.json: fastify differs from package.json',
    ])
    expect(problemsAfter(({ manifest }) => delete manifest.dependencies!['fastify'])).toEqual([
      'package-lock.json: fastify differs from package.json',
    ])
  })

  test('a lock of another kind', () => {
    expect(problemsAfter(({ lock }) => (lock.lockfileVersion = 1))).toEqual([
      'package-lock.json: version 1 is not the one that is checked here',
    ])
  })
})
