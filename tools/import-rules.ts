import { posix } from 'node:path'
import { Visitor, type ESTree } from 'vite'
import { isTest, isTestSupport, lineAt, syntaxTree, type Source } from './source-tree.ts'

type Import = { specifier: string; offset: number; typeOnly: boolean }

/** What a program imports: static, dynamic and re-exported, types too. A computed `import()` has no specifier. */
export function importsOf(source: Source): { imports: Import[]; computed: number[] } {
  const imports: Import[] = []
  const computed: number[] = []
  const add = (from: ESTree.StringLiteral | null, offset: number, kind: string | null | undefined) => {
    if (from) imports.push({ specifier: from.value, offset, typeOnly: kind === 'type' })
  }
  new Visitor({
    ImportDeclaration: ({ source: from, start, importKind }) => add(from, start, importKind),
    ExportNamedDeclaration: ({ source: from, start, exportKind }) => add(from, start, exportKind),
    ExportAllDeclaration: ({ source: from, start, exportKind }) => add(from, start, exportKind),
    ImportExpression({ source: from, start }) {
      if (from.type === 'Literal' && typeof from.value === 'string') add(from, start, undefined)
      else computed.push(start)
    },
  }).visit(syntaxTree(source))
  return { imports, computed }
}

const folderOf = (path: string) => posix.dirname(path)
const sideOf = (path: string) => path.split('/')[0]!
/** Directly in the side's folder, not in a feature. */
const isCore = (path: string) => path.split('/').length === 2
const isPorts = (path: string) => path.startsWith('server/ports/')
const isAdapter = (path: string) => isPorts(path) && path !== 'server/ports/ports.ts' && !isTest(path)
/** The embedded provider's side of the server, and its part for signing; nothing of it is core. */
const isDemonstration = (path: string) => ['server/demonstration.ts', 'server/demonstration-signing.ts'].includes(path)
const isEntry = (path: string) => ['server/main.ts', 'server/run-portal.ts'].includes(path)
/** The part of main.ts that makes adapters out of the configuration. */
const choosesAdapters = (path: string) => path === 'server/adapters.ts'

const isServerCore = (path: string) =>
  sideOf(path) === 'server' &&
  isCore(path) &&
  ![isEntry, choosesAdapters, isDemonstration].some((is) => is(path)) &&
  path !== 'server/app.ts'

const isSharedWeb = (path: string) => isCore(path) || /^web\/(ui|layouts|art|text|styles)\//.test(path)

/** `from` and `target` are on the same side and outside of tests. */
function mayImportWithinServer(from: string, target: string) {
  if (isEntry(from)) return true
  if (isEntry(target) || choosesAdapters(target)) return false
  if (isDemonstration(target)) return isDemonstration(from)
  if (isAdapter(target)) return isPorts(from) || choosesAdapters(from) || isDemonstration(from)
  if (from === 'server/app.ts') return true
  if (target === 'server/app.ts') return false
  return isCore(target) || target === 'server/ports/ports.ts' || (!isCore(from) && folderOf(from) === folderOf(target))
}

const mayImportWithinWeb = (from: string, target: string) =>
  isCore(from) || isSharedWeb(target) || target.startsWith(`web/${from.split('/')[1]}/`)

/** The rule for programs that are neither tests nor made for tests. */
function productMayImport(from: string, target: string): boolean {
  const [side, other] = [sideOf(from), sideOf(target)]
  if (side === 'contract') return other === 'contract'
  if (side === 'pki') return other === 'pki'
  if (side === 'provider') return ['provider', 'pki', 'contract'].includes(other)
  if (side === 'server') {
    if (other === 'provider') return isDemonstration(from)
    return other === 'contract' || other === 'pki' || (other === 'server' && mayImportWithinServer(from, target))
  }
  if (side === 'web')
    return other === 'contract' || other === 'pki' || (other === 'web' && mayImportWithinWeb(from, target))
  // The operator's command works on the database itself, for the first key of the provider API has to come from somewhere.
  if (side === 'cli') return other === 'cli' || other === 'contract' || isServerCore(target)
  // e2e, bench, tools and the files at the root stand around the house: they see it, it does not see them.
  return other === side || other === 'tools' || !['e2e', 'bench'].includes(other)
}

/** Beyond the rule for products: tests use adapters, the app and the embedded provider for real. */
function testMayImport(from: string, target: string): boolean {
  if (sideOf(from) !== 'server') return false
  return (
    sideOf(target) === 'provider' ||
    isAdapter(target) ||
    target === 'server/app.ts' ||
    // What guides offer to be copied is tried.
    target.startsWith('docs/examples/') ||
    (isTestSupport(from) && sideOf(target) === 'server')
  )
}

/** How much a test does is the same question on every side. */
const breadth = 'server/testing/breadth.ts'

/** Who may import whom. Both are paths from the root; docs/guides/house.md has the drawing. */
export function mayImport(from: string, target: string): boolean {
  if (isTest(target)) return false
  // Everything under e2e is for tests, and measurements stand on the same harness.
  const inTests = isTest(from) || isTestSupport(from) || ['e2e', 'bench'].includes(sideOf(from))
  if (isTest(from) && target === breadth) return true
  if (isTestSupport(target))
    return inTests && (sideOf(from) === sideOf(target) || !['contract', 'pki'].includes(sideOf(from)))
  return productMayImport(from, target) || (inTests && testMayImport(from, target))
}

/** Rendered on the build machine, so it may read files there. */
const isBuildTime = (path: string) => path === 'web/prerender.tsx'
const runsInBrowser = (path: string) =>
  sideOf(path) === 'web' && !isTest(path) && !isTestSupport(path) && !isBuildTime(path)

/** One file of the contract knows phone numbers, so that browser and server judge them by the same library. */
const readsPhones = (path: string, specifier: string) =>
  path === 'contract/phone.ts' && specifier.startsWith('libphonenumber-js/')

export type ImportGraph = Map<string, { target: string; line: number }[]>

/** Everything that is wrong with the imports of the given programs. `exists` tells whether a path from the root is a file. */
export function importProblems(sources: Source[], exists: (path: string) => boolean): string[] {
  const problems: string[] = []
  const graph: ImportGraph = new Map()
  const needsNode = new Map<string, string>()
  for (const source of sources) {
    const { path, text } = source
    const { imports, computed } = importsOf(source)
    const edges: { target: string; line: number }[] = []
    for (const offset of computed)
      if (/^(contract|server|web|pki|provider|cli)\//.test(path))
        problems.push(`${path}:${lineAt(text, offset)} imports a computed path, which no rule can check`)
    for (const { specifier, offset, typeOnly } of imports) {
      const line = lineAt(text, offset)
      if (specifier.startsWith('node:') && !typeOnly) needsNode.set(path, specifier)
      if (!specifier.startsWith('.')) {
        if (sideOf(path) === 'contract' && !isTest(path) && specifier !== 'zod/mini' && !readsPhones(path, specifier))
          problems.push(`${path}:${line} imports ${specifier}; contract imports only zod/mini`)
        continue
      }
      const target = posix.join(folderOf(path), specifier.replace(/\?.*$/, ''))
      if (!/\.[a-z0-9]+$/.test(target) || !exists(target))
        problems.push(`${path}:${line} imports ${specifier}, which is no file (suffix included)`)
      else if (!mayImport(path, target)) problems.push(`${path}:${line} may not import ${target}`)
      else if (!typeOnly) edges.push({ target, line })
    }
    graph.set(path, edges)
  }
  return [...problems, ...browserProblems(graph, needsNode)]
}

/** Browser code reaches nothing that needs Node, however many files lie between. */
function browserProblems(graph: ImportGraph, needsNode: Map<string, string>): string[] {
  const problems: string[] = []
  for (const start of graph.keys()) {
    if (!runsInBrowser(start)) continue
    if (needsNode.has(start)) problems.push(`${start} runs in the browser and imports ${needsNode.get(start)}`)
    for (const { target, line } of graph.get(start)!) {
      const found = runsInBrowser(target) ? undefined : pathToNode(target, graph, needsNode)
      if (found)
        problems.push(
          `${start}:${line} runs in the browser and reaches ${needsNode.get(found.at(-1)!)} through ${found.join(' → ')}`,
        )
    }
  }
  return problems
}

function pathToNode(
  from: string,
  graph: ImportGraph,
  needsNode: Map<string, string>,
  seen = new Set<string>(),
): string[] | undefined {
  if (seen.has(from)) return
  seen.add(from)
  if (needsNode.has(from)) return [from]
  for (const { target } of graph.get(from) ?? []) {
    const rest = pathToNode(target, graph, needsNode, seen)
    if (rest) return [from, ...rest]
  }
}
