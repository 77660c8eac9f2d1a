import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutant } from './mutant.ts'
import { openMutants, type Outcome } from './mutants.ts'
import { makeProject } from './testing/projects.ts'

const root = join(import.meta.dirname, '..')

/** A project with one rule and its test. */
function smallProject() {
  const folder = makeProject({
    '.gitignore': 'node_modules\nsecret.ts\n',
    'secret.ts': 'export const secret = 1',
    'rule.ts': 'export const limit = 5\nexport const allowed = (tries: number) => tries < limit // 5\n',
    'rule.test.ts': `import { expect, test } from 'vitest'
import { allowed } from './rule.ts'
test('R16 the fourth try is allowed', () => expect(allowed(4)).toBe(true))
test('R16 the sixth try (and later) is refused', () => expect(allowed(6)).toBe(false))
test('R99 always fails', () => expect(allowed(4)).toBe(false))
`,
  })
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

test('killed, surviving, misplaced and untested mutants are distinguished, and no file is changed', async () => {
  const folder = smallProject()
  const before = readFileSync(join(folder, 'rule.ts'), 'utf8')
  const attempts: [outcome: Outcome, file: string, find: string, replace: string, title: string][] = [
    ['killed', 'rule.ts', 'tries < limit', 'true', 'R16'],
    ['killed', 'rule.ts', 'tries < limit', 'true', 'the sixth try (and later)'],
    ['survived', 'rule.ts', 'tries < limit', 'true', 'the fourth try'],
    ['survived', 'rule.ts', 'tries < limit', 'tries <= limit', 'R16'],
    ['misplaced', 'rule.ts', 'limit', "'$&'", 'R16'],
    ['misplaced', 'rule.ts', 'absent', 'true', 'R16'],
    ['misplaced', 'absent.ts', 'tries < limit', 'true', 'R16'],
    ['untested', 'rule.ts', 'tries < limit', 'true', 'no such title'],
    ['untested', 'rule.ts', 'tries < limit', 'true', 'R99'],
    ['untested', 'rule.ts', 'tries < limit', 'tries <', 'R16'],
  ]
  const mutants = attempts.map(([, file, find, replace, title]) =>
    mutant('R16', file).change(find, replace).failsTest('rule.test.ts', title),
  )
  const opened = await openMutants(folder, mutants)
  const outcomes: Outcome[] = []
  for (const tried of mutants) outcomes.push(await opened.outcomeOf(tried))
  await opened.close()
  expect(outcomes).toEqual(attempts.map(([outcome]) => outcome))
  expect(readFileSync(join(folder, 'rule.ts'), 'utf8')).toBe(before)
})
