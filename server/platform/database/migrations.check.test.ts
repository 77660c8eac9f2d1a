import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'

const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: import.meta.dirname, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** The newest commit of main, or on main itself the one before; undefined without any. */
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
