import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type ESTree, type VisitorObject } from 'vite'

export const root = join(import.meta.dirname, '../..')

/** A program text with its path from the root, always with forward slashes. */
export type Source = { path: string; text: string }

export const isTest = (path: string) => /\.test\.tsx?$/.test(path)
/** Checks whether a file is support code of tests, such as `server/testing/portal-nodes.ts`. */
export const isTestSupport = (path: string) => /(^|\/)testing\//.test(path)
export const isInProduct = (path: string) => /^(contract|server|web|pki|provider|paper|cli)\//.test(path)
/** Checks whether customers, the provider or operators run a file. */
export const isProduct = ({ path }: Source) => isInProduct(path) && !isTest(path) && !isTestSupport(path)

/** Returns the files of the source tree that have a suffix, as paths from the root. */
export const sourcePaths = () =>
  globSync(
    ['{contract,server,web,pki,provider,paper,build,cli,e2e,bench,drills,release,tools}/**/*.*', '*.{ts,tsx,mjs}'],
    { cwd: root },
  )
    .map((path) => path.replaceAll('\\', '/'))
    .toSorted()

export const readSources = (paths: string[]): Source[] =>
  paths
    .filter((path) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.mts'))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Returns the syntax tree of a program; throws with the file and the reason if it does not parse. */
export function syntaxTree({ path, text }: Source): ESTree.Program {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`)
  return program
}

/** Returns the 1-based line of an offset, for messages that an editor can follow. */
export const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

type Report = (offset: number, problem: string) => void

/** Returns what a visitor reports about each program, each problem once, as `path:line problem`. */
export function findProblems(
  sources: Source[],
  visitorOf: (report: Report, source: Source) => VisitorObject,
): string[] {
  return sources.flatMap((source) => {
    const problems = new Set<string>()
    const report: Report = (offset, problem) =>
      void problems.add(`${source.path}:${lineAt(source.text, offset)} ${problem}`)
    new Visitor(visitorOf(report, source)).visit(syntaxTree(source))
    return [...problems]
  })
}
