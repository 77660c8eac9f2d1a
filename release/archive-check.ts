import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { programs } from './archive-files.ts'

/** Makes a PDF and reads it by PDFium, whose package is in the archive in parts only. */
const tryPdf = `
const { openPaper } = await import('./paper/paper.ts')
const { readPixels } = await import('./pki/pdf/page-pixels.ts')
const paper = await openPaper({
  language: 'pl', title: 'Próba', author: 'Sygnet', head: ['Sygnet', ''], foot: '', createdAt: new Date(0),
})
paper.title('Zażółć gęślą jaźń', 'Próba')
const file = await paper.finish()
const reader = await readPixels(file)
if (reader.pages !== 1 || !reader.page(0, []).outside) throw new Error('A PDF cannot be read.')`

/**
 * Requires that a release has every package that its programs import, also those that are loaded only when they are needed, that it makes
 * and reads PDFs, and that its start reads the configuration: with none, it names what is missing and ends with 2.
 */
export function requireThatItStarts(tree: string): void {
  const env = { PATH: '/usr/bin:/bin', DEMONSTRATION: 'off' }
  const node = join(tree, 'bin/node')
  const code = `for (const name of JSON.parse(process.env.NAMES)) await import(name)\n${tryPdf}`
  const names = JSON.stringify(importedBy(...programs.map((name) => join(tree, name))))
  const loaded = spawnSync(node, ['--input-type=module', '--eval', code], {
    cwd: tree,
    env: { ...env, NAMES: names },
    encoding: 'utf8',
  })
  if (loaded.status !== 0) throw new Error(`A package of the archive cannot be used:\n${loaded.stderr}`)
  const started = spawnSync(join(tree, 'bin/portal'), [], { env, encoding: 'utf8' })
  if (started.status !== 2 || !started.stderr.startsWith('PUBLIC_URL is not set'))
    throw new Error(`The archive does not start (${started.status}):\n${started.stderr}`)
  if (!started.stderr.includes('\nDATABASE_URL is not set'))
    throw new Error(`The archive has no database, and does not require one:\n${started.stderr}`)
}

/** Bytes of an unpacked archive: what it has now, and a few per cent. Node is three quarters of it. */
export const largestArchive = 160_000_000

/** Requires that no package has grown, or come in, unseen. */
export function requireSize(tree: string, largest: number): number {
  const size = sizeOf(tree)
  if (size > largest) throw new Error(`The archive has ${size} bytes, and ${largest} are allowed: see what has grown.`)
  return size
}

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)

/** In a line of its own, as the formatter writes them; those of types alone load nothing. */
const importedPackage = /(?:^(?:import|export) (?!type )(?:[^'\n]* from )?|^\} from |\bimport\()'([@a-z][\w@./-]*)'/gm

/** The packages and their parts, as programs name them. */
function importedBy(...folders: string[]): string[] {
  const names = new Set<string>()
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.endsWith('.ts')) continue
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
      for (const [, name = ''] of text.matchAll(importedPackage)) names.add(name)
    }
  return [...names].toSorted()
}
