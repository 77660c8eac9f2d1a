import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, type ESTree } from 'vite'

/** The folders of the house. Everything in them is ours. */
export const houseFolders = ['contract', 'server', 'web', 'pki', 'provider', 'cli', 'e2e', 'bench', 'tools'] as const

/** A program text with its path from the root, always with forward slashes. */
export type Source = { path: string; text: string }

export const isTest = (path: string) => /\.test\.tsx?$/.test(path)
/** What only tests are made of: `server/testing/portal-nodes.ts`. */
export const isTestSupport = (path: string) => /(^|\/)testing\//.test(path)

const isProgram = (path: string) => /\.(ts|tsx|mjs)$/.test(path) && !path.endsWith('.d.mts')

/** Every file of the house's folders and the programs at its root, as paths from `root`. */
export function housePaths(root: string): string[] {
  const inFolders = houseFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).replaceAll('\\', '/').replace(/^\//, ''))
  return [...inFolders, ...readdirSync(root).filter(isProgram)].toSorted()
}

/** Every program text of the house. */
export const houseSources = (root: string): Source[] =>
  housePaths(root)
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
