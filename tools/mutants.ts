import { execFileSync } from 'node:child_process'
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
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest, type TestCase } from 'vitest/node'

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

type Result = 'passed' | 'failed' | 'broken'

const escaped = (title: string) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Runs tests in the copy, one run after the other, with one test runner and one database for all of them. */
async function openTests(copy: string) {
  const runner = await createVitest('test', {
    root: copy,
    watch: false,
    // Each run loads the files anew, or it would not meet the mutant.
    isolate: true,
    maxWorkers: 1,
    // Some mutants make a test wait for what never comes.
    testTimeout: 120_000,
    reporters: [{}],
    ...(existsSync(join(copy, 'vitest.config.ts')) && { project: ['once'] }),
  })
  const all = await runner.globTestSpecifications()

  /** The tests of `files` whose titles have one of `titles`; a file that fails to load has none. */
  async function run(files: ReadonlySet<string>, titles: readonly string[]): Promise<TestCase[]> {
    runner.setGlobalTestNamePattern(new RegExp(titles.map(escaped).join('|')))
    const chosen = all.filter(({ moduleId }) => files.has(moduleId))
    if (chosen.length === 0) return []
    const { testModules } = await runner.runTestSpecifications(chosen)
    return testModules
      .filter(({ moduleId }) => files.has(moduleId))
      .flatMap((module) => [...module.children.allTests()])
      .filter((test) => test.result().state !== 'skipped')
  }
  return { run, changed: (file: string) => runner.invalidateFile(file), close: () => runner.close() }
}

/** How the tests of a mutant went: `broken` when none of them ran. */
function resultOf(tests: TestCase[], { test, title }: Mutant): Result {
  // As the name pattern sees it: the titles of the describes around, joined by blanks.
  const nameOf = ({ fullName }: TestCase) => fullName.replaceAll(' > ', ' ')
  const own = tests.filter((one) => one.module.moduleId.endsWith(`/${test}`) && nameOf(one).includes(title))
  if (own.some((one) => one.result().state === 'failed')) return 'failed'
  return own.length > 0 ? 'passed' : 'broken'
}

/** Files that the template database is made with: a mutant of theirs needs another database. */
const makesDatabase = (file: string) => file === 'server/migrate.ts'

/** A copy of the tree at `root`, in which each of `mutants` is tried alone. */
export async function openMutants(root: string, mutants: Mutant[]) {
  const copy = copyTree(root)
  const tests = await openTests(copy)
  const fileOf = ({ test }: Mutant) => join(copy, test)
  const unchanged = await tests.run(
    new Set(mutants.map(fileOf)),
    mutants.map(({ title }) => title),
  )
  const before = new Map(mutants.map((mutant) => [mutant, resultOf(unchanged, mutant)]))

  async function runChanged(mutant: Mutant): Promise<Result> {
    const runner = makesDatabase(mutant.file) ? await openTests(copy) : tests
    try {
      return resultOf(await runner.run(new Set([fileOf(mutant)]), [mutant.title]), mutant)
    } finally {
      if (runner !== tests) await runner.close()
    }
  }

  return {
    async outcomeOf(mutant: Mutant): Promise<Outcome> {
      const file = join(copy, mutant.file)
      const original = existsSync(file) ? readFileSync(file, 'utf8') : ''
      if (occurrences(original, mutant.find) !== 1) return 'misplaced'
      if (before.get(mutant) !== 'passed') return 'untested'
      const change = (text: string) => {
        writeFileSync(file, text)
        tests.changed(file)
      }
      change(original.replace(mutant.find, () => mutant.replace))
      try {
        return outcomes[await runChanged(mutant)]
      } finally {
        change(original)
      }
    },
    async close() {
      await tests.close()
      rmSync(copy, { recursive: true, force: true })
    },
  }
}

const outcomes = { failed: 'killed', passed: 'survived', broken: 'untested' } as const satisfies Record<Result, Outcome>

/** The lists in `tools/mutants/`, one file a feature, each exporting `mutants`. */
export async function readMutants(folder = join(import.meta.dirname, 'mutants')): Promise<Mutant[]> {
  const lists = globSync('*.ts', { cwd: folder }).toSorted()
  const modules = await Promise.all(lists.map((name) => import(join(folder, name)) as Promise<{ mutants: Mutant[] }>))
  return modules.flatMap(({ mutants }) => mutants)
}

/** As many lists as there are lanes, each with all mutants of its test files. */
function shared(mutants: Mutant[], lanes: number): Mutant[][] {
  const byTest = Object.values(Object.groupBy(mutants, ({ test }) => test)).map((group) => group!)
  const lists: Mutant[][] = Array.from({ length: lanes }, () => [])
  for (const group of byTest.toSorted((a, b) => b.length - a.length))
    lists.toSorted((a, b) => a.length - b.length)[0]!.push(...group)
  return lists.filter((list) => list.length > 0)
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { only: { type: 'string' } } })
  const rows = values.only?.split(',')
  const mutants = (await readMutants()).filter(({ row }) => !rows || rows.includes(row))
  let killed = 0
  const tryAll = async (list: Mutant[]) => {
    const opened = await openMutants(join(import.meta.dirname, '..'), list)
    for (const mutant of list) {
      const outcome = await opened.outcomeOf(mutant)
      if (outcome === 'killed') killed += 1
      console.log(
        `${mutant.row.padEnd(6)} ${outcome.padEnd(9)}  ${mutant.file}  ${mutant.replace.trim().split('\n')[0]!.slice(0, 60)}`,
      )
    }
    await opened.close()
  }
  await Promise.all(shared(mutants, availableParallelism()).map(tryAll))
  console.log(`\n${killed} of ${mutants.length} mutants killed.`)
  if (killed < mutants.length || mutants.length === 0) process.exitCode = 1
}
