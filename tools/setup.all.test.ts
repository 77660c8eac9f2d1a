import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, cpSync, existsSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { listenOnLoopback } from '../server/adapters/loopback/loopback-server.ts'
import { including, makeProject, run, writeFiles } from './testing/projects.ts'

const root = join(import.meta.dirname, '..')
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const nodePackage = `node-${platform}`

/** A package whose `node` is the one that runs this test, and whose install script leaves a trace. */
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

/** A package registry on loopback that serves one package. */
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

/** A fresh clone of a project with one dependency, the Node it runs on. */
async function freshClone({ changedHash = false, optional = nodePackage } = {}) {
  const registry = await startRegistry(packNode())
  const manifest = { name: 'project', version: '1.0.0', type: 'module', optionalDependencies: { [optional]: '1.0.0' } }
  const integrity = changedHash ? `sha512-${'A'.repeat(86)}==` : registry.integrity
  const locked = { version: '1.0.0', integrity, hasInstallScript: true, optional: true, bin: { node: 'bin/node' } }
  const packages = { '': manifest, [`node_modules/${optional}`]: locked }
  const folder = makeProject({
    'package.json': manifest,
    'package-lock.json': { ...manifest, lockfileVersion: 3, requires: true, packages },
    'web/app/app.tsx': '',
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
  /** The number of builds, after one for which everything is dated before the last build, except for `path`. */
  const buildsAfter = async (path?: string) => {
    const [before, built, after] = [1_000, 2_000, 3_000]
    for (const name of ['web', 'web/app/app.tsx', 'build', 'build/build.ts', 'package-lock.json'])
      utimesSync(join(folder, name), before, before)
    utimesSync(join(folder, 'dist/web/pages.json'), built, built)
    if (path) utimesSync(join(folder, path), after, after)
    await setup(['build'])
    return readFileSync(join(folder, 'builds'), 'utf8').length
  }
  expect((await setup(['build'])).exitCode).toBe(0)
  expect(await buildsAfter()).toBe(1)
  expect(await buildsAfter('web/app/app.tsx')).toBe(2)
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
