import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signIn } from '../contract/account.ts'
import { openTestPortal, type TestPortal } from '../server/test-app.ts'
import { makeCustomer, openBrowser, signInAs, type Person } from '../server/test-browser.ts'

let portal: TestPortal
let folder: string
beforeAll(async () => {
  portal = await openTestPortal()
  folder = mkdtempSync(join(tmpdir(), 'sygnet-command-'))
})
afterAll(async () => {
  await portal.close()
  rmSync(folder, { recursive: true })
})

/** Runs the command as an operator does. */
const sygnet = (words: string[], environment: Record<string, string> = {}) =>
  new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const env = { PATH: process.env['PATH'], DATABASE_URL: portal.databaseUrl, DATA_DIR: folder, ...environment }
    const file = join(import.meta.dirname, 'sygnet.ts')
    execFile(process.execPath, [file, ...words], { env, cwd: folder }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    )
  })

const attempt = (login: string, password: string, address: string) =>
  openBrowser(portal, { address }).call(signIn, { body: { login, password, botProof: crypto.randomUUID() } })

async function block({ login }: Person) {
  for (let i = 0; i < 10; i++) await attempt(login, 'Wrong-Password-1!', `198.18.1.${i}`)
}

async function unblocked({ login }: Person) {
  const { rows } = await portal.owner.query(
    `select actor from audit join accounts a on a.id = account_id where a.login = $1 and act = 'account-unblocked'`,
    [login],
  )
  return rows as unknown[]
}

test('AUT-4 OPS-5 the operator opens a blocked account for its present password, on the record, and its count starts anew', async () => {
  const keyFile = join(folder, 'key-of-the-portal')
  writeFileSync(keyFile, portal.masterKey.toString('base64'))
  const person = await makeCustomer(portal)
  await block(person)
  expect((await attempt(person.login, person.password, '198.18.2.1')).problem.code).toBe('account-blocked')
  const run = () => sygnet(['account', 'unblock', person.email.toUpperCase()], { MASTER_KEY_FILE: keyFile })
  expect(await run()).toEqual({ code: 0, out: '1 account unblocked\n', err: '' })
  // One typing mistake does not block it again.
  expect((await attempt(person.login, 'Wrong-Password-1!', '198.18.2.2')).problem.code).toBe('login-refused')
  const browser = await signInAs(portal, person)
  expect(browser.cookie).toBeDefined()
  expect(await unblocked(person)).toEqual([{ actor: 'operator' }])
  expect(await run()).toMatchObject({ code: 1, out: '', err: expect.stringContaining('No blocked account') })
  expect(await unblocked(person)).toHaveLength(1)
})

test('AUT-4 without the portal’s key, or with words it does not know, the command changes and makes nothing', async () => {
  const person = await makeCustomer(portal)
  await block(person)
  const noKey = await sygnet(['account', 'unblock', person.login])
  expect(noKey).toMatchObject({ code: 1, out: '', err: expect.stringContaining('There is no master key') })
  for (const words of [['account', 'unblock'], ['account', 'block', person.login], ['account'], []])
    expect(await sygnet(words)).toMatchObject({ code: 2, out: '', err: expect.stringContaining('account unblock') })
  expect(await sygnet(['account', 'unblock', person.login], { DATABASE_URL: '' })).toMatchObject({ code: 2 })
  expect(readdirSync(folder)).not.toContain('master.key')
  expect(await unblocked(person)).toEqual([])
  expect((await attempt(person.login, person.password, '198.18.2.3')).problem.code).toBe('account-blocked')
})

test('OPS-4 R80 a client key is made, listed and revoked by its name', async () => {
  const made = await sygnet(['client-key', 'create', 'desk', '--days', '2'])
  expect(made.out).toMatch(/^sygnet_[\w-]{43}\n$/)
  const list = async () => (await sygnet(['client-key', 'list'])).out
  expect(await list()).toMatch(/until \d{4}-\S+ {2}desk\n/)
  expect(await list()).not.toContain(made.out.trim())
  expect(await sygnet(['client-key', 'revoke', 'desk'])).toEqual({ code: 0, out: '1 key revoked\n', err: '' })
  expect(await list()).toMatch(/revoked \d{4}-\S+ {2}desk\n/)
  expect(await sygnet(['client-key', 'create', 'desk', '--days', '0'])).toMatchObject({ code: 2, out: '' })
})
