import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import project from '../package.json' with { type: 'json' }
import type { NeededPackage } from './needed-packages.ts'

type Bom = {
  serialNumber: string
  metadata: { timestamp: string; component: { 'bom-ref': string; name: string } }
  components: { 'bom-ref': string; properties?: { name: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

/**
 * The SBOM of a release: that of npm (CycloneDX, decision 0113), with `packages` and nothing else, and the same bytes for the same
 * commit: npm gives a random number, the time and the name of the folder.
 */
export function sbomOf(root: string, packages: readonly NeededPackage[], seconds: number): string {
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
  return numbered({ ...whole, metadata, components, dependencies })
}

/** With a number made of the rest, so that the same content has the same bytes. */
function numbered(bom: Bom): string {
  const digest = createHash('sha256')
    .update(JSON.stringify({ ...bom, serialNumber: undefined }))
    .digest('hex')
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
