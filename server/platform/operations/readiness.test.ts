import { expect, onTestFinished, test } from 'vitest'
import { changeLocale, readSession } from '../../../contract/account.ts'
import { makeCalendarAddress } from '../../../contract/calendar.ts'
import { connect } from '../database/database.ts'
import { openReadiness } from './readiness.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { exhaustive } from '../../testing/breadth.ts'
import { startDatabaseProxy } from '../../testing/faults/faulty-wire.ts'

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
    /** A statement of its own, and a transaction. */
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
    await expect.poll(() => readiness.notReadyReason()).toBeUndefined()
    await proxy.cut()
    expect(await readiness.notReadyReason()).toBe('database')
    await proxy.mend()
    await expect.poll(() => readiness.notReadyReason()).toBeUndefined()

    proxy.freeze()
    // Concurrent callers share one check.
    const answers = await Promise.all(Array.from({ length: 50 }, () => readiness.notReadyReason()))
    expect(new Set(answers)).toEqual(new Set(['database']))
    expect(connections().waiting).toBeLessThanOrEqual(1)
    proxy.thaw()
    await expect.poll(() => readiness.notReadyReason()).toBeUndefined()
    // A connection that broke without a word.
    proxy.become('swallowed')
    proxy.become()
    expect(await readiness.notReadyReason()).toBe('database')
    await expect.poll(() => readiness.notReadyReason()).toBeUndefined()
  },
)

test('OPS-6 R95 a node that stops is no longer ready, even if its database is', async () => {
  const readiness = openReadiness(portal.db)
  const reason = readiness.notReadyReason()
  readiness.stop()
  expect(await reason).toBe('stopping')
  expect(await readiness.notReadyReason()).toBe('stopping')
})
