import { chmodSync, cpSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { withoutSymbols } from './elf.ts'
import { dependenciesOf, importedDependencies, withNeeded, type NeededPackage } from './needed-packages.ts'

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
 * Tests and what only they use, the implementations for browsers, which the build has put into its files, and the OpenID provider of the
 * demonstration, whose package is for development.
 */
const isElsewhere = (path: string) =>
  /(?:^|\/)(?:testing|tests|loopback|staff-login)(?:\/|$)|\.test\.tsx?$|(?:^|\/)runtime\/web-/.test(path)

/**
 * Packages of which only these parts are read at run time: others are for browsers, for other module systems and for what we do not use. All
 * other packages are whole, except for what nothing executes.
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

/** Whether a file or folder of a package belongs into the archive; `path` is from the package's folder. */
function isNeededOf(name: string, path: string): boolean {
  if (path === '' || path === 'package.json' || licence.test(basename(path))) return true
  const wanted = parts[name]
  if (wanted && !wanted.some((part) => part === path || path.startsWith(`${part}/`) || part.startsWith(`${path}/`)))
    return false
  return !notNeeded.test(path) && !notExecuted.test(path)
}

/** The package that has Node for a platform. */
export const nodePackage = (platform: string) => `node-${platform}`

/** Why a release cannot be made by this version of Node, if so. */
export function nodeFault(version: string, pinned: Record<string, string>): string | undefined {
  const wanted = pinned[nodePackage('linux-x64')]!
  if (version === wanted) return undefined
  return `A release is made by Node ${wanted}, with which it runs, and this is ${version}: use npm run release.`
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
  // That of the repository begins with commands that need the source code.
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

/** The licences of packages that the build has put into its files: their own folders are not in the archive. */
function copyBundledLicences(packages: readonly NeededPackage[], root: string, target: string) {
  for (const { name, folder } of packages) {
    if (existsSync(join(target, relative(root, folder)))) continue
    for (const file of readdirSync(folder))
      if (licence.test(file)) cpSync(join(folder, file), join(target, 'docs/licences', name, file), { recursive: true })
  }
}

/** A text whose links all lead somewhere: of others only the words stay, and pictures go. */
const withoutDeadLinks = (text: string, leadsSomewhere: (link: string) => boolean) =>
  text.replace(/(!?)\[([^[\]]*)\]\(([^)#\s]+)[^)\s]*\)/g, (whole, picture: string, words: string, link: string) => {
    if (link.includes(':') || leadsSomewhere(link)) return whole
    return picture ? '' : words
  })

/** The options with which `npm start` runs Node. */
function nodeOptionsOf(root: string): string {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: { start: string } }
  const [, options] = / exec node (.*) server\/main\.ts$/.exec(scripts.start) ?? []
  if (!options) throw new Error('The script start of package.json has another form.')
  return options
}

/** `bin/portal` starts a node of the portal; `bin/sygnet` is the command. Both leave the folder as it is, so relative paths mean the same. */
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
