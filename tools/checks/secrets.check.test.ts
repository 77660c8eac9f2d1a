import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeProject, writeFiles } from '../testing/projects.ts'
import { findSecretsInFiles, findSecretsInHistory } from './secrets.ts'

/** Creates a repository with one file, committed with each of `contents` in turn. */
function openRepository(...contents: string[]) {
  const folder = makeProject()
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: folder })
  git('init', '-q')
  for (const content of contents) {
    writeFiles(folder, { 'file.txt': content })
    git('add', '-A')
    git('commit', '-q', '-m', 'change')
  }
  return folder
}

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const secrets = [
  ['private key', privateKey.export({ type: 'pkcs8', format: 'pem' })],
  ['GitHub Token', `token ghp_${'aB3'.repeat(12)}`],
  ['PostgreSQL connection string', ['postgres://sygnet:hunter22', 'db.example/sygnet'].join('@')],
  ['a key of the portal', `Authorization: Bearer sygnet_${'a'.repeat(43)}`],
  ['a key of the portal', `whsec_${'b'.repeat(43)}=`],
  ['a key of the portal', `MASTER_KEY=${'c'.repeat(43)}=`],
] as const

test('R82 a secret is found in a file that is not committed, and in the history after its removal', async () => {
  const similar = ['smtps://user:password@host', 'const token = newToken()', 'MASTER_KEY_FILE=/run/secrets/master']
  const folder = openRepository(...secrets.map(([, secret]) => `first\n${secret}\n`), similar.join('\n'))
  expect(await findSecretsInFiles(folder)).toEqual([])
  const found = await findSecretsInHistory(folder)
  // The newest commit is the first.
  const kinds = secrets.map(([kind]) => expect.stringMatching(new RegExp(`^commit [0-9a-f]{7,} found ${kind}`)))
  expect(found).toEqual(kinds.toReversed())
  expect(found.join()).not.toContain('aB3')
  writeFiles(folder, { 'new.txt': secrets.map(([, secret]) => `${secret}\n`).join('first\n') })
  expect(await findSecretsInFiles(folder)).toEqual(secrets.map(([kind]) => expect.stringContaining(` found ${kind}`)))
})

test('R82 a shallow history is refused, because the secret may be in the rest', async () => {
  const shallow = makeProject()
  execFileSync('git', ['clone', '-q', '--depth=1', `file://${openRepository('first\n', 'second\n')}`, shallow])
  await expect(findSecretsInHistory(shallow)).rejects.toThrow('git fetch --unshallow')
})
