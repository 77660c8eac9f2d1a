import { createHash } from 'node:crypto'
import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import ours from '../../package.json' with { type: 'json' }
import { listenOnLoopback } from '../../server/adapters/loopback/loopback-server.ts'
import { including, makeProject, run as runProgram } from '../testing/projects.ts'

const root = join(import.meta.dirname, '../..')
const npmCommands = ours.scripts.supply.split(' && ').filter((command) => command.startsWith('npm '))

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

/** A registry on loopback with one package, and a project with our settings that uses it. */
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
  let isOpen = true
  const close = async () => {
    if (isOpen) await registry[Symbol.asyncDispose]()
    isOpen = false
  }
  onTestFinished(close)

  const manifest = { name: 'project', version: '1.0.0', dependencies: { thing: '1.0.0' } }
  const packages = { '': manifest, 'node_modules/thing': { version: '1.0.0', integrity, ...locked } }
  const folder = makeProject({
    'package.json': { ...manifest, scripts: { supply: ours.scripts.supply } },
    'package-lock.json': { ...manifest, lockfileVersion: 3, requires: true, packages },
    'node_modules/thing/package.json': { name: 'thing', version: '1.0.0' },
    'tools/checks/secrets.ts': '',
  })
  cpSync(join(root, '.npmrc'), join(folder, '.npmrc'))

  async function run(command: string) {
    const env = {
      PATH: process.env['PATH'],
      HOME: folder,
      npm_config_registry: registry.url,
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
      // npm fetches the registry's keys from another host, which is out of reach here.
      HTTPS_PROXY: 'http://127.0.0.1:1',
      NO_PROXY: '127.0.0.1',
    }
    const { exitCode, stdout, stderr } = await runProgram(command, [], { cwd: folder, env, shell: true })
    return { exitCode, output: stdout + stderr }
  }
  const lockedVersion = () => {
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: typeof packages }
    return lock.packages['node_modules/thing'].version
  }
  return { close, run, lockedVersion }
}

const install = 'npm install --package-lock-only --no-audit'
const audit = npmCommands.find((command) => command.startsWith('npm audit --'))!

test('R89 without an advisory the audit is green', async () => {
  const { run } = await openProject()
  expect(await run(audit)).toEqual({ exitCode: 0, output: including('found 0 vulnerabilities') })
})

test('R89 with an advisory the audit is red', async () => {
  const hole = { id: 1, url: 'https://a.example/1', title: 'Hole', severity: 'low', vulnerable_versions: '<2.0.0' }
  const { run } = await openProject({ advisories: { thing: [hole] } })
  expect(await run(audit)).toEqual({ exitCode: 1, output: including('1 low severity vulnerability') })
})

test.each([403, 405, 500])('R89 a registry that answers %i for advisories makes the audit red', async (advisories) => {
  const { run } = await openProject({ advisories })
  expect(await run(audit)).toEqual({ exitCode: 1, output: including('audit endpoint returned an error') })
})

test('R89 without a network each check of the registry is red, and so is the whole command', async () => {
  expect(npmCommands).toContainEqual(expect.stringMatching(/^npm audit signatures/))
  const { close, run } = await openProject()
  await close()
  for (const command of [...npmCommands, 'npm run supply'])
    expect((await run(command)).exitCode, command).toBeGreaterThan(0)
})

test('R88 a release that is younger than a week is not installed', async () => {
  const { run, lockedVersion } = await openProject()
  expect(await run(`${install} thing@latest`)).toMatchObject({ exitCode: 0 })
  expect(lockedVersion()).toBe('1.0.1')
  expect(await run(`${install} thing@1.0.2`)).toEqual({ exitCode: 1, output: including('ETARGET') })
})

test.each([
  ['git+ssh://git@127.0.0.1:1/a.git#0123456789abcdef0123456789abcdef01234567', 'EALLOWGIT'],
  ['http://127.0.0.1:1/a.tgz', 'EALLOWREMOTE'],
  ['file:../a.tgz', 'EALLOWFILE'],
])('R88 a package from %s is not installed', async (resolved, error) => {
  const { run } = await openProject({ locked: { resolved } })
  expect(await run('npm ci --ignore-scripts --no-audit')).toEqual({ exitCode: 1, output: including(error) })
})

test('R88 an install script without a review stops an installation', async () => {
  const { run } = await openProject({ locked: { hasInstallScript: true } })
  expect(await run('npm ci --no-audit')).toEqual({ exitCode: 1, output: including('ALLOWSCRIPTS') })
})

test('R88 a folder is not installed as a package', async () => {
  const { run } = await openProject()
  const answer = await run(`${install} ./node_modules/thing`)
  expect(answer).toEqual({ exitCode: 1, output: including('EALLOWDIRECTORY') })
})
