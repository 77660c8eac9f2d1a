import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sbomText, type makeSbom } from './sbom.ts'

type Sbom = ReturnType<typeof makeSbom>

const root = join(import.meta.dirname, '..')
const sbom = JSON.parse(sbomText(root)) as Sbom
const pair = ({ purl, hashes }: { purl: string; hashes?: { alg: string; content: string }[] }) =>
  `${purl} ${hashes?.[0]?.alg} ${hashes?.[0]?.content}`

test('R88 the list of what the portal is made of is what npm finds in the lock, hash by hash, less what is for development alone', () => {
  const text = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const whole = JSON.parse(text) as Sbom
  const own = sbom.components.map(pair)
  expect(own.filter((one) => !whole.components.map(pair).includes(one))).toEqual([])
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean }>
  }
  const shipped = Object.entries(packages).flatMap(([path, { version, dev }]) =>
    path && !dev ? `${path.slice(path.lastIndexOf('node_modules/') + 13)}@${version}` : [],
  )
  expect(shipped.length).toBeGreaterThan(100)
  expect(sbom.components.map((one) => one['bom-ref']).toSorted()).toEqual([...new Set(shipped)].toSorted())

  const edges = ({ dependencies }: Sbom) =>
    dependencies
      .filter(({ ref }) => shipped.includes(ref))
      .flatMap(({ ref, dependsOn }) => dependsOn.filter((one) => shipped.includes(one)).map((one) => `${ref} → ${one}`))
  expect(edges(whole).filter((edge) => !edges(sbom).includes(edge))).toEqual([])
})

test('R88 the same lock gives the same list, which names the portal, every licence, and no machine', () => {
  expect(sbomText(root)).toBe(sbomText(root))
  expect(sbom).toMatchObject({
    bomFormat: 'CycloneDX',
    metadata: { component: { name: 'sygnet', type: 'application' } },
  })
  // The one package that names its licence in a file alone (MIT).
  expect(sbom.components.filter(({ licenses }) => !licenses).map(({ name }) => name)).toEqual(['png-js'])
  expect(sbomText(root)).not.toContain(root)
  const names = sbom.components.map(({ name }) => name)
  for (const name of ['fastify', 'react', 'prom-client']) expect(names).toContain(name)
  for (const name of ['vitest', 'typescript']) expect(names).not.toContain(name)
})

test.skipIf(!existsSync(join(root, 'dist/sbom.cdx.json')))(
  'R88 a build leaves the list beside it (skipped without a build)',
  () => {
    const built = JSON.parse(readFileSync(join(root, 'dist/sbom.cdx.json'), 'utf8')) as Sbom
    expect(built).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' })
    expect(existsSync(join(root, 'dist/web/sbom.cdx.json'))).toBe(false)
  },
)
