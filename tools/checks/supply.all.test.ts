import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import ours from '../../package.json' with { type: 'json' }
import { listenOnLoopback } from '../../server/adapters/loopback/loopback-server.ts'
import { including, makeProject, run as runProgram } from '../testing/projects.ts'
import { root } from './source-tree.ts'

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
  onTestFinished(() => registry[Symbol.asyncDispose]())

  const manifest = { name: 'project', version: '1.0.0', dependencies: { thing: '1.0.0' } }
  const packages = { '': manifest, 'node_modules/thing': { version: '1.0.0', integrity, ...locked } }
  const folder = makeProject({
    'package.json': { ...manifest, scripts: { supply: ours.scripts.supply } },
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
    const { exitCode, stdout, stderr } = await runProgram(command, [], { cwd: folder, env, shell: true })
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
  const run = await openProject(faults)
  expect(await run(command)).toEqual({ exitCode, output: including(output) })
})

test('R89 without a network each check of the registry is red, and so is the whole command', async () => {
  expect(npmCommands).toContainEqual(expect.stringMatching(/^npm audit signatures/))
  const run = await openProject()
  for (const command of [...npmCommands, 'npm run supply'])
    expect((await run(command, 'http://127.0.0.1:1')).exitCode, command).toBeGreaterThan(0)
})
