import { spawnSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
  statSync,
  createWriteStream,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { dependenciesOf, importedDependencies, withNeeded, type NeededPackage } from './sbom.ts'

/** Programs that run in production; what they import is in the archive. */
export const programs = ['server', 'contract', 'pki', 'paper', 'provider', 'cli'] as const
const others = [
  'deploy',
  'docs/examples',
  'docs/guides',
  'docs/licences',
  'package.json',
  'SECURITY.md',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
] as const
const built = ['dist/web', 'dist/render', 'dist/desk'] as const

/**
 * Finds tests and what only they use, the implementations for browsers, which the build has put into its files, and the
 * OpenID provider of the demonstration, whose package is for development.
 */
const isElsewhere = (path: string) =>
  /(?:^|\/)(?:testing|tests|loopback|staff-login)(?:\/|$)|\.test\.tsx?$|(?:^|\/)runtime\/web-/.test(path)

/**
 * Packages of which only these parts are read at run time: others are for browsers, for other module systems and for
 * what we do not use. All other packages are whole, except for what nothing executes.
 */
const parts: Record<string, readonly string[]> = {
  '@embedpdf/pdfium': ['dist/index.js', 'dist/pdfium.wasm'],
  '@expo-google-fonts/noto-sans': ['400Regular', '600SemiBold'],
  '@opentelemetry/semantic-conventions': [
    'dist/index.mjs',
    'dist/internal',
    'dist/resource',
    'dist/stable_attributes.mjs',
    'dist/stable_events.mjs',
    'dist/stable_metrics.mjs',
    'dist/trace',
  ],
  '@peculiar/x509': ['build/x509.cjs.js'],
  '@simplewebauthn/server': ['esm'],
  'altcha-lib': ['dist/esm'],
  brotli: ['decompress.js', 'dec'],
  fflate: ['esm/index.mjs'],
  fontkit: ['dist/module.mjs'],
  glob: ['dist/commonjs'],
  'libphonenumber-js': ['core/index.js', 'es6', 'metadata.mobile.json.js'],
  'lru-cache': ['dist/commonjs'],
  minimatch: ['dist/commonjs'],
  nodemailer: ['dist/esm', 'dist/well-known'],
  pako: ['index.js', 'lib'],
  pdfkit: ['js/pdfkit.node.mjs', 'js/data'],
  zod: ['mini', 'v4/core', 'v4/locales', 'v4/mini'],
}

const licence = /^(?:licen[cs]e|notice|copying|ofl)/i
/** Source maps, types, sources in TypeScript and texts: nothing executes them. */
const notExecuted = /\.(?:map|[cm]?tsx?|flow|md|markdown|html|png|svg|ya?ml)$|(?:^|\/)\.(?!bin\b)[^/]*$/
/** Folders at the top of a package. */
const notNeeded = /^(?:test|tests|docs?|examples?|benchmarks?|bench|man)(?:\/|$)/

/** Checks whether a file or folder of a package belongs in the archive; `path` is relative to the package's folder. */
function isNeededOf(name: string, path: string): boolean {
  if (path === '' || path === 'package.json' || licence.test(basename(path))) return true
  const wanted = parts[name]
  if (wanted && !wanted.some((part) => part === path || path.startsWith(`${part}/`) || part.startsWith(`${path}/`)))
    return false
  return !notNeeded.test(path) && !notExecuted.test(path)
}

/** Returns the name of the package that contains Node for a platform. */
export const nodePackage = (platform: string) => `node-${platform}`

/** Returns the reason why this version of Node cannot make a release, if there is one. */
export function nodeFault(version: string, pinned: Record<string, string>): string | undefined {
  const wanted = pinned[nodePackage('linux-x64')]!
  if (version === wanted) return undefined
  return `A release is made by Node ${wanted}, with which it runs, and this is ${version}: use npm run release.`
}

/** Offsets in the header of a 64-bit little-endian file (System V ABI, chapter 4), and in an entry of its program headers. */
const header = { programs: 32, sections: 40, programSize: 54, programCount: 56, sectionCount: 60, sectionNames: 62 }
const segment = { offset: 8, fileSize: 32 }

/**
 * Removes from a program what only debuggers and linkers read: the section table, symbols and debug information, which come after
 * everything that is loaded. The rest has the same bytes at the same places, except for the header fields that pointed to the removed
 * parts.
 */
function withoutSymbols(file: Buffer): Buffer {
  if (file.subarray(0, 6).toString('hex') !== '7f454c460201') throw new Error('Node is not a 64-bit ELF file.')
  const [first, size, count] = [
    Number(file.readBigUInt64LE(header.programs)),
    file.readUInt16LE(header.programSize),
    file.readUInt16LE(header.programCount),
  ]
  const ends = Array.from({ length: count }, (_, i) => {
    const at = first + i * size
    return Number(file.readBigUInt64LE(at + segment.offset) + file.readBigUInt64LE(at + segment.fileSize))
  })
  const loaded = Buffer.from(file.subarray(0, Math.max(first + size * count, ...ends)))
  loaded.writeBigUInt64LE(0n, header.sections)
  loaded.writeUInt16LE(0, header.sectionCount)
  loaded.writeUInt16LE(0, header.sectionNames)
  return loaded
}

/**
 * Copies what runs in production from a built checkout whose packages are installed for `platform`. Returns the packages for the
 * SBOM: also those that the build has put into its files, of which the archive has no folder.
 */
export function copyRelease(root: string, target: string, platform: string): NeededPackage[] {
  for (const path of built) if (!existsSync(join(root, path))) throw new Error(`${path} is missing: build first.`)
  const copy = (path: string, isWanted: (path: string) => boolean = () => true) => {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    cpSync(join(root, path), join(target, path), {
      recursive: true,
      filter: (source) => isWanted(relative(root, source)),
    })
  }
  for (const path of programs) copy(path, (file) => !isElsewhere(file))
  for (const path of [...others, ...built]) copy(path)
  // The README of the repository begins with commands that need the source code.
  cpSync(join(root, 'release/archive-readme.md'), join(target, 'README.md'))
  for (const { name, folder } of withNeeded(importedDependencies(target, programs, root), root))
    copy(relative(root, folder), (file) => {
      const inside = relative(folder, join(root, file))
      // Packages inside of packages are in the list on their own.
      return !inside.startsWith('node_modules') && isNeededOf(name, inside)
    })
  const node = join(root, 'node_modules', nodePackage(platform))
  mkdirSync(join(target, 'bin'))
  const program = join(target, 'bin/node')
  writeFileSync(program, withoutSymbols(readFileSync(join(node, 'bin/node'))))
  chmodSync(program, 0o755)
  cpSync(join(node, 'LICENSE'), join(target, 'bin/node-licence'))
  const { name, version } = JSON.parse(readFileSync(join(node, 'package.json'), 'utf8')) as NeededPackage
  writePrograms(target)
  for (const path of globSync('{*.md,docs/**/*.md}', { cwd: target })) {
    const file = join(target, path)
    const leadsSomewhere = (link: string) => existsSync(join(dirname(file), link))
    writeFileSync(file, withoutDeadLinks(readFileSync(file, 'utf8'), leadsSomewhere))
  }
  const needed = withNeeded(dependenciesOf(root), root)
  copyBundledLicences(needed, root, target)
  return [...needed, { name, version, folder: node }]
}

/** Copies the licences of packages that the build has put into its files, because their own folders are not in the archive. */
function copyBundledLicences(packages: readonly NeededPackage[], root: string, target: string) {
  for (const { name, folder } of packages) {
    if (existsSync(join(target, relative(root, folder)))) continue
    for (const file of readdirSync(folder))
      if (licence.test(file)) cpSync(join(folder, file), join(target, 'docs/licences', name, file), { recursive: true })
  }
}

/** Removes links that lead nowhere from a text: their words remain, and such pictures are removed. */
const withoutDeadLinks = (text: string, leadsSomewhere: (link: string) => boolean) =>
  text.replace(/(!?)\[([^[\]]*)\]\(([^)#\s]+)[^)\s]*\)/g, (whole, picture: string, words: string, link: string) => {
    if (link.includes(':') || leadsSomewhere(link)) return whole
    return picture ? '' : words
  })

/** Returns the options with which `npm start` runs Node. */
function nodeOptionsOf(root: string): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, options] = / exec node (.*) server\/main\.ts$/.exec(scripts.start) ?? []
  if (!options) throw new Error('The script start of package.json has another form.')
  return options
}

/**
 * Writes `bin/portal`, which starts a node of the portal, and `bin/sygnet`, the command. Neither changes the working directory, so relative
 * paths mean the same.
 */
function writePrograms(target: string) {
  const write = (name: string, line: string, first = '') => {
    const path = join(target, 'bin', name)
    writeFileSync(path, `#!/bin/sh\n${first}here=$(dirname -- "$(readlink -f -- "$0")")\nexec "$here/node" ${line}\n`)
    chmodSync(path, 0o755)
  }
  write('portal', `${nodeOptionsOf(target)} "$here/../server/main.ts"`, refusal)
  write('sygnet', '"$here/../cli/sygnet.ts" "$@"')
}

/** Nobody who asks for help or the version starts a node. */
const refusal = `if [ $# -gt 0 ]; then
  echo 'portal starts a node and takes no arguments: its settings are in the environment and in the file of SYGNET_CONFIG. See sygnet --help and sygnet --version.' >&2
  exit 2
fi
`

/** Program that makes a PDF and reads it by PDFium, whose package is in the archive in parts only. */
const tryPdf = `
const { openPaper } = await import('./paper/paper.ts')
const { readPixels } = await import('./pki/pdf/page-comparison.ts')
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
export const maxArchive = 160_000_000

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

/** Package name in an import or re-export, in the form that the formatter writes; imports of types alone load nothing. */
const importedPackage = /(?:^(?:import|export) (?!type )(?:[^'\n]* from )?|^\} from |\bimport\()'([@a-z][\w@./-]*)'/gm

/** Returns the packages and their subpaths, as programs import them. */
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

/**
 * Packs a folder as .tar.gz, with `prefix` before every name. The bytes depend on names, contents and execute rights
 * only: sorted, with the owner 0 and one time. gzip by the pinned Node writes neither a name nor a time.
 */
export async function packFolder(
  folder: string,
  file: string,
  { prefix, seconds }: { prefix: string; seconds: number },
): Promise<void> {
  const tar = spawn(
    'tar',
    [
      '--create',
      '--format=posix',
      // No process id and no times of this machine in the extended headers.
      '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime',
      '--sort=name',
      `--mtime=@${seconds}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=u+rw,go+r,go-w,a+X',
      '--no-xattrs',
      '--hard-dereference',
      `--transform=flags=rSh;s,^\\.,${prefix},`,
      `--directory=${folder}`,
      '.',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], LC_ALL: 'C' } },
  )
  const ended = once(tar, 'close')
  await pipeline(tar.stdout, createGzip({ level: 9 }), createWriteStream(file))
  const [code] = (await ended) as [number | null]
  if (code !== 0) throw new Error(`tar ended with ${code}.`)
}
