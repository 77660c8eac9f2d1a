import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addAuditEntry } from '../server/platform/audit/audit.ts'
import { enqueue } from '../server/platform/messages/outbox.ts'
import { findAccountId } from '../server/testing/database-state.ts'
import { closingWithFile } from '../server/testing/open-portal.ts'
import { makeCustomer } from '../server/testing/test-customers.ts'
import { openCommand } from './testing/sygnet-command.ts'

const hosts: string[] = []
const command = await closingWithFile(
  () => openCommand({ webhookHosts: hosts }),
  ({ close }) => close(),
)

const failPermanently = (what: 'events' | 'messages', failure: string) =>
  sql`update outbox set outcome = 'dead', failure = ${failure}
    where outcome is null and (webhook_id is not null) = ${what === 'events'}`.execute(command.portal.ownerDb)

async function auditEntries(action: string): Promise<unknown[]> {
  const text = 'select actor, details from audit where act = $1 order by id'
  return (await command.portal.owner.query(text, [action])).rows
}

test('OPS-4 R93 a webhook is created, listed, given a secret, sent failed events again, removed', async () => {
  const { portal, folder, sygnet } = command
  // Nobody listens there.
  const host = '127.0.0.1:1'
  const file = join(folder, 'webhook-secret')
  const put = (...more: string[]) => sygnet(['webhooks', 'put', 'crm', '--url', `http://${host}/in`, ...more])
  expect(await put()).toEqual({ code: 1, out: '', err: expect.stringContaining('WEBHOOK_HOSTS') })
  hosts.push(host)
  const kinds = expect.stringContaining('customer.blocked') as string
  expect(await put('--type', 'customer.born')).toMatchObject({ code: 2, err: kinds })
  const made = await put('--type', 'customer.consent-changed', '--to', file)
  expect(made).toEqual({ code: 0, out: '', err: expect.stringMatching(/^Events to crm are signed with this secret\./) })
  expect(readFileSync(file, 'utf8')).toMatch(/^whsec_\S+\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  // A second put changes nothing, shows no secret and leaves no file for one.
  const second = await put('--type', 'customer.consent-changed', '--to', join(folder, 'no-secret'))
  expect(second.out).toMatch(/^url +http.*\n/)
  expect(existsSync(join(folder, 'no-secret'))).toBe(false)
  const secret = readFileSync(file, 'utf8')
  const err = `${file} cannot be written: the file already exists. Nothing was changed.\n`
  expect(await sygnet(['webhooks', 'secret', 'crm', '--to', file])).toEqual({ code: 1, out: '', err })
  expect(readFileSync(file, 'utf8')).toBe(secret)

  const accountId = await findAccountId(portal, await makeCustomer(portal))
  const entry = { action: 'consent-given', accountId, actor: 'system' } as const
  await portal.db.transaction().execute(async (tx) => {
    for (const version of '123') await addAuditEntry(tx, { ...entry, details: { kind: 'marketing', version } })
  })
  await portal.deliverWebhooks()
  await failPermanently('events', 'HTTP 422')
  const failed = /^crm {2}http\S+ {2}customer\.consent-changed {2}0 waiting {2}3 failed\n$/
  expect((await sygnet(['webhooks', 'list'])).out).toMatch(failed)
  const lines = (await sygnet(['webhooks', 'given-up', 'crm', '--json'])).out.trim().split('\n')
  const letters = lines.map((line) => JSON.parse(line) as { event: { position: number; data: { version: string } } })
  expect(letters.map(({ event }) => event.data.version)).toEqual(['1', '2', '3'])
  const drop = (...more: string[]) => sygnet(['webhooks', 'drop', 'crm', ...more])
  expect(await drop()).toMatchObject({ code: 2, err: expect.stringContaining('--through') })
  const through = String(letters[0]!.event.position)
  expect(await drop('--through', through)).toEqual({ code: 0, out: '1 event dropped\n', err: '' })
  expect((await drop('--through', through)).out).toBe('0 events dropped\n')
  expect((await sygnet(['webhooks', 'replay', 'crm'])).out).toBe('2 events to be sent again\n')
  expect((await sygnet(['webhooks', 'list'])).out).toContain('2 waiting  0 failed')
  const dropped = { actor: 'provider' }
  expect(await auditEntries('webhook-dead-letters-dropped')).toMatchObject([dropped, dropped])

  const drawn = await sygnet(['webhooks', 'secret', 'crm', '--json'])
  expect(JSON.parse(drawn.out)).toEqual({ secret: expect.stringMatching(/^whsec_/), earlierEndsAt: expect.any(String) })
  const { secrets } = JSON.parse((await sygnet(['webhooks', 'show', 'crm', '--json'])).out) as { secrets: object[] }
  expect(secrets).toHaveLength(2)
  expect(await sygnet(['webhooks', 'remove', 'crm'])).toEqual({ code: 0, out: '1 webhook removed\n', err: '' })
  const unknown = { code: 1, out: '', err: 'The portal knows no webhook crm.\n' }
  for (const verb of ['show', 'secret', 'remove', 'given-up', 'replay'])
    expect(await sygnet(['webhooks', verb, 'crm'])).toEqual(unknown)
  expect(await sygnet(['webhooks', 'list'])).toEqual({ code: 0, out: '', err: '' })
})

test('OPS-5 R93 failed messages are listed without recipients, resent or dropped, and audited', async () => {
  const { portal, sygnet } = command
  const { keys } = portal.portal
  const person = await makeCustomer(portal)
  await portal.deliver()
  const mail = (subject: string, dropAt?: Date) => {
    const message = { channel: 'mail', to: person.email, subject, text: subject, html: subject } as const
    return portal.db.transaction().execute((tx) => enqueue(tx, keys, message, dropAt))
  }
  const first = await mail('first')
  await mail('second')
  const late = await mail('late', new Date(Date.now() - 1000))
  // As after a first try.
  const cause = 'The certificate of the mail server is not trusted.'
  await portal.owner.query('update outbox set tries = 1, failure = $1 where id = $2', [cause, first])
  const waiting = await sygnet(['messages', 'list', '--waiting'])
  expect(waiting.out).toMatch(new RegExp(`^${first} {2}20\\S+Z {2}mail {2}1 try {2}next 20\\S+Z {2}${cause}\n$`))
  expect(await sygnet(['messages', 'list'])).toEqual({ code: 0, out: '', err: '' })
  await failPermanently('messages', 'SMTP: 550')
  const listed = await sygnet(['messages', 'list'])
  expect(listed.out).toMatch(new RegExp(`^${first} {2}20\\S+Z {2}mail {2}1 try {2}SMTP: 550\n`))
  expect(listed.out).not.toContain(person.email)
  const resend = (...ids: string[]) => sygnet(['messages', 'resend', ...ids.flatMap((id) => ['--id', id])])
  expect(await resend('all')).toMatchObject({ code: 2, err: expect.stringContaining('It must be an id') })
  expect(await resend(first)).toEqual({ code: 0, out: '1 message to be sent again\n', err: '' })
  // An expired message is not sent.
  expect(await resend(late)).toMatchObject({ code: 1, out: '0 messages to be sent again\n' })
  expect(await resend()).toMatchObject({ code: 0, out: '1 message to be sent again\n' })
  await portal.deliver()
  const subjects = portal.mails.filter(({ to }) => to === person.email).map(({ subject }) => subject)
  expect(subjects).toEqual(expect.arrayContaining(['first', 'second']))
  expect(subjects).not.toContain('late')
  expect(await sygnet(['messages', 'drop'])).toEqual({ code: 0, out: '1 message dropped\n', err: '' })
  expect(JSON.parse((await sygnet(['messages', 'list', '--json'])).out)).toEqual([])
  const entry = { actor: 'operator', details: { messages: 1, actorName: userInfo().username } }
  expect(await auditEntries('messages-resent')).toEqual([entry, entry])
  expect(await auditEntries('messages-dropped')).toEqual([entry])
})

test('OPS-4 R82 the command reads settings as the portal does, and no secret without need', async () => {
  const { portal, folder, files, sygnet } = command
  mkdirSync(join(folder, 'secrets'))
  writeFileSync(join(folder, 'secrets/database-url'), `${portal.databaseUrl}\n`)
  const SYGNET_CONFIG = join(folder, 'sygnet.json')
  const alone = { DATABASE_URL: undefined, DATA_DIR: undefined, MASTER_KEY_FILE: undefined, SYGNET_CONFIG }
  const listWith = (content: object, over: Record<string, string> = {}) => {
    writeFileSync(SYGNET_CONFIG, JSON.stringify(content))
    return sygnet(['client-key', 'list'], { ...alone, ...over })
  }
  const ofDatabase = { DATABASE_URL_FILE: 'secrets/database-url', SMTP_URL_FILE: 'secrets/that-root-alone-reads' }
  const complete = { ...ofDatabase, MASTER_KEY_FILE: files.master, DATA_DIR: '.' }
  expect(await listWith(complete)).toMatchObject({ code: 0, err: '' })
  // The environment overrides the file, as for the portal; the message names a folder without a database.
  for (const [content, over, message] of [
    [complete, { MASTER_KEY_FILE: join(folder, 'absent') }, /absent/],
    [{ MASTER_KEY_FILE: files.master, DATA_DIR: '.' }, {}, new RegExp(`no portal's database runs in ${folder}\\.`)],
    [
      { DATABASE_URL_FILE: 'secrets/absent', DATABASE: 'x' },
      {},
      /^DATABASE in .* is not a configuration key of this version and is ignored\.\nDATABASE_URL_FILE cannot be read \(ENOENT\)\.\n$/,
    ],
  ] as const)
    expect(await listWith(content, over)).toEqual({ code: 2, out: '', err: expect.stringMatching(message) })
})
