import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Visitor, type ESTree } from 'vite'
import { isTest, syntaxTree, type Source } from './source-tree.ts'

/** One line of the specification: `AUT-1` or `R56`; its group is `AUT` or `R`. */
type Requirement = { id: string; text: string }

const groupOf = (id: string) => id.replace(/-?\d+$/, '')

/** Reads `- AUT-1 text` lines and `| R56 | text | …` rows, in their order. */
function readRequirements(markdown: string): Requirement[] {
  return markdown.split('\n').flatMap((line) => {
    const [, id, text] = /^- ([A-Z]{3}-\d+) (.+)$/.exec(line) ?? /^\| (R\d+) \| ([^|]+)/.exec(line) ?? []
    return id && text ? [{ id, text: text.trim() }] : []
  })
}

/** The fixed parts of a title. Interpolated values do not count, only ids that are written out. */
function fixedText(node: ESTree.Argument | ESTree.PrivateIdentifier | undefined): string {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : ''
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('\u0000')
  if (node?.type === 'BinaryExpression') return `${fixedText(node.left)}${fixedText(node.right)}`
  return ''
}

/** `test.skipIf(x).each(rows)` as its names: test, skipIf, each. */
function namesOf(callee: ESTree.Expression): string[] {
  if (callee.type === 'Identifier') return [callee.name]
  if (callee.type === 'CallExpression') return namesOf(callee.callee)
  if (callee.type === 'TaggedTemplateExpression') return namesOf(callee.tag)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return []
  return [...namesOf(callee.object), callee.property.name]
}

/** Takes another argument before the title: `test.each(rows)('title')`. */
const takesArgument = new Set(['each', 'for', 'skipIf', 'runIf'])
/** These never run, so they prove nothing. */
const neverRuns = new Set(['skip', 'todo'])

/** Whether `test.runIf(exhaustive)(…)` leaves a test to `npm run test:all` (server/testing/breadth.ts). */
function isLeftToAll(callee: ESTree.Expression, source: Source): boolean {
  if (callee.type === 'MemberExpression') return isLeftToAll(callee.object, source)
  if (callee.type === 'TaggedTemplateExpression') return isLeftToAll(callee.tag, source)
  if (callee.type !== 'CallExpression') return false
  const [condition] = callee.arguments
  const isCondition = condition && /^exhaustive\b/.test(source.text.slice(condition.start, condition.end))
  return (isCondition === true && namesOf(callee.callee).at(-1) === 'runIf') || isLeftToAll(callee.callee, source)
}

/** `command` is the smaller one that runs it. */
type TestTitle = { title: string; command: 'test' | 'test:all' }

/** The full titles of a program's tests, including those of the enclosing describes. */
function testTitles(source: Source): TestTitle[] {
  const titles: TestTitle[] = []
  const fileIsLeftToAll = source.path.endsWith('.all.test.ts')
  const around: { title: string; node: ESTree.CallExpression; runs: boolean; leftToAll: boolean }[] = []
  new Visitor({
    CallExpression(node) {
      const names = namesOf(node.callee)
      const [root] = names
      if (root === undefined || !['test', 'it', 'describe', 'suite'].includes(root)) return
      // `test.each(rows)` is a call too; the call with the title is around it.
      if (takesArgument.has(names.at(-1)!) && node.callee.type === 'MemberExpression') return
      const title = [around.at(-1)?.title ?? '', fixedText(node.arguments[0])].join(' ')
      const runs = (around.at(-1)?.runs ?? true) && !names.some((name) => neverRuns.has(name))
      const leftToAll = (around.at(-1)?.leftToAll ?? fileIsLeftToAll) || isLeftToAll(node.callee, source)
      if (root === 'describe' || root === 'suite') around.push({ title, node, runs, leftToAll })
      else if (runs && node.arguments.length > 1)
        titles.push({ title: title.trim(), command: leftToAll ? 'test:all' : 'test' })
    },
    'CallExpression:exit'(node) {
      if (around.at(-1)?.node === node) around.pop()
    },
  }).visit(syntaxTree(source))
  return titles
}

const idsIn = (title: string) => new Set(title.match(/(?<![A-Za-z0-9])(?:[A-Z]{3}-\d+|R\d+)(?![A-Za-z0-9])/g))

/** `tests` counts those of `npm run check` and `npm test`, which prove each line; `more` those that only `npm run test:all` runs. */
type Proof = Requirement & { tests: number; more: number }

function countProofs(requirements: Requirement[], titles: TestTitle[]): Proof[] {
  const counts = new Map(requirements.map(({ id }) => [id, { tests: 0, more: 0 }]))
  for (const { title, command } of titles)
    for (const id of idsIn(title)) {
      const count = counts.get(id)
      if (count) count[command === 'test' ? 'tests' : 'more'] += 1
    }
  return requirements.map((requirement) => ({ ...requirement, ...counts.get(requirement.id)! }))
}

/** The proofs of the ids and groups in `--only`. Throws for a name that is neither. */
function choose(proofs: Proof[], only: string): Proof[] {
  const names = only
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) throw new Error('--only needs groups or ids, for example: --only REN,R56,VAL-2')
  const unknown = names.filter((name) => !proofs.some(({ id }) => id === name || groupOf(id) === name))
  if (unknown.length > 0) throw new Error(`No requirement has the group or id ${unknown.join(', ')}.`)
  return proofs.filter(({ id }) => names.includes(id) || names.includes(groupOf(id)))
}

const shorten = (text: string) => (text.length <= 100 ? text : `${text.slice(0, 99).trimEnd()}…`)

const printLine = ({ id, tests, more, text }: Proof) =>
  `${id.padEnd(6)} ${String(tests).padStart(4)} ${(more ? `+${more}` : '').padStart(3)}  ${shorten(text)}`

/** Reads the project at `root`: its requirements, and the titles of all its tests. */
export function readProofs(root: string): Proof[] {
  const folder = join(root, 'docs/requirements')
  const requirements = ['requirements.md', 'security.md'].flatMap((name) =>
    readRequirements(readFileSync(join(folder, name), 'utf8')),
  )
  const files = globSync('**/*.test.{ts,tsx}', { cwd: root, exclude: ['**/node_modules/**', 'dist/**'] }).filter(isTest)
  return countProofs(
    requirements,
    files.toSorted().flatMap((path) => testTitles({ path, text: readFileSync(join(root, path), 'utf8') })),
  )
}

/** The command: returns its output and exit code, which is 1 if a chosen line has no test, 2 for an unknown name. */
export function spec(root: string, args: string[]): { output: string; exitCode: number } {
  try {
    const { values } = parseArgs({ args, options: { only: { type: 'string' } } })
    const all = readProofs(root)
    const proofs = values.only === undefined ? all : choose(all, values.only)
    const unproven = proofs.filter(({ tests }) => tests === 0).length
    const sum = `${proofs.length - unproven} of ${proofs.length} are proven by npm run check and npm test; + counts what only npm run test:all runs.`
    const output = [...proofs.map(printLine), '', sum].join('\n')
    return { output, exitCode: values.only !== undefined && unproven > 0 ? 1 : 0 }
  } catch (error) {
    return { output: error instanceof Error ? error.message : String(error), exitCode: 2 }
  }
}

if (import.meta.main) {
  const { output, exitCode } = spec(join(import.meta.dirname, '../..'), process.argv.slice(2))
  console.log(output)
  process.exitCode = exitCode
}
