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
  const edited = base ? git('diff', '--name-only', '--diff-filter=MDR', base, '--', 'migrations/*.sql') : ''
  expect(edited).toBe('')
})
