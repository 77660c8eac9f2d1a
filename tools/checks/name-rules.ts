import { posix } from 'node:path'

const kebabCase =
  /^([a-z0-9]+(-[a-z0-9]+)*(\.(check|all))?(\.(test|d|config))?\.[a-z0-9]+|(NOTICE|LICENSE|README)(\.(txt|md))?)$/
/** Names that say nothing about what a file contains. */
const emptyNames = new Set(['index', 'utils', 'util', 'helpers', 'helper', 'types', 'common', 'misc', 'shared', 'lib'])

/** Everything that is wrong with the names of the given files (paths from the root). */
export function nameProblems(paths: string[]): string[] {
  const problems: string[] = []
  const seen = new Map<string, string>()
  for (const path of paths) {
    const [side, ...rest] = path.split('/') as [string, ...string[]]
    const name = posix.basename(path)
    // Served under the names that browsers and the specification require (`/error_bg.jpg`).
    if (path.startsWith('web/static/')) continue
    if (!kebabCase.test(name)) problems.push(`${path} is not kebab-case`)
    if (emptyNames.has(name.split('.')[0]!)) problems.push(`${path} has a meaningless name`)
    if (rest.length === 0) continue
    const before = seen.get(`${side}/${name}`)
    if (before) problems.push(`${path} has the same name as ${before}`)
    seen.set(`${side}/${name}`, path)
  }
  return problems
}
