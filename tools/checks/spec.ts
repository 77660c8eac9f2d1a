import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Visitor, type ESTree } from 'vite'
import { isTest, syntaxTree, type Source } from './source-tree.ts'

/** One line of the specification: `AUT-1` or `R56`; its group is `AUT` or `R`. */
export type Requirement = { id: string; text: string }

const groupOf = (id: string) => id.replace(/-?\d+$/, '')

/** Reads `- AUT-1 text` lines and `| R56 | text | …` rows, in their order. */
export function readRequirements(markdown: string): Requirement[] {
  return markdown.split('\n').flatMap((line) => {
    const [, id, text] = /^- ([A-Z]{3}-\d+) (.+)$/.exec(line) ?? /^\| (R\d+) \| ([^|]+)/.exec(line) ?? []
    return id && text ? [{ id, text: text.trim() }] : []
  })
}

/** The fixed parts of a title. What a value fills in counts for nothing: only ids that stand there to be read do. */
function fixedText(node: ESTree.Argument | ESTree.PrivateIdentifier | undefined): string {
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : ''
  if (node?.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked ?? '').join('\u0000')
  if (node?.type === 'BinaryExpression') return `${fixedText(node.left)}${fixedText(node.right)}`
  return ''
}

/** `test.skipIf(x).each(rows)` as its words: test, skipIf, each. */
function wordsOf(callee: ESTree.Expression): string[] {
  if (callee.type === 'Identifier') return [callee.name]
  if (callee.type === 'CallExpression') return wordsOf(callee.callee)
  if (callee.type === 'TaggedTemplateExpression') return wordsOf(callee.tag)
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return []
  return [...wordsOf(callee.object), callee.property.name]
}

/** Needs an argument of its own before the title comes: `test.each(rows)('title')`. */
const takesArgument = new Set(['each', 'for', 'skipIf', 'runIf'])
/** Never runs, so it proves nothing. */
const neverRuns = new Set(['skip', 'todo'])

/** Whether `test.runIf(exhaustive)(…)` leaves a test to `npm run test:all` (server/testing/breadth.ts). */
function isLeftToAll(callee: ESTree.Expression): boolean {
  if (callee.type === 'MemberExpression') return isLeftToAll(callee.object)
  if (callee.type === 'TaggedTemplateExpression') return isLeftToAll(callee.tag)
  if (callee.type !== 'CallExpression') return false
  const [condition] = callee.arguments
  const isCondition = condition?.type === 'Identifier' && condition.name === 'exhaustive'
  return (isCondition && wordsOf(callee.callee).at(-1) === 'runIf') || isLeftToAll(callee.callee)
}

/** `command` is the one that runs it first. */
type TestTitle = { title: string; command: 'test' | 'test:all' }

/** The full titles (those of the describes around included) of the tests that a program declares. */
export function testTitles(source: Source): TestTitle[] {
  const titles: TestTitle[] = []
  const around: { title: string; node: ESTree.CallExpression; runs: boolean; leftToAll: boolean }[] = []
  new Visitor({
    CallExpression(node) {
      const words = wordsOf(node.callee)
      const [root] = words
      if (root === undefined || !['test', 'it', 'describe', 'suite'].includes(root)) return
      // `test.each(rows)` itself is a call too; the one that carries the title calls what that gave.
      if (takesArgument.has(words.at(-1)!) && node.callee.type === 'MemberExpression') return
      const title = [around.at(-1)?.title ?? '', fixedText(node.arguments[0])].join(' ')
      const runs = (around.at(-1)?.runs ?? true) && !words.some((word) => neverRuns.has(word))
      const leftToAll = (around.at(-1)?.leftToAll ?? false) || isLeftToAll(node.callee)
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

/** `tests` are those of `npm test`, which proves each line by itself; `more` are those that only `npm run test:all` runs. */
export type Proof = Requirement & { tests: number; more: number }

export function countProofs(requirements: Requirement[], titles: TestTitle[]): Proof[] {
  const counts = new Map(requirements.map(({ id }) => [id, { tests: 0, more: 0 }]))
  for (const { title, command } of titles)
    for (const id of idsIn(title)) {
      const count = counts.get(id)
      if (count) count[command === 'test' ? 'tests' : 'more'] += 1
    }
  return requirements.map((requirement) => ({ ...requirement, ...counts.get(requirement.id)! }))
}

/** What `--only` names: ids and groups. Throws with a sentence for a name that is neither. */
export function choose(proofs: Proof[], only: string): Proof[] {
  const names = only
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (names.length === 0) throw new Error('--only wants groups or ids, for example: --only REN,R56,VAL-2')
  const unknown = names.filter((name) => !proofs.some(({ id }) => id === name || groupOf(id) === name))
  if (unknown.length > 0) throw new Error(`No requirement has the group or id ${unknown.join(', ')}.`)
  return proofs.filter(({ id }) => names.includes(id) || names.includes(groupOf(id)))
}

const shorten = (text: string) => (text.length <= 100 ? text : `${text.slice(0, 99).trimEnd()}…`)

export const printLine = ({ id, tests, more, text }: Proof) =>
  `${id.padEnd(6)} ${String(tests).padStart(4)} ${(more ? `+${more}` : '').padStart(3)}  ${shorten(text)}`

/** Reads the house at `root`: its requirements, and the titles of all its tests. */
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

/** The command. Tells what to print and the exit code: 1 if a line asked for has no test, 2 for a name that does not exist. */
export function spec(root: string, args: string[]): { output: string; exitCode: number } {
  try {
    const { values } = parseArgs({ args, options: { only: { type: 'string' } } })
    const all = readProofs(root)
    const proofs = values.only === undefined ? all : choose(all, values.only)
    const bare = proofs.filter(({ tests }) => tests === 0).length
    const sum = `${proofs.length - bare} of ${proofs.length} are proven by npm test; + counts what only npm run test:all runs.`
    const output = [...proofs.map(printLine), '', sum].join('\n')
    return { output, exitCode: values.only !== undefined && bare > 0 ? 1 : 0 }
  } catch (error) {
    return { output: error instanceof Error ? error.message : String(error), exitCode: 2 }
  }
}

if (import.meta.main) {
  const { output, exitCode } = spec(join(import.meta.dirname, '..'), process.argv.slice(2))
  console.log(output)
  process.exitCode = exitCode
}
