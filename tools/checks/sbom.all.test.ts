import { execSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { version } from '../../server/platform/observability/version.ts'

type Sbom = {
  metadata: { component: { 'bom-ref': string; type: string } }
  components: { 'bom-ref': string; hashes: { alg: string; content: string }[]; properties: { name: string }[] }[]
  dependencies: { ref: string; dependsOn: string[] }[]
}
type Lock = { packages: Record<string, { version: string; integrity?: string }> }

const root = join(import.meta.dirname, '../..')

/** Name, version and hash of every package in the lock. */
function lockedPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock
  return Object.entries(packages).flatMap(([path, { version: locked, integrity = '' }]) => {
    const hash = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')
    return path === '' ? [] : `${path.split('node_modules/').at(-1)}@${locked} SHA-512 ${hash}`
  })
}

test('R88 the SBOM has every package of the lock with its hash and what it needs, and marks those for development', () => {
  const text = execSync('npm run --silent sbom', { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: 'pipe' })
  const { metadata, components, dependencies } = JSON.parse(text) as Sbom
  expect(metadata.component).toMatchObject({ 'bom-ref': `sygnet@${version}`, type: 'application' })
  const listed = components.map(({ 'bom-ref': ref, hashes }) => `${ref} ${hashes[0]!.alg} ${hashes[0]!.content}`)
  expect(listed.toSorted()).toEqual([...new Set(lockedPackages())].toSorted())

  const startOf = (name: string) => expect.stringMatching(new RegExp(`^${name}@`)) as string
  expect(dependencies).toContainEqual({ ref: startOf('fastify'), dependsOn: expect.arrayContaining([startOf('pino')]) })
  const marks = { properties: expect.arrayContaining([{ name: 'cdx:npm:package:development', value: 'true' }]) }
  expect(components).toContainEqual(expect.objectContaining({ 'bom-ref': startOf('vitest'), ...marks }))
  expect(components).not.toContainEqual(expect.objectContaining({ 'bom-ref': startOf('fastify'), ...marks }))
})

test.skipIf(!existsSync(join(root, 'dist/sbom.cdx.json')))(
  'R88 a build leaves the SBOM next to what is served, not in it (skipped without a build)',
  () => {
    const built = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8')) as object
    expect(built).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
    expect(existsSync(join(root, 'dist/web/sbom.cdx.json'))).toBe(false)
  },
)
