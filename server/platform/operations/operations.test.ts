import { Writable } from 'node:stream'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { changeLocale, readSession } from '../../../contract/account.ts'
import { makeCalendarAddress } from '../../../contract/calendar.ts'
import { exhaustive } from '../../testing/breadth.ts'
import { untilWaiting } from '../../testing/concurrency.ts'
import { countRows } from '../../testing/database-state.ts'
import { startDatabaseProxy } from '../../testing/faults/faulty-wire.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { openSigningAlone } from '../../testing/signing.ts'
import { ConfigurationError } from '../configuration/startup-error.ts'
import { connect, type Db } from '../database/database.ts'
import { logger } from '../observability/log.ts'
import { openSkippedCauses } from '../observability/skipped-causes.ts'
import { DeliveryFailed, StorageUnreachable } from '../ports.ts'
import { openReports } from './background-reports.ts'
import { openReadiness, watchSigningService } from './readiness.ts'
import { tidyUp } from './tidying.ts'

const portal = await openPortal()

async function get(path: string) {
  const answer = await fetch(portal.origin + path)
  return [answer.status, await answer.json()]
}

test('OPS-6 R97 a node is ready and alive; without all its migrations it is alive only; unknown later ones are ignored', async () => {
  expect(await get('/healthz')).toEqual([200, { status: 'alive' }])
  await portal.owner.query(`insert into migrations (name, sha256) values ('9999-the-future.sql', 'x')`)
  expect(await get('/readyz')).toEqual([200, { status: 'ready' }])
  const { rows } = await portal.owner.query(`delete from migrations where name like '0001-%' returning *`)
  expect(await get('/readyz')).toEqual([503, { status: 'not-ready', reason: 'migrations' }])
  expect(await get('/healthz')).toEqual([200, { status: 'alive' }])
  const restore = 'insert into migrations select * from jsonb_populate_recordset(null::migrations, $1)'
  await portal.owner.query(restore, [JSON.stringify(rows)])
  expect(await get('/readyz')).toEqual([200, { status: 'ready' }])
})

test.each(['database', 'role'])(
  'OPS-6 R91 a node whose $0 was read-only is unready until then, and then writes',
  async (of) => {
    const customer = await signInDirectly(portal, await addCustomer(portal))
    /** Sends calls that write, by a single statement and by a transaction. */
    const write = async (calls: number) => {
      const answers = Array.from({ length: calls }, () => [
        customer.call(changeLocale, { body: { locale: 'en' } }),
        customer.call(makeCalendarAddress),
      ])
      return (await Promise.all(answers.flat())).map(({ status }) => status)
    }
    const owner = await portal.owner.connect()
    const { rows } = await owner.query<{ role: string; database: string }>(
      'select quote_ident(session_user) as role, quote_ident(current_database()) as database',
    )
    const { role, database } = rows[0]!
    const target = of === 'database' ? `database ${database}` : `role ${role} in database ${database}`
    const readOnly = (value: string) => owner.query(`alter ${target} set default_transaction_read_only = ${value}`)
    await readOnly('on')
    onTestFinished(async () => {
      await owner.query(`alter ${target} reset default_transaction_read_only`)
      owner.release(true)
    })
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )
    await expect.poll(() => get('/readyz')).toEqual([503, { status: 'not-ready', reason: 'database' }])
    expect(new Set(await write(20))).toEqual(new Set([503]))
    // As many connections as reads together need, none of which can write.
    await Promise.all(Array.from({ length: 40 }, () => customer.call(readSession)))
    await readOnly('off')
    await expect.poll(() => get('/readyz')).toEqual([200, { status: 'ready' }])
    // The first failure closes the others; one may be in use by the portal itself then.
    const statuses = [...(await write(1)), ...(await write(20))]
    expect(statuses.filter((status) => status === 503).length).toBeLessThanOrEqual(4)
    expect(new Set(await write(20))).toEqual(new Set([200, 204]))
  },
)

test.runIf(exhaustive)(
  'OPS-6 R91 a database that is down or silent makes a node unready, until it is back',
  async () => {
    const proxy = await startDatabaseProxy(portal.databaseUrl)
    const { db, connections, close } = connect(proxy.url, { connections: 1, statementTimeoutMs: 1000 })
    const readiness = openReadiness(db)
    onTestFinished(async () => {
      await close()
      await proxy.cut()
    })
    await expect.poll(() => readiness.findNotReadyReason()).toBeUndefined()
    await proxy.cut()
    expect(await readiness.findNotReadyReason()).toBe('database')
    await proxy.mend()
    await expect.poll(() => readiness.findNotReadyReason()).toBeUndefined()

    proxy.freeze()
    // Concurrent callers share one check.
    const answers = await Promise.all(Array.from({ length: 50 }, () => readiness.findNotReadyReason()))
    expect(new Set(answers)).toEqual(new Set(['database']))
    expect(connections().waiting).toBeLessThanOrEqual(1)
    proxy.thaw()
    await expect.poll(() => readiness.findNotReadyReason()).toBeUndefined()
    // A connection that broke without a word.
    proxy.become('swallowed')
    proxy.become()
    expect(await readiness.findNotReadyReason()).toBe('database')
    await expect.poll(() => readiness.findNotReadyReason()).toBeUndefined()
  },
)

test('OPS-6 R95 a node that stops is no longer ready, even if its database is', async () => {
  const readiness = openReadiness(portal.db)
  const reason = readiness.findNotReadyReason()
  readiness.stop()
  expect(await reason).toBe('stopping')
  expect(await readiness.findNotReadyReason()).toBe('stopping')
})

test('OPS-7 REG-4 an account that is confirmed while the cleanup waits for its row is not removed', async () => {
  const { login } = await addCustomer(portal)
  const unconfirm = `unconfirmed_key = email_key, email_key = null, login_key = null, created_at = portal_now() - interval '1 year'`
  await portal.owner.query(`update accounts set ${unconfirm} where login = $1`, [login])
  await portal.owner.query('delete from links where account_id = (select id from accounts where login = $1)', [login])
  const confirming = await portal.owner.connect()
  await confirming.query('begin')
  const confirm = 'email_key = unconfirmed_key, login_key = login, unconfirmed_key = null'
  await confirming.query(`update accounts set ${confirm} where login = $1`, [login])
  const tidying = tidyUp(portal.portal)
  await untilWaiting(portal)
  await confirming.query('commit')
  confirming.release()
  await tidying
  expect(await countRows(portal, 'accounts where login = $1', login)).toBe(1)
})

test('OPS-6 R86 an error in the background names its work and service, each cause once a minute', () => {
  const lines: Record<string, unknown>[] = []
  const stream = new Writable({ write: (chunk, _encoding, done) => (lines.push(JSON.parse(String(chunk))), done()) })
  const { log } = Fastify({ logger: { ...logger, stream } })
  let now = 0
  const skipped = openSkippedCauses(() => now)
  const reportOf = openReports(log, skipped)
  const down = Object.assign(new Error('KANAREK'), { code: 'ECONNREFUSED' })
  for (let i = 0; i < 3; i++) reportOf('send-messages')(down)
  reportOf('tidy')(down)
  reportOf('tidy')(new StorageUnreachable('KANAREK'))
  now = 60_000
  reportOf('send-messages')(down)
  const failedTry = { id: 'a', channel: 'mail' as const, tries: 1, isPermanent: false, message: undefined }
  reportOf('send-messages')(new DeliveryFailed('down', false), failedTry)
  expect(lines.map(({ work, service, repeats, msg }) => [work, service, repeats, msg])).toEqual([
    ['send-messages', 'database', 0, 'background work failed'],
    ['tidy', 'database', 0, 'background work failed'],
    ['tidy', 'documents', 0, 'background work failed'],
    ['send-messages', 'database', 2, 'background work failed'],
    [undefined, undefined, undefined, 'a message could not be delivered'],
  ])
  expect(JSON.stringify(lines)).not.toContain('KANAREK')
})

async function open() {
  const { signing, close } = await openSigningAlone()
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'info', stream: { write: (line: string) => void lines.push(line) } } })
  onTestFinished(async () => void (await Promise.all([close(), app.close()])))
  // Only what it notes is asked for.
  const readiness = openReadiness({} as Db)
  const watch = () => watchSigningService(signing.ports.remoteSigning, readiness, app.log)
  return { signing, readiness, app, watch, messages: () => lines.map((line) => JSON.parse(line).msg) }
}

test('SGN-1 a service that goes away and comes back is noted each minute, and reported when that changes', async () => {
  const { signing, readiness, watch, messages } = await open()
  const job = await watch()
  expect([job.everySeconds, readiness.unavailable()]).toEqual([60, []])
  signing.tamperBy(() => 'cut')
  await job.run()
  await job.run()
  expect(readiness.unavailable()).toEqual(['signing-service'])
  signing.tamperBy()
  await job.run()
  expect(readiness.unavailable()).toEqual([])
  expect(messages()).toEqual(['the signing service cannot be used', 'the signing service answers again'])
  // One that becomes unsuitable later does not stop the portal, but signs nothing; a start reports it.
  const newer = { status: 200, body: '{"specs":"3.0.0.0","methods":[]}' }
  signing.tamperBy((path) => (path === 'info' ? newer : undefined))
  await job.run()
  expect(readiness.unavailable()).toEqual(['signing-service'])
  expect(await signing.ports.remoteSigning.listCredentials('c-1')).toBe('unreachable')
  await expect(watch()).rejects.toThrow(
    new ConfigurationError(
      'CSC_URL cannot be used: the signing service implements version 3.0.0.0 of the CSC API, not 2.',
    ),
  )
})
