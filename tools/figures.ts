// Prints the size and the structure of the source tree: `node tools/figures.ts`.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Visitor, type ESTree } from 'vite'
import { isTest, readSources, root, sourcePaths, syntaxTree } from './checks/source-tree.ts'

const paths = sourcePaths().filter((path) => /\.(ts|tsx|mjs|css|sql)$/.test(path))
const sources = readSources(paths)
const linesIn = (text: string) => text.trimEnd().split('\n').length
const linesOf = (which: (path: string) => boolean) =>
  paths
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && which(path))
    .reduce((sum, path) => sum + linesIn(readFileSync(join(root, path), 'utf8')), 0)

/** The lines of each function outside tests. */
const functions: number[] = []
/** Files of ours that each file imports, also by `import()`. */
const imports = new Map<string, Set<string>>()
for (const source of sources) {
  const { path, text } = source
  const found = new Set<string>()
  imports.set(path, found)
  const addImport = (node: { source: ESTree.Node | null }) => {
    if (node.source?.type !== 'Literal' || !String(node.source.value).startsWith('.')) return
    found.add(join(dirname(path), String(node.source.value)))
  }
  const addFunction = ({ start, end }: ESTree.Node) => {
    if (!isTest(path)) functions.push(linesIn(text.slice(start, end)))
  }
  new Visitor({
    ImportDeclaration: addImport,
    ExportNamedDeclaration: addImport,
    ExportAllDeclaration: addImport,
    ImportExpression: addImport,
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
  }).visit(syntaxTree(source))
}

const readersOf = (path: string) => [...imports].filter(([reader, read]) => read.has(path) && !isTest(reader)).length
const reachedFrom = (path: string, reached = new Set<string>()): Set<string> => {
  for (const to of imports.get(path) ?? []) if (!reached.has(to)) reachedFrom(to, reached.add(to))
  return reached
}
const small = sources.filter(({ path, text }) => !isTest(path) && linesIn(text) <= 25 && readersOf(path) === 1)

console.table({
  'source files': paths.length,
  'lines of code and test support': linesOf((path) => !isTest(path)),
  'lines of tests': linesOf(isTest),
  'functions over 80 lines': functions.filter((lines) => lines > 80).length,
  'functions over 100 lines': functions.filter((lines) => lines > 100).length,
  'files of at most 25 lines with one reader': small.length,
  'files in circles of imports': sources.filter(({ path }) => reachedFrom(path).has(path)).length,
})
