import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Visitor, type ESTree } from 'vite'
import { root, syntaxTree, type Source } from './source-tree.ts'

/** One line of the specification: `AUT-1` or `R56`; its group is `AUT` or `R`. */
type Requirement = { id: string; text: string }

/** `tests` counts those of `npm run check` and `npm test`, which prove each line; `more` those that only `npm run test:all` runs. */
type Proof = Requirement & { tests: number; more: number }

const groupOf = (id: string) => id.replace(/-?\d+$/, '')

/** Reads `- AUT-1 text` lines and `| R56 | text | …` rows, in their order. */
function readRequirements(): Requirement[] {
  const read = (name: string) => readFileSync(join(root, 'docs/requirements', name), 'utf8').split('\n')
  return [...read('requirements.md'), ...read('security.md')].flatMap((line) => {
    const [, id, text] = /^- ([A-Z]{3}-\d+) (.+)$/.exec(line) ?? /^\| (R\d+) \| ([^|]+)/.exec(line) ?? []
    return id && text ? [{ id, text: text.trim() }] : []
  })
}

const idsIn = (title: string) => title.match(/(?<![A-Za-z0-9])(?:[A-Z]{3}-\d+|R\d+)(?![A-Za-z0-9])/g) ?? []

/**
 * Returns, for each test, the ids in its title and those of the enclosing describes; interpolated values do not count. oxlint refuses
 * skipped tests.
 */
export function testTitles({ path, text }: Source): { ids: Set<string>; leftToAll: boolean }[] {
  const titles: { ids: Set<string>; leftToAll: boolean }[] = []
  const around = [{ node: undefined as ESTree.Node | undefined, title: '', leftToAll: path.endsWith('.all.test.ts') }]
  new Visitor({
    CallExpression(node) {
      const [callee, first] = [text.slice(node.callee.start, node.callee.end), node.arguments[0]]
      // `test.each(rows)` is a call too; the call with the title is around it.
      if (!/^(?:test|it|describe|suite)\b/.test(callee) || /\.(?:each|for|skipIf|runIf)$/.test(callee) || !first) return
      const outer = around.at(-1)!
      const title = `${outer.title} ${text.slice(first.start, first.end).replace(/\$\{[^}]*\}/g, '…')}`
      // Left to `npm run test:all` (server/testing/breadth.ts).
      const leftToAll = outer.leftToAll || /\.runIf\(exhaustive\b/.test(callee)
      if (/^(?:describe|suite)/.test(callee)) around.push({ node, title, leftToAll })
      else if (node.arguments.length > 1) titles.push({ ids: new Set(idsIn(title)), leftToAll })
    },
    'CallExpression:exit'(node) {
      if (around.at(-1)!.node === node) around.pop()
    },
  }).visit(syntaxTree({ path, text }))
  return titles
}

/** Returns every requirement, with the number of its tests. */
export function readProofs(): Proof[] {
  const proofs = readRequirements().map((requirement) => ({ ...requirement, tests: 0, more: 0 }))
  const byId = new Map(proofs.map((proof) => [proof.id, proof]))
  const files = globSync('**/*.test.{ts,tsx}', { cwd: root, exclude: ['**/node_modules/**', 'dist/**'] })
  for (const path of files)
    for (const { ids, leftToAll } of testTitles({ path, text: readFileSync(join(root, path), 'utf8') }))
      for (const id of ids) {
        const proof = byId.get(id)
        if (proof) proof[leftToAll ? 'more' : 'tests'] += 1
      }
  return proofs
}

/** Returns the proofs of the ids and groups in `--only`; throws for a name that is neither. */
function choose(proofs: Proof[], only: string): Proof[] {
  const names = only.split(',').map((name) => name.trim())
  const unknown = names.filter((name) => !proofs.some(({ id }) => id === name || groupOf(id) === name))
  if (unknown.length > 0) throw new Error(`No requirement has the group or id ${unknown.join(', ')}.`)
  return proofs.filter(({ id }) => names.includes(id) || names.includes(groupOf(id)))
}

const shorten = (text: string) => (text.length <= 100 ? text : `${text.slice(0, 99).trimEnd()}…`)

const printLine = ({ id, tests, more, text }: Proof) =>
  `${id.padEnd(6)} ${String(tests).padStart(4)} ${(more ? `+${more}` : '').padStart(3)}  ${shorten(text)}`

/** Runs the command; returns its output and exit code, which is 1 if a chosen requirement has no test, 2 for an unknown name. */
export function spec(args: string[]): { output: string; exitCode: number } {
  try {
    const { only } = parseArgs({ args, options: { only: { type: 'string' } } }).values
    const proofs = only === undefined ? readProofs() : choose(readProofs(), only)
    const unproven = proofs.filter(({ tests }) => tests === 0).length
    const sum = `${proofs.length - unproven} of ${proofs.length} are proven by npm run check and npm test; + counts what only npm run test:all runs.`
    return {
      output: [...proofs.map(printLine), '', sum].join('\n'),
      exitCode: only !== undefined && unproven > 0 ? 1 : 0,
    }
  } catch (error) {
    return { output: error instanceof Error ? error.message : String(error), exitCode: 2 }
  }
}

if (import.meta.main) {
  const { output, exitCode } = spec(process.argv.slice(2))
  console.log(output)
  process.exitCode = exitCode
}
