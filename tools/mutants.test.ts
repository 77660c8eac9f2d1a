import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { occurrences, openMutants, readMutants, type Mutant } from './mutants.ts'

const root = join(import.meta.dirname, '..')

test('every listed mutant still has its place, its test file and its requirement', async () => {
  const requirements =
    readFileSync(join(root, 'docs/requirements/requirements.md'), 'utf8') +
    readFileSync(join(root, 'docs/requirements/security.md'), 'utf8')
  const lost = (await readMutants()).filter(({ row, file, find, test: testFile }) => {
    const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : ''
    const known = requirements.includes(`| ${row} |`) || requirements.includes(`- ${row} `)
    return occurrences(text, find) !== 1 || !existsSync(join(root, testFile)) || !known
  })
  expect(lost).toEqual([])
})

/** A house with one rule and its test. */
function smallHouse() {
  const folder = mkdtempSync(join(tmpdir(), 'small-house-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  execFileSync('git', ['init', '--quiet'], { cwd: folder })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, '.gitignore'), 'node_modules\nsecret.ts\n')
  writeFileSync(join(folder, 'secret.ts'), 'export const secret = 1')
  writeFileSync(
    join(folder, 'rule.ts'),
    'export const limit = 5\nexport const allowed = (tries: number) => tries < limit // 5\n',
  )
  writeFileSync(
    join(folder, 'rule.test.ts'),
    `import { expect, test } from 'vitest'
import { allowed } from './rule.ts'
test('R16 the fourth try is allowed', () => expect(allowed(4)).toBe(true))
test('R16 the sixth try (and later) is refused', () => expect(allowed(6)).toBe(false))
test('R99 always fails', () => expect(allowed(4)).toBe(false))
`,
  )
  return folder
}

const mutant = (change: Partial<Mutant>): Mutant => ({
  row: 'R16',
  file: 'rule.ts',
  find: 'tries < limit',
  replace: 'true',
  test: 'rule.test.ts',
  title: 'R16',
  ...change,
})

test('tells killed, surviving, misplaced and untested mutants apart, and touches nothing', async () => {
  const folder = smallHouse()
  const before = readFileSync(join(folder, 'rule.ts'), 'utf8')
  const mutants = [
    mutant({}),
    mutant({ title: 'the sixth try (and later)' }),
    mutant({ title: 'the fourth try' }),
    mutant({ replace: 'tries <= limit' }),
    mutant({ find: 'limit', replace: "'$&'" }),
    mutant({ find: 'absent' }),
    mutant({ file: 'absent.ts' }),
    mutant({ title: 'no such title' }),
    mutant({ title: 'R99' }),
    mutant({ replace: 'tries <' }),
  ]
  const opened = await openMutants(folder, mutants)
  const outcomes: string[] = []
  for (const one of mutants) outcomes.push(await opened.outcomeOf(one))
  await opened.close()
  expect(outcomes).toEqual([
    'killed',
    'killed',
    'survived',
    'survived',
    'misplaced',
    'misplaced',
    'misplaced',
    'untested',
    'untested',
    'untested',
  ])
  expect(readFileSync(join(folder, 'rule.ts'), 'utf8')).toBe(before)
})
