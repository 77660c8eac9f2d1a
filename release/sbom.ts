import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import project from '../package.json' with { type: 'json' }

type Bom = {
  serialNumber: string
  metadata: { timestamp: string; component: { 'bom-ref': string; name: string } }
  components: { 'bom-ref': string; properties?: { name: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

type Manifest = {
  name: string
  version: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

export type NeededPackage = { name: string; version: string; folder: string }

const read = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest

/** Returns the dependencies of `root`. Packages that only tests and the build use are among its development dependencies. */
export const dependenciesOf = (root: string): string[] => Object.keys(read(root).dependencies ?? {})

/**
 * Returns the dependencies of `root` that programs below `folders` import. Packages that only the browser's part imports are not included,
 * because the build has put them into its files.
 */
export function importedDependencies(programs: string, folders: readonly string[], root: string): string[] {
  const text = folders.flatMap((folder) => programsBelow(join(programs, folder))).join('\n')
  return dependenciesOf(root).filter(
    (name) => text.includes(`'${name}'`) || text.includes(`'${name}/`) || text.includes(`\`${name}/`),
  )
}

/** Returns the packages `names`, installed in `root`, with all that they need in turn. */
export function withNeeded(names: readonly string[], root: string): NeededPackage[] {
  const needed = new Map<string, NeededPackage>()
  const add = (name: string, from: string, isOptional: boolean) => {
    const folder = installedAt(name, from, root)
    if (!folder && isOptional) return
    if (!folder) throw new Error(`${name}, which ${from} needs, is not installed.`)
    if (needed.has(folder)) return
    const manifest = read(folder)
    needed.set(folder, { name, version: manifest.version, folder })
    for (const [wanted, isExtra] of dependenciesOfPackage(manifest)) add(wanted, folder, isExtra)
  }
  for (const name of names) add(name, root, false)
  return [...needed.values()].toSorted((a, b) => (a.folder < b.folder ? -1 : 1))
}

/** Returns the packages that a package needs, and whether it also works without each. */
const dependenciesOfPackage = (manifest: Manifest): [string, boolean][] => [
  ...Object.keys(manifest.dependencies ?? {}).map((name): [string, boolean] => [
    name,
    name in (manifest.optionalDependencies ?? {}),
  ]),
  ...Object.keys(manifest.optionalDependencies ?? {}).map((name): [string, boolean] => [name, true]),
  ...Object.keys(manifest.peerDependencies ?? {})
    .filter((name) => !manifest.peerDependenciesMeta?.[name]?.optional)
    .map((name): [string, boolean] => [name, false]),
]

/** Finds a package as Node does: in the `node_modules` folders above. */
function installedAt(name: string, from: string, root: string): string | undefined {
  for (let at = from; at.startsWith(root); at = dirname(at)) {
    const folder = join(at, 'node_modules', name)
    if (existsSync(join(folder, 'package.json'))) return realpathSync(folder)
  }
  return undefined
}

const programsBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:ts|js|mjs)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))

/**
 * Returns the SBOM of a release: npm's (CycloneDX, decision 0113), with `packages` and nothing else. The same commit gives the same bytes,
 * although npm writes a random number, the time and the name of the folder.
 */
export function createSbom(root: string, packages: readonly NeededPackage[], seconds: number): string {
  const listed = execFileSync('npm', ['run', '--silent', 'sbom'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const whole = JSON.parse(listed) as Bom
  const included = new Set(packages.map(({ name, version }) => `${name}@${version}`))
  const components = whole.components.filter((component) => included.has(component['bom-ref']))
  const absent = [...included].filter((ref) => !components.some((component) => component['bom-ref'] === ref))
  if (absent.length) throw new Error(`The lock does not have ${absent.join(', ')}.`)
  const main = whole.metadata.component['bom-ref']
  const dependencies = whole.dependencies
    .filter(({ ref }) => included.has(ref) || ref === main)
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((name) => included.has(name)) }))
  const component = { ...whole.metadata.component, name: project.name }
  const metadata = { ...whole.metadata, timestamp: new Date(seconds * 1000).toISOString(), component }
  return withSerialNumber({ ...whole, metadata, components, dependencies })
}

/** Adds a serial number derived from the content, so that the same content has the same bytes. */
function withSerialNumber(bom: Bom): string {
  const digest = hash('sha256', JSON.stringify({ ...bom, serialNumber: undefined }))
  // A UUID of version 8 (RFC 9562): made of a hash.
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-')
  return `${JSON.stringify({ ...bom, serialNumber: `urn:uuid:${uuid}` }, null, 2)}\n`
}
