import { execFileSync, spawn } from 'node:child_process'
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { secretsIn } from './secrets.ts'

const integrity = `sha512-${createHash('sha512').update('thing').digest('base64')}`
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const signatureOf = (hash: string) => sign('sha256', Buffer.from(`thing@1.0.0:${hash}`), privateKey).toString('base64')

/** What is changed of a registry that has nothing to complain of; a number is an answer's status. */
type Faults = { advisories?: object | number; keys?: object | number; signed?: string; time?: object | number }

/** A registry on loopback with one package, and a house that uses it, in git since this moment. */
async function openHouse({ advisories = {}, keys, signed = integrity, time }: Faults = {}, also: string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'supply-'))
  const version = {
    name: 'thing',
    version: '1.0.0',
    dist: { integrity: signed, tarball: 'http://127.0.0.1/x', signatures: [{ keyid: 'k', sig: signatureOf(signed) }] },
  }
  const answers: Record<string, object | number> = {
    '/-/npm/v1/security/advisories/bulk': advisories,
    '/-/npm/v1/keys': keys ?? { keys: [{ keyid: 'k', key, expires: null }] },
    '/thing/1.0.0': version,
    '/thing':
      typeof time === 'number'
        ? time
        : {
            name: 'thing',
            'dist-tags': { latest: '1.0.0' },
            versions: { '1.0.0': version },
            time: time ?? { '1.0.0': '2020-01-01T00:00:00Z' },
          },
  }
  const server = createServer((request, response) => {
    const answer = answers[request.url!] ?? 404
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' })
    request.resume().on('end', () => response.end(JSON.stringify(typeof answer === 'number' ? {} : answer)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const manifest = { name: 'house', version: '1.0.0', dependencies: { thing: '1.0.0' } }
  const packages = { '': manifest, 'node_modules/thing': { version: '1.0.0', integrity } }
  const commit = (name: string, content: string) => {
    writeFileSync(join(folder, name), content)
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder })
    git('init', '-q')
    git('add', '-A')
    git('commit', '-q', '-m', name)
  }
  commit('package.json', JSON.stringify(manifest))
  commit('package-lock.json', JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }))
  for (const [index, content] of also.entries()) commit(`file-${also.length > 1 ? 0 : index}.txt`, content)
  return {
    cut: () => (server.closeAllConnections(), server.close()),
    async check() {
      const { port } = (server.address() as AddressInfo | null) ?? { port: 1 }
      const child = spawn(process.execPath, [join(import.meta.dirname, 'supply.ts'), folder], {
        env: {
          PATH: process.env['PATH'],
          HOME: folder,
          npm_config_registry: `http://127.0.0.1:${port}`,
          npm_config_cache: join(folder, '.git/npm-cache'),
          npm_config_fetch_retries: '0',
        },
      })
      const [stdout, stderr, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise<number | null>((resolve) => child.on('close', resolve)),
      ])
      expect(stderr).toBe('')
      return [code, ...stdout.trimEnd().split('\n')]
    },
  }
}

const good = ['advisories', 'signatures', 'release age', 'secrets'].map((name) => `${name}: nothing found.`)
const failure = 'A check that did not run says nothing about the supply chain: this is a failure.'

test('R89 when every check has run and found nothing, it is green and says so of each', async () => {
  expect(await (await openHouse()).check()).toEqual([0, ...good])
})

test('R88 R89 a known hole, a package that is signed with another hash, and one that came out yesterday are each found', async () => {
  const hole = {
    id: 1,
    url: 'https://advisories.example/1',
    title: 'Hole',
    severity: 'high',
    vulnerable_versions: '<2.0.0',
  }
  const yesterday = new Date(Date.now() - 86_400_000).toISOString()
  const house = await openHouse({
    advisories: { thing: [hole] },
    signed: `sha512-${'A'.repeat(86)}==`,
    time: { '1.0.0': yesterday },
  })
  expect(await house.check()).toEqual([
    1,
    'advisories: thing: high: Hole (https://advisories.example/1).',
    'signatures: thing@1.0.0 is not signed by the registry with the hash of the lock.',
    'release age: thing@1.0.0 came out 1 days ago; wait until it is 7.',
    good[3],
  ])
})

test('R89 a check that cannot run is a failure, and is told as one, while the others run all the same', async () => {
  const refused = await openHouse({ advisories: 405, keys: 404, time: {} })
  expect(await refused.check()).toEqual([
    2,
    expect.stringMatching(/^advisories: COULD NOT BE CHECKED: .*405/),
    'signatures: COULD NOT BE CHECKED: the registry answers 404 to /-/npm/v1/keys.',
    'release age: COULD NOT BE CHECKED: the registry does not say when thing@1.0.0 came out.',
    good[3],
    failure,
  ])
  const alone = await openHouse()
  alone.cut()
  expect(await alone.check()).toEqual([
    2,
    expect.stringMatching(/^advisories: COULD NOT BE CHECKED: /),
    expect.stringMatching(/^signatures: COULD NOT BE CHECKED: /),
    expect.stringMatching(/^release age: COULD NOT BE CHECKED: /),
    good[3],
    failure,
  ])
})

test('R82 a secret that was taken back is found in the history, and told by where it is, not by what it is', async () => {
  const token = `ghp_${'aB3'.repeat(12)}`
  const house = await openHouse({}, [`token ${token}\n`, 'nothing\n'])
  const [code, ...lines] = await house.check()
  expect(code).toBe(1)
  expect(lines.slice(0, 3)).toEqual(good.slice(0, 3))
  expect(lines[3]).toMatch(/^secrets: [0-9a-f]{7,} file-0\.txt holds a token of GitHub\.$/)
  expect(lines.join('\n')).not.toContain(token)
})

test.each([
  ['a private key', ['-----BEGIN', 'PRIVATE', 'KEY-----'].join(' ')],
  ['a key of AWS', `key = AKIA${'A1'.repeat(8)}`],
  ['a token of npm', ['//registry.example/:_authToken', 'abc'].join('=')],
  ['a key of our provider API', `Authorization: Bearer sygnet_${'a'.repeat(43)}`],
  ['a secret of webhooks', `whsec_${'b'.repeat(32)}`],
  ['a signed token', `eyJ${'h'.repeat(20)}.eyJ${'b'.repeat(20)}.${'s'.repeat(20)}`],
  ['an address with a password', ['postgres://sygnet:hunter22', 'db.example/sygnet'].join('@')],
  ['a secret that is set', `MASTER_KEY=${'c'.repeat(43)}=`],
])('R82 %s is known by its form', (form, line) => {
  expect(secretsIn(`first\n${line}\n`, 'a.txt')).toEqual([{ where: 'a.txt:2', form }])
})

test.each([
  'smtps://user:password@host',
  'const token = newToken()',
  'MASTER_KEY_FILE=/run/secrets/master',
  'http://127.0.0.1:3000/a@b',
])('R82 %s is no secret', (line) => {
  expect(secretsIn(line, 'a.txt')).toEqual([])
})
