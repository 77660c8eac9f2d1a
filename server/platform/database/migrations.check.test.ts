import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** SHA-256 over the names and contents of the eleven files that are the baseline of 1.0, which never changes. */
const baseline = '9b818e575044f25576319c9ba13688d76a07de78bdd5797d52c7f817886f2bcf'

test('R97 no migration of the baseline of 1.0 is edited', () => {
  const directory = join(import.meta.dirname, 'migrations')
  const hash = createHash('sha256')
  for (const name of readdirSync(directory).toSorted().slice(0, 11))
    hash.update(`${name}\n`).update(readFileSync(join(directory, name)))
  expect(hash.digest('hex')).toBe(baseline)
})

/** Finds the newest commit of main, or on main itself the one before; undefined without any. */
function commitOfMain(): string | undefined {
  const head = git('rev-parse', 'HEAD')
  for (const name of ['origin/main', 'main', 'HEAD^'])
    try {
      const base = git('merge-base', 'HEAD', name)
      if (base !== head) return base
    } catch {
      // This clone does not have it.
    }
  return undefined
}

test('R97 no migration that is on main is edited: what changes the schema is a new file', () => {
  const base = commitOfMain()
  // A commit from before the baseline of 1.0 has other files, for databases that are refused.
  const isComparable = base !== undefined && git('ls-tree', '--name-only', base, 'migrations/0001-platform.sql') !== ''
  const edited = isComparable ? git('diff', '--name-only', '--diff-filter=MDR', base, '--', 'migrations/*.sql') : ''
  expect(edited).toBe('')
})
