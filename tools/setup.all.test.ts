import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, cpSync, existsSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import project from '../package.json' with { type: 'json' }
import { listenOnLoopback } from '../server/adapters/loopback/loopback-server.ts'
import { root } from './checks/source-tree.ts'
import { including, makeProject, run, writeFiles } from './testing/projects.ts'

const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const nodePackage = `node-${platform}`

/** Packs a package whose `node` is the one that runs this test, and whose install script leaves a trace. */
function packNode() {
  const folder = makeProject({
    'package/package.json': {
      name: nodePackage,
      version: '1.0.0',
      bin: { node: 'bin/node' },
      scripts: { postinstall: 'touch "$INIT_CWD/postinstall-ran"' },
    },
    'package/bin/node': `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
  })
  chmodSync(join(folder, 'package/bin/node'), 0o755)
  spawnSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
  return readFileSync(join(folder, 'package.tgz'))
}

/** Starts a package registry on loopback that serves one package. */
async function startRegistry(tarball: Buffer) {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const registry = { url: '', integrity, broken: false }
  const server = await listenOnLoopback(({ path }, response) => {
    if (path.endsWith('.tgz')) return void (registry.broken ? response.destroy() : response.end(tarball))
    const dist = { tarball: `${server.url}/${nodePackage}/-/${nodePackage}-1.0.0.tgz`, integrity }
    const versions = { '1.0.0': { name: nodePackage, version: '1.0.0', dist } }
    response.end(JSON.stringify({ name: nodePackage, 'dist-tags': { latest: '1.0.0' }, versions }))
  })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return Object.assign(registry, { url: server.url })
}

/** Creates a fresh clone of a project with one dependency, the Node that it runs on. */
async function freshClone({ changedHash = false, optional = nodePackage } = {}) {
  const registry = await startRegistry(packNode())
  const manifest = { name: 'project', version: '1.0.0', type: 'module', optionalDependencies: { [optional]: '1.0.0' } }
  const integrity = changedHash ? `sha512-${'A'.repeat(86)}==` : registry.integrity
  const locked = { version: '1.0.0', integrity, hasInstallScript: true, optional: true, bin: { node: 'bin/node' } }
  const packages = { '': manifest, [`node_modules/${optional}`]: locked }
  const folder = makeProject({
    'package.json': manifest,
    'package-lock.json': { ...manifest, lockfileVersion: 3, requires: true, packages },
    'web/start/app.tsx': '',
    'build/build.ts': `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('dist/web', { recursive: true })
writeFileSync('dist/web/pages.json', '{}')
appendFileSync('builds', 'x')`,
  })
  for (const name of ['tools/setup.mjs', 'tools/installed-programs.mjs', '.npmrc'])
    cpSync(join(root, name), join(folder, name))
  const cache = makeProject()

  async function setup(args: string[] = [], environment: Record<string, string> = {}) {
    const { CI: _ci, BROWSER_PATH: _browser, ...own } = process.env
    const npm = { npm_config_registry: registry.url, npm_config_cache: cache, npm_config_fetch_retries: '0' }
    const env = { ...own, ...npm, ...environment }
    return run(process.execPath, [join(folder, 'tools/setup.mjs'), ...args], { cwd: tmpdir(), env })
  }
  return { folder, registry, setup }
}

const installing = 'Installing the dependencies …'
const silent = { exitCode: 0, stdout: '', stderr: '' }

test('OPS-1 dependencies are installed once, and again after an interruption or another lock', async () => {
  const { folder, registry, setup } = await freshClone()
  registry.broken = true
  expect((await setup()).exitCode).toBe(1)
  registry.broken = false
  expect(await setup()).toEqual({ exitCode: 0, stderr: '', stdout: including(installing) })
  expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(true)
  expect(await setup()).toEqual(silent)
  appendFileSync(join(folder, 'package-lock.json'), '\n')
  expect((await setup()).stdout).toContain(installing)
})

test('R88 a package whose hash differs from the lock is refused, also the second time', async () => {
  const { folder, setup } = await freshClone({ changedHash: true })
  for (let i = 0; i < 2; i++) expect((await setup()).exitCode).toBe(1)
  expect(existsSync(join(folder, `node_modules/${nodePackage}`))).toBe(false)
})

test('R88 no package runs its install script', async () => {
  const { folder, setup } = await freshClone()
  expect((await setup()).exitCode).toBe(0)
  expect(existsSync(join(folder, 'postinstall-ran'))).toBe(false)
})

test('OPS-1 a platform without a bundled Node, and a Node that is too old, get an error message', async () => {
  const { setup } = await freshClone({ optional: 'node-win-mips' })
  expect(await setup()).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `Sygnet brings its own Node, but has none for ${platform}. It runs on: win-mips.\n`,
  })
  const older = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`
  expect(await setup([], { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(older)}` })).toMatchObject(
    { exitCode: 1, stderr: including('Sygnet needs Node 20 or newer to install itself; this is Node 18.20.4.') },
  )
})

test('OPS-1 the build runs when it is missing, and again only after a change, such as a removed file', async () => {
  const { folder, setup } = await freshClone()
  /** Builds after dating everything before the last build, except for `path`; returns the number of builds so far. */
  const buildsAfter = async (path?: string) => {
    const [before, built, after] = [1_000, 2_000, 3_000]
    for (const name of ['web', 'web/start', 'web/start/app.tsx', 'build', 'build/build.ts', 'package-lock.json'])
      utimesSync(join(folder, name), before, before)
    utimesSync(join(folder, 'dist/web/pages.json'), built, built)
    if (path) utimesSync(join(folder, path), after, after)
    await setup(['build'])
    return readFileSync(join(folder, 'builds'), 'utf8').length
  }
  expect((await setup(['build'])).exitCode).toBe(0)
  expect(await buildsAfter()).toBe(1)
  expect(await buildsAfter('web/start/app.tsx')).toBe(2)
  expect(await buildsAfter('web')).toBe(3)
  writeFiles(folder, { 'build/build.ts': 'process.exit(3)' })
  expect(await setup(['build'])).toMatchObject({ exitCode: 1, stderr: including('build/build.ts failed.') })
})

test('OPS-2 a BROWSER_PATH to nothing is an error; missing programs are only listed', async () => {
  const { setup } = await freshClone()
  expect(await setup(['test'], { BROWSER_PATH: '/nowhere/chromium' })).toMatchObject({
    exitCode: 1,
    stderr: 'BROWSER_PATH is /nowhere/chromium, which does not exist.\n',
  })
  const bare = makeProject()
  for (const program of ['node', 'npm', 'sh', 'env', 'qpdf']) {
    const { stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' })
    symlinkSync(stdout.trim() || process.execPath, join(bare, program))
  }
  expect(await setup(['test'], { BROWSER_PATH: process.execPath, PATH: bare })).toMatchObject({
    exitCode: 0,
    stdout: including('Not installed here: pdfsig, oathtool, openssl, zbarimg, nginx, pgbouncer, minisign, promtool.'),
  })
})

const npmCommands = project.scripts.supply.split(' && ').filter((command) => command.startsWith('npm '))

const integrity = `sha512-${createHash('sha512').update('thing').digest('base64')}`
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
const releases = { '1.0.0': daysAgo(400), '1.0.1': daysAgo(8), '1.0.2': daysAgo(6) }
const packument = {
  name: 'thing',
  'dist-tags': { latest: '1.0.2' },
  versions: Object.fromEntries(
    Object.keys(releases).map((version) => [version, { name: 'thing', version, dist: { integrity, tarball: 'x' } }]),
  ),
  time: releases,
}

/** The registry's answer for advisories (a number is its status), and further fields of the package's entry in the lock. */
type Faults = { advisories?: object | number; locked?: object }

/** Starts a registry on loopback with one package, and creates a project with our settings that uses it. */
async function openProject({ advisories = {}, locked = {} }: Faults = {}) {
  const answers: Record<string, object | number> = {
    '/-/npm/v1/security/advisories/bulk': advisories,
    '/thing': packument,
  }
  const registry = await listenOnLoopback(({ path }, response) => {
    const answer = answers[path] ?? 404
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer))
  })
  onTestFinished(() => registry[Symbol.asyncDispose]())

  const manifest = { name: 'project', version: '1.0.0', dependencies: { thing: '1.0.0' } }
  const packages = { '': manifest, 'node_modules/thing': { version: '1.0.0', integrity, ...locked } }
  const folder = makeProject({
    'package.json': { ...manifest, scripts: { supply: project.scripts.supply } },
    'package-lock.json': { ...manifest, lockfileVersion: 3, requires: true, packages },
    'node_modules/thing/package.json': { name: 'thing', version: '1.0.0' },
    'tools/checks/secrets.ts': '',
  })
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'))

  return async (command: string, address = registry.url) => {
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_registry: address,
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
      // npm fetches the registry's keys from another host, which is out of reach here.
      HTTPS_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: '127.0.0.1',
    }
    const { exitCode, stdout, stderr } = await run(command, [], { cwd: folder, env, shell: true })
    return { exitCode, output: stdout + stderr }
  }
}

const commit = '0123456789abcdef0123456789abcdef01234567'
const install = 'npm install --package-lock-only --no-audit'
const audit = npmCommands.find((command) => command.startsWith('npm audit --'))!

const hole = { id: 1, url: 'https://a.example/1', title: 'Hole', severity: 'low', vulnerable_versions: '<2.0.0' }
const locked = 'npm ci --ignore-scripts --no-audit'

test.each<[what: string, faults: Faults, command: string, exitCode: number, output: string]>([
  ['without an advisory the audit is green', {}, audit, 0, 'found 0 vulnerabilities'],
  ['with one it is red', { advisories: { thing: [hole] } }, audit, 1, '1 low severity vulnerability'],
  ['without an answer it is red', { advisories: 405 }, audit, 1, 'audit endpoint returned an error'],
  ['no package of git', { locked: { resolved: `git+ssh://git@127.0.0.1:1/a.git#${commit}` } }, locked, 1, 'EALLOWGIT'],
  ['no package of an address', { locked: { resolved: 'http://127.0.0.1:1/a.tgz' } }, locked, 1, 'EALLOWREMOTE'],
  ['no package of a file', { locked: { resolved: 'file:../a.tgz' } }, locked, 1, 'EALLOWFILE'],
  ['no package of a folder', {}, `${install} ./node_modules/thing`, 1, 'EALLOWDIRECTORY'],
  ['no script without a review', { locked: { hasInstallScript: true } }, 'npm ci --no-audit', 1, 'ALLOWSCRIPTS'],
  ['no release younger than a week', {}, `${install} thing@1.0.2`, 1, 'ETARGET'],
  ['an older one', {}, `${install} thing@1.0.1`, 0, ''],
])('R88 R89 npm with the settings of the project: %s', async (_what, faults, command, exitCode, output) => {
  const runIn = await openProject(faults)
  expect(await runIn(command)).toEqual({ exitCode, output: including(output) })
})

test('R89 without a network each check of the registry is red, and so is the whole command', async () => {
  expect(npmCommands).toContainEqual(expect.stringMatching(/^npm audit signatures/))
  const runIn = await openProject()
  for (const command of [...npmCommands, 'npm run supply'])
    expect((await runIn(command, 'http://127.0.0.1:1')).exitCode, command).toBeGreaterThan(0)
})
