import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from './db.ts'
import { openReadiness } from './readiness.ts'
import { openPortal } from './testing/open-portal.ts'
import { openCable } from './testing/database-cable.ts'

const portal = await openPortal()

async function ask(path: string) {
  const answer = await fetch(portal.origin + path)
  return [answer.status, await answer.json()]
}

test('OPS-6 a node that lives says so, and one that can serve says so', async () => {
  expect(await ask('/healthz')).toEqual([200, { status: 'alive' }])
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }])
})

test('OPS-6 R97 a node whose migrations are not all there is not ready; more than it knows do no harm', async () => {
  await portal.owner.query(`insert into migrations (name, sha256) values ('9999-the-future.sql', 'x')`)
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }])
  const { rows } = await portal.owner.query(`delete from migrations where name like '0001-%' returning *`)
  expect(await ask('/readyz')).toEqual([503, { status: 'not-ready', reason: 'migrations' }])
  expect(await ask('/healthz')).toEqual([200, { status: 'alive' }])
  await portal.owner.query('insert into migrations select * from jsonb_populate_recordset(null::migrations, $1)', [
    JSON.stringify(rows),
  ])
  expect(await ask('/readyz')).toEqual([200, { status: 'ready' }])
})

test('OPS-6 R91 a database that answers and takes no writes, such as a primary that was put aside, makes a node unready', async () => {
  const readOnly = (value: string) =>
    portal.owner.query(
      `alter database ${new URL(portal.databaseUrl).pathname.slice(1)} set default_transaction_read_only = ${value}`,
    )
  await readOnly('on')
  const { db, close } = openDatabase(portal.databaseUrl, { connections: 1 })
  onTestFinished(close)
  expect(await openReadiness(db).hindrance()).toBe('database')
  await readOnly('off')
})

test('OPS-6 R91 a database that is away or does not answer makes a node unready within seconds, and ready again when it is back', async () => {
  const cable = await openCable(portal.databaseUrl)
  const { db, connections, close } = openDatabase(cable.url, { connections: 1 })
  const readiness = openReadiness(db)
  onTestFinished(async () => {
    await close()
    await cable.cut()
  })
  expect(await readiness.hindrance()).toBeUndefined()
  await cable.cut()
  expect(await readiness.hindrance()).toBe('database')
  await cable.mend()
  expect(await readiness.hindrance()).toBeUndefined()

  cable.freeze()
  const began = performance.now()
  // However many ask, one looks.
  const answers = await Promise.all(Array.from({ length: 50 }, () => readiness.hindrance()))
  expect(new Set(answers)).toEqual(new Set(['database']))
  expect(performance.now() - began).toBeGreaterThan(1500)
  expect(connections().asked).toBeLessThanOrEqual(1)
  cable.thaw()
  while (await readiness.hindrance()) await turn()
})

test('OPS-6 R95 a node that stops is not ready from then on, whatever its database says', async () => {
  const readiness = openReadiness(portal.db)
  const asked = readiness.hindrance()
  readiness.stop()
  expect(await asked).toBe('stopping')
  expect(await readiness.hindrance()).toBe('stopping')
})
