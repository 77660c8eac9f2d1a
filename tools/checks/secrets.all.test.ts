import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeProject } from '../testing/projects.ts'
import { secretsInFiles, secretsInHistory } from './secrets.ts'

/** A repository with one file, committed with each of `contents` in turn. */
function openRepository(...contents: string[]) {
  const folder = makeProject()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder })
  git('init', '-q')
  for (const content of contents) {
    writeFileSync(join(folder, 'file.txt'), content)
    git('add', '-A')
    git('commit', '-q', '-m', 'change')
  }
  return folder
}

const token = `ghp_${'aB3'.repeat(12)}`
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

test('R82 a secret that was removed is found in the history, by its commit, and is not repeated', async () => {
  const folder = openRepository(`first\ntoken ${token}\n`, 'nothing\n')
  expect(await secretsInFiles(folder)).toEqual([])
  const found = await secretsInHistory(folder)
  expect(found).toEqual([expect.stringMatching(/^commit [0-9a-f]{7,} found GitHub Token/)])
  expect(found[0]).not.toContain(token)
})

test('R82 a shallow history is refused, because the secret may be in the rest', async () => {
  const folder = openRepository(token, 'nothing\n')
  const shallow = makeProject()
  execFileSync('git', ['clone', '-q', '--depth=1', `file://${folder}`, shallow])
  await expect(secretsInHistory(shallow)).rejects.toThrow('git fetch --unshallow')
})

test.each([
  ['private key', privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ['GitHub Token', `token ${token}`],
  ['npm access token', `npm_${'aB3'.repeat(12)}`],
  ['PostgreSQL connection string', ['postgres://sygnet:hunter22', 'db.example/sygnet'].join('@')],
  ['a key of the portal', `Authorization: Bearer sygnet_${'a'.repeat(43)}`],
  ['a key of the portal', `whsec_${'b'.repeat(43)}=`],
  ['a key of the portal', `MASTER_KEY=${'c'.repeat(43)}=`],
])('R82 %s is found in a file that is not committed yet, and in the history', async (kind, secret) => {
  const folder = openRepository('nothing\n', `first\n${secret}\n`)
  writeFileSync(join(folder, 'other.txt'), `first\n${secret}\n`)
  expect((await secretsInFiles(folder)).toSorted()).toEqual([
    expect.stringContaining(`file.txt:2 found ${kind}`),
    expect.stringContaining(`other.txt:2 found ${kind}`),
  ])
  expect(await secretsInHistory(folder)).toEqual([expect.stringContaining(`found ${kind}`)])
})

test('R82 what only resembles a secret is not reported', async () => {
  const texts = ['smtps://user:password@host', 'const token = newToken()', 'MASTER_KEY_FILE=/run/secrets/master']
  expect(await secretsInFiles(openRepository(`${texts.join('\n')}\nhttp://127.0.0.1:3000/a@b\n`))).toEqual([])
})
