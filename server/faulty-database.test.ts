import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readSession } from '../contract/account.ts'
import { openDatabase } from './db.ts'
import { listenOn } from './listen.ts'
import { startSending } from './outbox.ts'
import { deliveriesOf } from './deliveries.ts'
import { openReadiness } from './readiness.ts'
import { openPortal } from './testing/open-portal.ts'
import { type TestBrowser } from './testing/browser.ts'
import { addCustomer, letIn } from './testing/ready-customers.ts'
import { openCable } from './testing/database-cable.ts'

/** R91: the way to the database fails in all manners without anybody saying so; the node goes on by itself when it is over. */
let cable: Awaited<ReturnType<typeof openCable>>
let customer: TestBrowser
const connections = 10

const portal = await openPortal({ patienceMs: 2000, way: async (url) => (cable = await openCable(url)).url })
beforeAll(async () => {
  customer = await letIn(portal, await addCustomer(portal))
})
afterAll(async () => {
  cable.become()
  await cable.cut()
})

/** Each read asks the database; what comes back is the whole or a worded failure, never anything else. */
async function ask(): Promise<number> {
  const { status, problem } = await customer.call(readSession)
  if (status !== 200) expect([status, problem.code]).toEqual([503, 'unavailable'])
  return status
}
const askTogether = (count: number) => Promise.all(Array.from({ length: count }, ask))
const failed = (statuses: number[]) => statuses.filter((status) => status === 503).length
const ready = async () => (await fetch(`${portal.origin}/readyz`)).status

test('R91 connections that died without a word cost each one request at most, and then the pool is whole', async () => {
  expect(failed(await askTogether(40))).toBe(0)
  // Every connection that is open is dead for ever; new ones are as good as ever.
  cable.become('swallowed')
  cable.become()
  let lost = 0
  for (let told = connections; told > 0; lost += told) told = failed(await askTogether(connections))
  lost += failed(await askTogether(40))
  expect(lost).toBeGreaterThan(0)
  expect(lost).toBeLessThanOrEqual(connections)
  expect(failed(await askTogether(40))).toBe(0)
  expect(await ready()).toBe(200)
})

test('R91 while answers of the database break off or are swallowed the portal says 503 and is not ready; afterwards it goes on', async () => {
  for (const fault of ['cut', 'swallowed'] as const) {
    cable.become(fault)
    expect([fault, failed(await askTogether(20))]).toEqual([fault, 20])
    expect([fault, await ready()]).toEqual([fault, 503])
    cable.become()
    await expect.poll(ready).toBe(200)
    await expect.poll(ask).toBe(200)
    expect([fault, failed(await askTogether(40))]).toEqual([fault, 0])
  }
})

test('R91 OPS-6 a node whose own look at the database died without a word is ready again by itself', async () => {
  const own = await openCable(portal.databaseUrl)
  const { db, close } = openDatabase(own.url, { connections: 1, patienceMs: 1000 })
  onTestFinished(async () => {
    await close()
    await own.cut()
  })
  const readiness = openReadiness(db)
  expect(await readiness.hindrance()).toBeUndefined()
  own.become('swallowed')
  own.become()
  expect(await readiness.hindrance()).toBe('database')
  await expect.poll(() => readiness.hindrance()).toBeUndefined()
})

test('R91 R95 a sender whose database answers nothing any more can still be stopped', async () => {
  const own = await openCable(portal.databaseUrl)
  const { db, close } = openDatabase(own.url, { connections: 2, patienceMs: 1000 })
  onTestFinished(() => own.cut())
  const sender = startSending(db, portal.portal.keys, deliveriesOf(portal.portal), listenOn(own.url), () => {})
  await expect.poll(own.held).toBeGreaterThanOrEqual(2)
  own.become('swallowed')
  await sender.stop()
  await close()
})
