import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Locked = {
  version: string
  integrity: string
  license?: string
  dev?: boolean
  optional?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}
type Lock = { packages: Record<string, Locked> }

const folder = 'node_modules/'
const nameOf = (path: string) => path.slice(path.lastIndexOf(folder) + folder.length)
const purlOf = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Where Node finds a dependency of the package at `path`: in its own folder first, then in those around it. */
function resolve({ packages }: Lock, path: string, name: string): string | undefined {
  for (let base = path; ; base = base.slice(0, Math.max(0, base.lastIndexOf(folder) - 1))) {
    const candidate = `${base ? `${base}/` : ''}${folder}${name}`
    if (packages[candidate]) return candidate
    if (!base) return undefined
  }
}

/**
 * What the portal is made of (R88), in CycloneDX 1.5: every locked package that is not for development alone, with its hash,
 * its licence, and what it needs. From the lock and nothing else, so that the same lock gives the same bytes.
 */
export function makeSbom(manifest: { name: string; version: string; license: string }, lock: Lock) {
  const shipped = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)
  const refOf = (path: string) => `${nameOf(path)}@${lock.packages[path]!.version}`
  const root = `${manifest.name}@${manifest.version}`
  const needs = (path: string, { dependencies, optionalDependencies, peerDependencies }: Locked) =>
    Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
      .map((name) => resolve(lock, path, name))
      .filter((found): found is string => found !== undefined && !lock.packages[found]!.dev)
      .map(refOf)
      .toSorted()
  const components = shipped.map(([path, { version, integrity, license, optional }]) => ({
    'bom-ref': refOf(path),
    type: 'library',
    name: nameOf(path),
    version,
    scope: optional ? 'optional' : 'required',
    purl: purlOf(nameOf(path), version),
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    ...(license && { licenses: [/[ ()]/.test(license) ? { expression: license } : { license: { name: license } }] }),
  }))
  // One version that lies in several folders is one component.
  const content = {
    metadata: {
      component: {
        'bom-ref': root,
        type: 'application',
        name: manifest.name,
        version: manifest.version,
        purl: purlOf(manifest.name, manifest.version),
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components: uniqueBy(components, (one) => one['bom-ref']),
    dependencies: uniqueBy(
      [
        { ref: root, dependsOn: needs('', lock.packages['']!) },
        ...shipped.map(([path, locked]) => ({ ref: refOf(path), dependsOn: needs(path, locked) })),
      ],
      ({ ref }) => ref,
    ),
  }
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  }
}

const uniqueBy = <T>(all: T[], keyOf: (one: T) => string) => [...new Map(all.map((one) => [keyOf(one), one])).values()]

/** RFC 9562 §5.8: a name of the content, not a draw. */
function uuidOf(text: string) {
  const hex = createHash('sha256').update(text).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** As the file that a build leaves in `dist`. */
export function sbomText(root: string): string {
  const read = (name: string) => JSON.parse(readFileSync(join(root, name), 'utf8')) as never
  return `${JSON.stringify(makeSbom(read('package.json'), read('package-lock.json')), null, 1)}\n`
}
