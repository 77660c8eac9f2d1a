import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor, type ESTree, type VisitorObject } from 'vite'

/** The folders of the source tree. */
export const sourceFolders = [
  'contract',
  'server',
  'web',
  'pki',
  'provider',
  'paper',
  'build',
  'cli',
  'e2e',
  'bench',
  'drills',
  'release',
  'tools',
] as const

/** A program text with its path from the root, always with forward slashes. */
export type Source = { path: string; text: string }

export const isTest = (path: string) => /\.test\.tsx?$/.test(path)
/** Support code of tests: `server/testing/portal-nodes.ts`. */
export const isTestSupport = (path: string) => /(^|\/)testing\//.test(path)

const isProgram = (path: string) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.mts')

/** Every file of these folders and the programs at the root, as paths from `root`. */
export function sourcePaths(root: string): string[] {
  const inFolders = sourceFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''))
  return [...inFolders, ...readdirSync(root).filter(isProgram)].toSorted()
}

/** Every program of the source tree. */
export const readSources = (root: string): Source[] =>
  sourcePaths(root)
    .filter(isProgram)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** The syntax tree of a program; throws with the file and the reason if it does not parse. */
export function syntaxTree({ path, text }: Source): ESTree.Program {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]!.message}`)
  return program
}

/** The 1-based line of an offset, for messages that an editor can follow. */
export const lineAt = (text: string, offset: number) => text.slice(0, offset).split('\n').length

type Report = (offset: number, problem: string) => void

/** What a visitor reports about each program, once, as `path:line problem`. */
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
