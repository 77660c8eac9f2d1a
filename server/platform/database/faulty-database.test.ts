import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readSession } from '../../../contract/account.ts'
import { type TestBrowser } from '../../testing/browser.ts'
import { startDatabaseProxy } from '../../testing/faults/faulty-wire.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { freePort } from '../../testing/processes.ts'
import { addCustomer, signInDirectly } from '../../testing/samples/ready-customers.ts'
import { startSending } from '../messages/outbox.ts'
import { createDeliveries } from '../operations/deliveries.ts'
import { databaseFault } from './database-fault.ts'
import { connect, readDatabaseTime } from './database.ts'
import { startPostgres } from './embedded-postgres.ts'
import { holdConnection } from './held-connection.ts'

// The way to the database fails in all manners without anybody saying so; the node goes on by itself when it is over (R91).

let proxy: Awaited<ReturnType<typeof startDatabaseProxy>>
let customer: TestBrowser
const connections = 10

const portal = await openPortal({
  statementTimeoutMs: 5000,
  proxyDatabase: async (url) => (proxy = await startDatabaseProxy(url)).url,
})
beforeAll(async () => {
  customer = await signInDirectly(portal, await addCustomer(portal))
})
afterAll(async () => {
  proxy.become()
  await proxy.cut()
})

/** Returns the status of a read, which queries the database and must succeed or fail with a problem. */
async function readStatus(): Promise<number> {
  const { status, problem } = await customer.call(readSession)
  if (status !== 200) expect([status, problem.code]).toEqual([503, 'unavailable'])
  return status
}
const readTogether = (count: number) => Promise.all(Array.from({ length: count }, readStatus))
const failed = (statuses: number[]) => statuses.filter((status) => status === 503).length
const ready = async () => (await fetch(`${portal.origin}/readyz`)).status

test('R91 silently broken connections each fail at most one request, and the pool recovers', async () => {
  expect(failed(await readTogether(40))).toBe(0)
  // All open connections are dead; new ones work.
  proxy.become('swallowed')
  proxy.become()
  let lost = 0
  for (let failures = connections; failures > 0; lost += failures) failures = failed(await readTogether(connections))
  lost += failed(await readTogether(40))
  expect(lost).toBeGreaterThan(0)
  expect(lost).toBeLessThanOrEqual(connections)
  expect(failed(await readTogether(40))).toBe(0)
  await expect.poll(ready).toBe(200)
})

test('R91 R95 a sender and a held connection whose database does not answer can be stopped', async () => {
  const own = await startDatabaseProxy(portal.databaseUrl)
  const { db, close } = connect(own.url, { connections: 2, statementTimeoutMs: 1000 })
  onTestFinished(() => own.cut())
  const sender = startSending({
    db,
    keys: portal.portal.keys,
    deliveries: createDeliveries(portal.portal),
    report: () => {},
  })
  const connection = holdConnection(own.url, async () => {})
  await expect.poll(own.held).toBeGreaterThanOrEqual(2)
  own.become('swallowed')
  await sender.stop()
  await connection.close()
  await close()
})

test('OPS-17 a database that accepts connections and never answers is unreachable', async () => {
  const own = await startDatabaseProxy(portal.databaseUrl)
  onTestFinished(() => own.cut())
  own.become('swallowed')
  const { db, close } = connect(own.url, { connections: 1, queueTimeoutMs: 100 })
  onTestFinished(close)
  // The first one connects, the second one waits for its connection.
  const faults = await Promise.all([1, 2].map(() => readDatabaseTime(db).then(() => undefined, databaseFault)))
  const text = 'The database does not answer in time. Check DATABASE_URL, and the firewall.'
  expect(faults).toEqual([1, 2].map(() => ({ kind: 'unreachable', text })))
})

test('OPS-12 R82 PostgreSQL asks every few seconds whether the machine of a held connection is still there', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sygnet-tcp-'))
  const port = String(await freePort())
  const server = await startPostgres(folder, { listen_addresses: '127.0.0.1', port, fsync: 'off' })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
  })
  const { username, password } = new URL(server.url)
  const seconds = await new Promise((resolve, reject) => {
    const connection = holdConnection(
      `postgres://${username}:${password}@127.0.0.1:${port}/postgres`,
      async (client) => {
        // Those of its socket.
        const { rows } = await client.query(
          `select array_agg(current_setting('tcp_keepalives_' || name)) as seconds from unnest(array['idle', 'interval', 'count']) name`,
        )
        resolve((rows[0] as { seconds: unknown }).seconds)
      },
      reject,
    )
    onTestFinished(connection.close)
  })
  expect(seconds).toEqual(['10', '5', '3'])
})
