import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createVitest, type TestCase } from 'vitest/node'
import type { Mutant } from './mutant.ts'

/**
 * `killed` is the expected outcome. `survived`: the tests stayed green. `misplaced`: the text does not occur exactly once.
 * `untested`: no test has the title, or it fails without the mutant too, or the mutant does not even load.
 */
type Outcome = 'killed' | 'survived' | 'misplaced' | 'untested'

const occurrences = (text: string, part: string) => text.split(part).length - 1

/** Copies the working tree, so that no mutant is written into a file that is being edited. */
function copyTree(root: string): string {
  const copy = mkdtempSync(join(tmpdir(), 'mutants-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const path of listed.split('\0').filter((name) => name !== '' && existsSync(join(root, name))))
    cpSync(join(root, path), join(copy, path))
  for (const folder of ['node_modules', 'dist'])
    if (existsSync(join(root, folder))) symlinkSync(join(root, folder), join(copy, folder))
  return copy
}

const escaped = (title: string) => title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Runs tests in the copy, one after another, with one test runner and one database. */
async function openTests(copy: string) {
  const runner = await createVitest('test', {
    root: copy,
    watch: false,
    // Each run loads the files again, so that it loads the mutant.
    isolate: true,
    maxWorkers: 1,
    // Some mutants make a test wait forever.
    testTimeout: 120_000,
    reporters: [{}],
  })
  // A file of several projects is tried as `npm test` runs it, which comes before `npm run test:all` (vitest.config.ts).
  const all = (await runner.globTestSpecifications()).filter(
    ({ moduleId }, i, before) => before.findIndex((other) => other.moduleId === moduleId) === i,
  )

  /** Runs the tests of `files` whose titles have one of `titles`, and returns them; a file that fails to load has none. */
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

/** Returns the outcome of a mutant; `untested` if none of its tests ran. */
function outcomeOf(tests: TestCase[], { test, title }: Mutant): Outcome {
  // As the name pattern matches it: the titles of the enclosing describes, joined by spaces.
  const nameOf = ({ fullName }: TestCase) => fullName.replaceAll(' > ', ' ')
  const own = tests.filter((tried) => tried.module.moduleId.endsWith(`/${test}`) && nameOf(tried).includes(title))
  if (own.some((tried) => tried.result().state === 'failed')) return 'killed'
  return own.length > 0 ? 'survived' : 'untested'
}

/** Checks whether the template database is made with this file, so that its mutants need another database. */
const makesDatabase = (file: string) => file === 'server/platform/database/migrate.ts'

/** Copies the tree at `root`; each of `mutants` is tried in it alone. */
async function openMutants(root: string, mutants: Mutant[]) {
  const copy = copyTree(root)
  const tests = await openTests(copy)
  const fileOf = ({ test }: Mutant) => join(copy, test)
  const unchanged = await tests.run(
    new Set(mutants.map(fileOf)),
    mutants.map(({ title }) => title),
  )
  const before = new Map(mutants.map((mutant) => [mutant, outcomeOf(unchanged, mutant)]))

  async function runChanged(mutant: Mutant): Promise<Outcome> {
    const runner = makesDatabase(mutant.file) ? await openTests(copy) : tests
    try {
      return outcomeOf(await runner.run(new Set([fileOf(mutant)]), [mutant.title]), mutant)
    } finally {
      if (runner !== tests) await runner.close()
    }
  }

  return {
    async outcomeOf(mutant: Mutant): Promise<Outcome> {
      const file = join(copy, mutant.file)
      const original = existsSync(file) ? readFileSync(file, 'utf8') : ''
      if (occurrences(original, mutant.find) !== 1) return 'misplaced'
      if (before.get(mutant) !== 'survived') return 'untested'
      const change = (text: string) => {
        writeFileSync(file, text)
        tests.changed(file)
      }
      change(original.replace(mutant.find, () => mutant.replace))
      try {
        return await runChanged(mutant)
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

/** Reads the lists in `tools/mutants/`, one file per area, each exporting `mutants`. */
export async function readMutants(): Promise<Mutant[]> {
  const folder = join(import.meta.dirname, 'mutants')
  const lists = globSync('*.ts', { cwd: folder }).toSorted()
  const modules = await Promise.all(lists.map((name) => import(join(folder, name)) as Promise<{ mutants: Mutant[] }>))
  return modules.flatMap(({ mutants }) => mutants)
}

/** Distributes the mutants over `count` lists; those of one test file stay together. */
function distribute(mutants: Mutant[], count: number): Mutant[][] {
  const byTest = [...Map.groupBy(mutants, ({ test }) => test).values()]
  const lists: Mutant[][] = Array.from({ length: count }, () => [])
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
  await Promise.all(distribute(mutants, availableParallelism()).map(tryAll))
  console.log(`\n${killed} of ${mutants.length} mutants killed.`)
  // The failed tests, which are wanted, have set it.
  process.exitCode = killed < mutants.length || mutants.length === 0 ? 1 : 0
}
