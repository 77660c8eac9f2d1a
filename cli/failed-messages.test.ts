import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { addAuditEntry } from '../server/platform/audit/audit.ts'
import { enqueue } from '../server/platform/messages/outbox.ts'
import { makeCustomer } from '../server/testing/browser.ts'
import { version } from '../server/platform/observability/version.ts'
import { openCommand } from './testing/sygnet-command.ts'

const hosts: string[] = []
let command: Awaited<ReturnType<typeof openCommand>>
beforeAll(async () => {
  command = await openCommand({ webhookHosts: hosts })
})
afterAll(() => command.close())

const failPermanently = (what: 'events' | 'messages', failure: string) =>
  command.portal.owner.query(
    `update outbox set outcome = 'dead', failure = $1 where outcome is null and (webhook_id is not null) = $2`,
    [failure, what === 'events'],
  )

async function auditEntries(action: string) {
  const { rows } = await command.portal.owner.query('select actor, details from audit where act = $1 order by id', [
    action,
  ])
  return rows as unknown[]
}

test('OPS-4 R80 R93 a webhook is created, listed, given another secret, sent failed events again, and removed by command', async () => {
  const { portal, folder, sygnet } = command
  let answer = 422
  const received: { data: { version: string } }[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      received.push(JSON.parse(body) as { data: { version: string } })
      response.writeHead(answer).end()
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const file = join(folder, 'webhook-secret')
  const put = (...more: string[]) => sygnet(['webhooks', 'put', 'crm', '--url', `http://${host}/in`, ...more])
  expect(await put()).toEqual({ code: 1, out: '', err: expect.stringContaining('WEBHOOK_HOSTS') })
  hosts.push(host)
  expect(await put('--type', 'customer.born')).toMatchObject({
    code: 2,
    err: expect.stringContaining('customer.blocked'),
  })
  const made = await put('--type', 'customer.consent-changed', '--to', file)
  expect(made).toEqual({ code: 0, out: '', err: expect.stringMatching(/^Events to crm are signed with this secret\./) })
  expect(readFileSync(file, 'utf8')).toMatch(/^whsec_\S+\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  // A second put changes nothing, shows no secret and leaves no file for one.
  const second = await put('--type', 'customer.consent-changed', '--to', join(folder, 'no-secret'))
  expect(second.out).toMatch(/^url +http.*\n/)
  expect(existsSync(join(folder, 'no-secret'))).toBe(false)
  const secret = readFileSync(file, 'utf8')
  expect(await sygnet(['webhooks', 'secret', 'crm', '--to', file])).toEqual({
    code: 1,
    out: '',
    err: `${file} cannot be written: the file already exists. Nothing was changed.\n`,
  })
  expect(readFileSync(file, 'utf8')).toBe(secret)

  const { id } = await makeCustomer(portal)
  const { rows } = await portal.owner.query<{ id: string }>('select id from accounts where provider_id = $1', [id])
  for (const customVersion of ['1', '2', '3'])
    await portal.db.transaction().execute((tx) =>
      addAuditEntry(tx, {
        action: 'consent-given',
        accountId: rows[0]!.id,
        actor: 'system',
        details: { kind: 'marketing', version: customVersion },
      }),
    )
  await portal.deliverWebhooks()
  await failPermanently('events', 'HTTP 422')
  expect((await sygnet(['webhooks', 'list'])).out).toMatch(
    /^crm {2}http\S+ {2}customer\.consent-changed {2}0 waiting {2}3 failed\n$/,
  )
  const lines = (await sygnet(['webhooks', 'given-up', 'crm', '--json'])).out.trim().split('\n')
  const letters = lines.map((line) => JSON.parse(line) as { event: { position: number; data: { version: string } } })
  expect(letters.map(({ event }) => event.data.version)).toEqual(['1', '2', '3'])
  const drop = (...more: string[]) => sygnet(['webhooks', 'drop', 'crm', ...more])
  expect(await drop()).toMatchObject({ code: 2, err: expect.stringContaining('--through') })
  const through = String(letters[0]!.event.position)
  expect(await drop('--through', through)).toEqual({ code: 0, out: '1 event dropped\n', err: '' })
  expect((await drop('--through', through)).out).toBe('0 events dropped\n')
  answer = 204
  received.length = 0
  expect((await sygnet(['webhooks', 'replay', 'crm'])).out).toBe('2 events to be sent again\n')
  while (await portal.deliverWebhooks());
  expect(received.map(({ data }) => data.version)).toEqual(['2', '3'])
  expect(await auditEntries('webhook-dead-letters-dropped')).toMatchObject([
    { actor: 'provider' },
    { actor: 'provider' },
  ])

  const drawn = await sygnet(['webhooks', 'secret', 'crm', '--json'])
  expect(JSON.parse(drawn.out)).toEqual({ secret: expect.stringMatching(/^whsec_/), earlierEndsAt: expect.any(String) })
  const { secrets } = JSON.parse((await sygnet(['webhooks', 'show', 'crm', '--json'])).out) as { secrets: object[] }
  expect(secrets).toHaveLength(2)
  expect(await sygnet(['webhooks', 'remove', 'crm'])).toEqual({ code: 0, out: '1 webhook removed\n', err: '' })
  for (const verb of ['show', 'secret', 'remove', 'given-up', 'replay'])
    expect(await sygnet(['webhooks', verb, 'crm'])).toEqual({
      code: 1,
      out: '',
      err: 'The portal knows no webhook crm.\n',
    })
  expect(await sygnet(['webhooks', 'list'])).toEqual({ code: 0, out: '', err: '' })
})

test('OPS-5 R86 R93 messages that failed permanently are listed without their recipients, and sent again or dropped, with an audit entry', async () => {
  const { portal, sygnet } = command
  const { db } = portal
  const { keys } = portal.portal
  const person = await makeCustomer(portal)
  await portal.deliver()
  const mail = (subject: string, dropAt?: Date) =>
    db
      .transaction()
      .execute((tx) =>
        enqueue(tx, keys, { channel: 'mail', to: person.email, subject, text: subject, html: subject }, dropAt),
      )
  const [first, second, late] = [
    await mail('first'),
    await mail('second'),
    await mail('late', new Date(Date.now() - 1000)),
  ]
  await failPermanently('messages', 'SMTP: 550')
  const listed = await sygnet(['messages', 'list'])
  expect(listed.out).toMatch(new RegExp(`^${first} {2}20\\S+Z {2}mail {2}0 tries {2}SMTP: 550\n`))
  expect(listed.out).not.toContain(person.email)
  const resend = (...ids: string[]) => sygnet(['messages', 'resend', ...ids.flatMap((id) => ['--id', id])])
  expect(await resend('all')).toMatchObject({ code: 2, err: expect.stringContaining('all is not an id') })
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
  expect(second).not.toBe(first)
})

test('OPS-4 R82 the command reads the file of SYGNET_CONFIG and secrets from files as the portal does, and no secret that it does not need', async () => {
  const { portal, folder, files, sygnet } = command
  const secrets = join(folder, 'secrets')
  mkdirSync(secrets)
  writeFileSync(join(secrets, 'database-url'), `${portal.databaseUrl}\n`)
  const configure = (content: object) => writeFileSync(join(folder, 'sygnet.json'), JSON.stringify(content))
  const alone = {
    DATABASE_URL: undefined,
    DATA_DIR: undefined,
    MASTER_KEY_FILE: undefined,
    SYGNET_CONFIG: join(folder, 'sygnet.json'),
  }
  const list = (over: Record<string, string | undefined> = {}) => sygnet(['client-key', 'list'], { ...alone, ...over })
  configure({
    DATABASE_URL_FILE: 'secrets/database-url',
    MASTER_KEY_FILE: files.master,
    SMTP_URL_FILE: 'secrets/that-root-alone-reads',
    DATA_DIR: '.',
  })
  expect(await list()).toMatchObject({ code: 0, err: '' })
  // The environment overrides the file, as for the portal; the message names a folder without a database.
  expect(await list({ MASTER_KEY_FILE: join(folder, 'absent') })).toMatchObject({ code: 2, out: '' })
  configure({ MASTER_KEY_FILE: files.master, DATA_DIR: '.' })
  expect(await list()).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(`no portal's database runs in ${folder}.`),
  })
  configure({ DATABASE_URL_FILE: 'secrets/absent', DATABASE: 'x' })
  expect(await list()).toEqual({
    code: 2,
    out: '',
    err: 'DATABASE in the file of SYGNET_CONFIG is not a configuration key of this version and is ignored.\nDATABASE_URL_FILE cannot be read (ENOENT).\n',
  })
  expect(await sygnet(['--version'])).toEqual({ code: 0, out: `sygnet ${version}\n`, err: '' })
})
