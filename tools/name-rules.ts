import { posix } from 'node:path'
import { Visitor } from 'vite'
import { houseFolders, isTest, isTestSupport, lineAt, syntaxTree, type Source } from './source-tree.ts'

const kebabCase = /^([a-z0-9]+(-[a-z0-9]+)*(\.(test|d|config))?\.[a-z0-9]+|(NOTICE|LICENSE|README)(\.(txt|md))?)$/
/** Names that say nothing, or that invite everything. */
const emptyNames = new Set(['index', 'utils', 'util', 'helpers', 'helper', 'types', 'common', 'misc', 'shared', 'lib'])

/** Everything that is wrong with the names of the given files (paths from the root). */
export function nameProblems(paths: string[]): string[] {
  const problems: string[] = []
  const seen = new Map<string, string>()
  for (const path of paths) {
    const [side, ...rest] = path.split('/') as [string, ...string[]]
    const name = posix.basename(path)
    // Served under the names that browsers and the specification ask for (`/error_bg.jpg`).
    if (path.startsWith('web/static/')) continue
    if (!kebabCase.test(name)) problems.push(`${path} is not kebab-case`)
    if (emptyNames.has(name.split('.')[0]!)) problems.push(`${path} has a name that says nothing`)
    if (rest.length === 0 || !houseFolders.some((folder) => folder === side)) continue
    const before = seen.get(`${side}/${name}`)
    if (before) problems.push(`${path} has the same name as ${before}`)
    seen.set(`${side}/${name}`, path)
  }
  return problems
}

/** A tool at the root reads its configuration as the default export; everything else is named. */
const mayExportDefault = (path: string) => /^[^/]+\.config\.ts$/.test(path)

export function defaultExportProblems(sources: Source[]): string[] {
  const problems: string[] = []
  for (const source of sources) {
    if (mayExportDefault(source.path)) continue
    const refuse = () => problems.push(`${source.path} has a default export`)
    new Visitor({
      ExportDefaultDeclaration: refuse,
      ExportSpecifier({ exported }) {
        if ((exported.type === 'Identifier' ? exported.name : exported.value) === 'default') refuse()
      },
    }).visit(syntaxTree(source))
  }
  return problems
}

const mayReadEnvironment = new Set(['server/main.ts', 'cli/sygnet.ts'])

/** What is started reads the environment; what it finds there goes to the others as values. */
export function environmentProblems(sources: Source[]): string[] {
  const problems: string[] = []
  for (const source of sources) {
    if (mayReadEnvironment.has(source.path) || isTest(source.path) || isTestSupport(source.path)) continue
    new Visitor({
      MemberExpression({ object, property, start }) {
        if (
          object.type === 'Identifier' &&
          object.name === 'process' &&
          property.type === 'Identifier' &&
          property.name === 'env'
        )
          problems.push(`${source.path}:${lineAt(source.text, start)} reads the environment`)
      },
    }).visit(syntaxTree(source))
  }
  return problems
}
