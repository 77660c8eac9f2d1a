import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const platform = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const nodePackage = `node-${platform}`

function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'setup-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function write(folder: string, files: Record<string, string>) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

/** A package whose `node` is the one that runs this test, and whose install script leaves a trace. */
function packNode(folder: string) {
  write(folder, {
    'package/package.json': JSON.stringify({
      name: nodePackage,
      version: '1.0.0',
      bin: { node: 'bin/node' },
      scripts: { postinstall: 'touch "$INIT_CWD/postinstall-ran"' },
    }),
    'package/bin/node': `#!/bin/sh\nexec "${process.execPath}" "$@"\n`,
  })
  chmodSync(join(folder, 'package/bin/node'), 0o755)
  spawnSync('tar', ['-czf', 'package.tgz', 'package'], { cwd: folder })
  return readFileSync(join(folder, 'package.tgz'))
}

/** A package registry on loopback that serves one package, and counts the downloads of it. */
async function startRegistry(tarball: Buffer) {
  const registry = {
    url: '',
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
    downloads: 0,
    broken: false,
  }
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) {
      registry.downloads += 1
      if (registry.broken) return response.destroy()
      return response.end(tarball)
    }
    const dist = { tarball: `${registry.url}/${nodePackage}/-/${nodePackage}-1.0.0.tgz`, integrity: registry.integrity }
    return response.end(
      JSON.stringify({
        name: nodePackage,
        'dist-tags': { latest: '1.0.0' },
        versions: { '1.0.0': { name: nodePackage, version: '1.0.0', dist } },
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  registry.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return registry
}

/** A fresh clone of a house with one dependency, the Node it runs on. */
async function freshClone({ changedHash = false, optional = nodePackage } = {}) {
  const folder = temporaryFolder()
  const registry = await startRegistry(packNode(temporaryFolder()))
  const manifest = { name: 'house', version: '1.0.0', type: 'module', optionalDependencies: { [optional]: '1.0.0' } }
  const integrity = changedHash ? `sha512-${'A'.repeat(86)}==` : registry.integrity
  const locked = { version: '1.0.0', integrity, hasInstallScript: true, optional: true, bin: { node: 'bin/node' } }
  write(folder, {
    'package.json': JSON.stringify(manifest),
    'package-lock.json': JSON.stringify({
      ...manifest,
      lockfileVersion: 3,
      requires: true,
      packages: { '': manifest, [`node_modules/${optional}`]: locked },
    }),
    'web/app.tsx': '',
    'tools/build.ts': `import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
mkdirSync('dist/web', { recursive: true })
writeFileSync('dist/web/pages.json', '{}')
appendFileSync('builds', 'x')`,
  })
  for (const name of ['tools/setup.mjs', 'tools/installed-programs.mjs', '.npmrc'])
    cpSync(join(root, name), join(folder, name))
  const cache = temporaryFolder()

  async function setup(args: string[] = [], environment: Record<string, string> = {}) {
    const { CI: _ci, BROWSER_PATH: _browser, ...own } = process.env
    const env = {
      ...own,
      npm_config_registry: registry.url,
      npm_config_cache: cache,
      npm_config_fetch_retries: '0',
      ...environment,
    }
    const child = spawn(process.execPath, [join(folder, 'tools/setup.mjs'), ...args], { cwd: tmpdir(), env })
    const [stdout, stderr, exitCode] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      new Promise<number | null>((resolve) => child.on('close', resolve)),
    ])
    return { exitCode, stdout, stderr }
  }
  return { folder, registry, setup }
}

describe('the dependencies', () => {
  test('OPS-1 are installed once, from the lock, and then left alone', async () => {
    const { folder, registry, setup } = await freshClone()
    const first = await setup()
    expect(first).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringContaining('Installing the dependencies …'),
    })
    expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(true)
    expect(await setup()).toEqual({ exitCode: 0, stdout: '', stderr: '' })
    expect(registry.downloads).toBe(1)
  })

  test('OPS-1 are installed anew after the lock changed', async () => {
    const { folder, setup } = await freshClone()
    await setup()
    const lock = join(folder, 'package-lock.json')
    writeFileSync(lock, `${readFileSync(lock, 'utf8')}\n`)
    expect((await setup()).stdout).toContain('Installing the dependencies …')
  })

  test('OPS-1 an installation that broke off is taken up again', async () => {
    const { registry, setup } = await freshClone()
    registry.broken = true
    expect((await setup()).exitCode).toBe(1)
    registry.broken = false
    expect(await setup()).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('Installing the dependencies …'),
    })
    expect(await setup()).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  })

  test('R88 a package with another hash than the lock says is refused', async () => {
    const { folder, setup } = await freshClone({ changedHash: true })
    expect((await setup()).exitCode).toBe(1)
    expect(existsSync(join(folder, `node_modules/${nodePackage}`))).toBe(false)
    expect((await setup()).exitCode).toBe(1)
  })

  test('R88 no package runs its install script', async () => {
    const { folder, setup } = await freshClone()
    expect((await setup()).exitCode).toBe(0)
    expect(existsSync(join(folder, 'postinstall-ran'))).toBe(false)
  })

  test('a platform without a Node of ours is told so', async () => {
    const { setup } = await freshClone({ optional: 'node-win-mips' })
    expect(await setup()).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `Sygnet brings its own Node, but has none for ${platform}. It runs on: win-mips.\n`,
    })
  })

  test('a Node that is too old to install is told so', async () => {
    const { setup } = await freshClone()
    const older = `data:text/javascript,${encodeURIComponent(`Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })`)}`
    expect(await setup([], { NODE_OPTIONS: `--import=${older}` })).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Sygnet needs Node 20 or newer to install itself; this is Node 18.20.4.'),
    })
  })

  test('an unknown task is an error', async () => {
    const { setup } = await freshClone()
    expect(await setup(['biuld'])).toMatchObject({
      exitCode: 1,
      stderr: 'tools/setup.mjs knows build and test, not biuld.\n',
    })
  })
})

describe('the build', () => {
  test('OPS-1 is made when there is none, and again only after a change, a removed file included', async () => {
    const { folder, setup } = await freshClone()
    const builds = () => readFileSync(join(folder, 'builds'), 'utf8').length
    /** Puts everything before the build; then `path` alone is later. */
    const settle = (path?: string) => {
      const [before, built, after] = [1_000, 2_000, 3_000]
      for (const name of ['web', 'web/app.tsx', 'tools/build.ts', 'package-lock.json'])
        utimesSync(join(folder, name), before, before)
      utimesSync(join(folder, 'dist/web/pages.json'), built, built)
      if (path) utimesSync(join(folder, path), after, after)
    }
    await setup(['build'])
    expect(builds()).toBe(1)
    settle()
    await setup(['build'])
    expect(builds()).toBe(1)
    settle('web/app.tsx')
    await setup(['build'])
    expect(builds()).toBe(2)
    settle('web')
    await setup(['build'])
    expect(builds()).toBe(3)
  })

  test('one that fails stops the start', async () => {
    const { folder, setup } = await freshClone()
    write(folder, { 'tools/build.ts': 'process.exit(3)' })
    expect(await setup(['build'])).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('tools/build.ts failed.'),
    })
  })
})

describe('what tests need', () => {
  test('OPS-2 a BROWSER_PATH to nothing is told, and fails', async () => {
    const { setup } = await freshClone()
    expect(await setup(['test'], { BROWSER_PATH: '/nowhere/chromium' })).toMatchObject({
      exitCode: 1,
      stderr: 'BROWSER_PATH is /nowhere/chromium, which does not exist.\n',
    })
  })

  test('OPS-2 checking programs that are absent are named, and nothing fails', async () => {
    const { setup } = await freshClone()
    const bare = temporaryFolder()
    for (const program of ['node', 'npm', 'sh', 'env', 'qpdf']) {
      const { stdout } = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' })
      symlinkSync(stdout.trim() || process.execPath, join(bare, program))
    }
    expect(await setup(['test'], { BROWSER_PATH: process.execPath, PATH: bare })).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining(
        'Not installed here: pdfsig, oathtool, openssl, zbarimg, nginx. The tests that ask them are skipped.',
      ),
    })
  })
})
