import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'

/** A naive version of one place that a test must notice: rule (d) of docs/requirements/security.md. */
export type Mutant = {
  /** The line of the specification that the place serves. */
  row: string
  file: string
  /** Text that stands exactly once in the file. */
  find: string
  replace: string
  /** The test file, and words of the title, of a test that must fail. */
  test: string
  title: string
}

/**
 * `killed` is what it should be. `survived`: the tests stayed green. `misplaced`: the text does not stand exactly once.
 * `untested`: no test has the title, or it fails without the mutant too, or the mutant does not even load.
 */
export type Outcome = 'killed' | 'survived' | 'misplaced' | 'untested'

export const occurrences = (text: string, part: string) => text.split(part).length - 1

/** A copy of the working tree, so that a mutant never stands in a file that somebody edits. */
function copyTree(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const path of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(join(copy, dirname(path)), { recursive: true })
    cpSync(join(root, path), join(copy, path))
  }
  for (const made of ['node_modules', 'dist'])
    if (existsSync(join(root, made))) symlinkSync(join(root, made), join(copy, made))
  return copy
}

/** How the tests of a file whose titles carry `title` went: `broken` when none of them ran. */
function runTests(root: string, { test, title }: Mutant): 'passed' | 'failed' | 'broken' {
  const report = join(root, 'mutant-report.json')
  rmSync(report, { force: true })
  const pattern = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  spawnSync(process.execPath, [vitest, 'run', test, '-t', pattern, '--reporter=json', `--outputFile=${report}`], {
    cwd: root,
  })
  if (!existsSync(report)) return 'broken'
  const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8')) as {
    numPassedTests: number
    numFailedTests: number
  }
  if (numFailedTests > 0) return 'failed'
  return numPassedTests > 0 ? 'passed' : 'broken'
}

/** Tries each mutant alone in a copy of the tree at `root`, and tells of each as soon as it is known. */
export function* tryMutants(root: string, mutants: Mutant[]): Generator<{ mutant: Mutant; outcome: Outcome }> {
  const copy = copyTree(root)
  const unchanged = new Map<string, ReturnType<typeof runTests>>()
  try {
    for (const mutant of mutants) {
      const file = join(copy, mutant.file)
      const original = existsSync(file) ? readFileSync(file, 'utf8') : ''
      if (occurrences(original, mutant.find) !== 1) {
        yield { mutant, outcome: 'misplaced' }
        continue
      }
      const tests = `${mutant.test}\n${mutant.title}`
      if (!unchanged.has(tests)) unchanged.set(tests, runTests(copy, mutant))
      if (unchanged.get(tests) !== 'passed') {
        yield { mutant, outcome: 'untested' }
        continue
      }
      writeFileSync(
        file,
        original.replace(mutant.find, () => mutant.replace),
      )
      const result = runTests(copy, mutant)
      writeFileSync(file, original)
      yield { mutant, outcome: result === 'failed' ? 'killed' : result === 'passed' ? 'survived' : 'untested' }
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** The lists in `tools/mutants/`, one file a feature, each exporting `mutants`. */
export async function readMutants(folder = join(import.meta.dirname, 'mutants')): Promise<Mutant[]> {
  const lists = globSync('*.ts', { cwd: folder }).toSorted()
  const modules = await Promise.all(lists.map((name) => import(join(folder, name)) as Promise<{ mutants: Mutant[] }>))
  return modules.flatMap(({ mutants }) => mutants)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const rows = values.only?.split(',')
  const mutants = (await readMutants()).filter(({ row }) => !rows || rows.includes(row))
  let killed = 0
  for (const { mutant, outcome } of tryMutants(join(import.meta.dirname, '..'), mutants)) {
    if (outcome === 'killed') killed += 1
    console.log(
      `${mutant.row.padEnd(6)} ${outcome.padEnd(9)}  ${mutant.file}  ${mutant.replace.trim().split('\n')[0]!.slice(0, 60)}`,
    )
  }
  console.log(`\n${killed} of ${mutants.length} mutants killed.`)
  if (killed < mutants.length || mutants.length === 0) process.exitCode = 1
}
