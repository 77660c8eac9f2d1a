import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, globSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { testFolder } from '../pki/testing/peer-programs.ts'
import { writeFiles } from '../tools/testing/projects.ts'
import { nodeOptionsOf } from './archive-files.ts'
import { writeImage } from './image.ts'
import { packFolder } from './reproducible-tar.ts'
import { sbomOfImage } from './sbom.ts'
import { differing, sha256Of, writeSums } from './sums.ts'
import { releaseVersion } from './version.ts'

const seconds = 1_800_000_000

/** The same files, made in another order, with other times and rights. */
const sameTrees = () =>
  [
    { names: ['bin/node', 'b.txt', 'ä.txt'], modes: [0o755, 0o644], time: 1_000_000 },
    { names: ['ä.txt', 'b.txt', 'bin/node'], modes: [0o700, 0o664], time: 2_000_000 },
  ].map(({ names, modes: [ofPrograms, ofTexts], time }) => {
    const tree = testFolder()
    for (const name of names) {
      writeFiles(tree, { [name]: name })
      chmodSync(join(tree, name), name.startsWith('bin/') ? ofPrograms! : ofTexts!)
      utimesSync(join(tree, name), time, time)
    }
    return tree
  })

test('OPS-14 archive and image are the same for each build; the image has no shell and no root', async () => {
  const layout = testFolder()
  const files = await Promise.all(
    sameTrees().map(async (tree, i) => {
      const file = join(layout, `${i}.oci.tar`)
      const of = { packages: ['libc6_1'], platform: 'linux-x64', version: '1.2.3', commit: 'abc', seconds }
      const nodeOptions = nodeOptionsOf(join(import.meta.dirname, '..'))
      await packFolder(tree, join(layout, `${i}.tar.gz`), { prefix: 'sygnet-1.2.3', seconds })
      await writeImage(file, { ...of, tree, base: join(tree, 'bin'), nodeOptions })
      return file
    }),
  )
  expect(await sha256Of(files[1]!)).toBe(await sha256Of(files[0]!))
  expect(await sha256Of(join(layout, '1.tar.gz'))).toBe(await sha256Of(join(layout, '0.tar.gz')))
  const options = ['--list', '--verbose', '--numeric-owner', '--utc', '-f', join(layout, '0.tar.gz')]
  const entries = execFileSync('tar', options, { encoding: 'utf8' }).trim().split('\n')
  expect(entries).toHaveLength(5)
  for (const entry of entries)
    expect(entry).toMatch(
      /^(?:[d-]rwxr-xr-x|-rw-r--r--) 0\/0 +\d 2027-01-15 08:00 sygnet-1\.2\.3\/(?:bin\/(?:node)?|.*txt)?$/,
    )
  execFileSync('tar', ['--extract', '--touch', '-f', files[0]!, '-C', layout])
  const blobs = globSync('blobs/sha256/*', { cwd: layout }).map(
    (path) => [path, readFileSync(join(layout, path))] as const,
  )
  for (const [path, bytes] of blobs)
    expect(path).toBe(`blobs/sha256/${createHash('sha256').update(bytes).digest('hex')}`)
  const read = (digest: string) => readFileSync(join(layout, 'blobs', digest.replace(':', '/')))
  const { manifests } = JSON.parse(readFileSync(join(layout, 'index.json'), 'utf8')) as {
    manifests: { digest: string; annotations: object }[]
  }
  // Podman takes it as the name of the image.
  expect(manifests[0]!.annotations).toEqual({ 'org.opencontainers.image.ref.name': 'localhost/sygnet:1.2.3' })
  const manifest = JSON.parse(read(manifests[0]!.digest).toString()) as {
    config: { digest: string }
    layers: { digest: string }[]
  }
  expect(JSON.parse(read(manifest.config.digest).toString())).toMatchObject({
    architecture: 'amd64',
    config: {
      User: '10001:10001',
      Entrypoint: expect.arrayContaining(['/opt/sygnet/bin/node', '--disable-sigusr1', 'server/main.ts']),
      Healthcheck: { Test: expect.arrayContaining(['CMD', '/opt/sygnet/bin/node']) },
      Labels: { 'org.opencontainers.image.version': '1.2.3', 'org.opencontainers.image.revision': 'abc' },
    },
  })
  const listed = manifest.layers.map(({ digest }) =>
    execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '-z'], { input: read(digest), encoding: 'utf8' }),
  )
  expect(listed[1]).toContain('opt/sygnet/bin/node')
  expect(listed[2]).toMatch(/^(?:drwxr-xr-x 10001\/10001 .* var\/lib\/sygnet\/(?:documents\/)?\n){2}$/)
})

test('R88 OPS-14 the SBOM of the image adds packages of Debian, and has the same bytes each time', () => {
  const archive = JSON.stringify({
    serialNumber: 'urn:uuid:1',
    metadata: { timestamp: '', component: { 'bom-ref': 'sygnet@1.2.3' } },
    components: [{ 'bom-ref': 'a@1.0.0' }],
    dependencies: [{ ref: 'sygnet@1.2.3', dependsOn: ['a@1.0.0'] }],
  })
  const libc = { name: 'libc6', version: '2.36-9+deb12u13', architecture: 'amd64', sha256: 'ab' }
  const purl = 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64&distro=debian-12'
  const text = sbomOfImage(archive, [libc], 'debian-12')
  expect(sbomOfImage(archive.replace('uuid:1', 'uuid:2'), [libc], 'debian-12')).toBe(text)
  const hashes = [{ alg: 'SHA-256', content: 'ab' }]
  expect(JSON.parse(text)).toMatchObject({
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
    components: [{ 'bom-ref': 'a@1.0.0' }, { purl, name: 'libc6', version: '2.36-9+deb12u13', hashes }],
    dependencies: [
      { ref: 'sygnet@1.2.3', dependsOn: ['a@1.0.0', purl] },
      { ref: purl, dependsOn: [] },
    ],
  })
})

test('OPS-14 a version names one code: unreleased changes are refused, or a preview of its own version', () => {
  const released = '# Changelog\n\n## 1.2.3 – seals\n\n- A change.\n\n## 1.2.2 – documents\n\n- Another.\n'
  const changed = released.replace('## 1.2.3', '## Unreleased\n\n### Added\n- One more.\n\n## 1.2.3')
  const versionOf = (changelog: string, isPreview = false, version = '1.2.3') =>
    releaseVersion({ version, changelog, commit: '016a3b80aabbccdd' }, isPreview)
  expect(versionOf(released)).toBe('1.2.3')
  expect(versionOf(changed.replace('- One more.\n', ''))).toBe('1.2.3')
  expect(() => versionOf(changed)).toThrow('CHANGELOG.md has 1 unreleased lines')
  expect(versionOf(changed, true)).toBe('1.3.0-preview-016a3b80')
  expect(() => versionOf(released, false, '1.3.0')).toThrow(
    'in CHANGELOG.md is 1.2.3, and that of package.json is 1.3.0.',
  )
})

test('OPS-14 sha256sum accepts the sums of one commit, and no changed file gets one', async () => {
  const out = testFolder()
  const [arm, x64] = ['sygnet-1.2.0-linux-arm64.tar.gz', 'sygnet-1.2.0-linux-x64.tar.gz']
  for (const name of [x64, arm, 'SHA256SUMS.minisig']) writeFileSync(join(out, name), name)
  const check = () =>
    execFileSync('sha256sum', ['--strict', '--check', 'SHA256SUMS'], { cwd: out, encoding: 'utf8', stdio: 'pipe' })
  await writeSums(out, [x64], 'Sygnet 1.2.0 abc')
  expect(existsSync(join(out, 'SHA256SUMS.minisig'))).toBe(false)
  await writeSums(out, [arm], 'Sygnet 1.2.0 abc')
  expect(check()).toBe(`${arm}: OK\n${x64}: OK\n`)
  writeFileSync(join(out, arm), 'c')
  await expect(writeSums(out, [x64], 'Sygnet 1.2.0 abc')).rejects.toThrow(`${arm} was changed after it was made.`)
  await writeSums(out, [x64], 'Sygnet 1.2.0 abcd')
  expect(check()).toBe(`${x64}: OK\n`)

  // As --twice compares a second build.
  const again = testFolder()
  for (const name of [x64, arm]) writeFileSync(join(again, name), name)
  expect(await differing([x64, arm], out, again)).toEqual([arm])
})
