import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { signIn } from '../contract/account.ts'
import { acts } from '../contract/acts.ts'
import { deliveriesOf } from './deliveries.ts'
import { openMetrics, type Metrics } from './metrics.ts'
import { alarmRaised, budgetRefused, jobs } from './observed.ts'
import { openOperations } from './operations-listener.ts'
import { enqueue, sendDue } from './outbox.ts'
import { alarmNames, DeliveryFailed } from './ports/ports.ts'
import { openReadiness } from './readiness.ts'
import { openPortal } from './testing/open-portal.ts'
import { makeCustomer, openBrowser, signInAs } from './testing/browser.ts'

let metrics: Metrics
/** A caller has its answer a moment before the node knows that it has. */
let underWay = 0
const portal = await openPortal({
  observe: (app, { db, connections }) => {
    metrics = openMetrics({ db, connections, readiness: openReadiness(db) })
    app.addHook('onRequest', async () => void (underWay += 1))
    metrics.observe(app)
    app.addHook('onResponse', async () => void (underWay -= 1))
  },
})
afterAll(async () => {
  metrics.close()
})

const mailOf = (subject: string) => ({ channel: 'mail' as const, to: 'a@mail.example', subject, text: '', html: '' })

type Sample = { name: string; labels: Record<string, string>; value: number }

/** What Prometheus reads, as a list. */
async function samples(): Promise<Sample[]> {
  while (underWay) await turn()
  const { text } = await metrics.read()
  return [...text.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, one]) => [key!, one!])),
    value: Number(value),
  }))
}

async function valueOf(name: string, labels: Record<string, string> = {}) {
  const found = (await samples()).filter(
    (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
  )
  return found.reduce((sum, { value }) => sum + value, 0)
}

const requests = 'sygnet_http_request_duration_seconds_count'

test('OPS-6 requests are counted by route, method and kind of status, acts by what was done, and refused tries by their limit', async () => {
  const person = await makeCustomer(portal)
  await signInAs(portal, person)
  const good = { method: 'POST', route: signIn.path, status: '2xx' }
  const before = [await valueOf(requests, good), await valueOf('sygnet_acts_total', { act: 'sign-in-finished' })]
  await signInAs(portal, person)
  expect([await valueOf(requests, good), await valueOf('sygnet_acts_total', { act: 'sign-in-finished' })]).toEqual(
    before.map((one) => one + 1),
  )
  const wrong = { login: person.login, password: 'Zle-Haslo-2026!' }
  for (let i = 0; i < 12; i++)
    await openBrowser(portal).call(signIn, { body: { ...wrong, botProof: crypto.randomUUID() } })
  expect(await valueOf(requests, { route: signIn.path, status: '4xx' })).toBe(12)
  expect(await valueOf('sygnet_acts_total', { act: 'sign-in-refused' })).toBeGreaterThan(0)
  expect(await valueOf('sygnet_budget_refusals_total')).toBeGreaterThan(0)
})

test('OPS-6 R92 R93 messages that wait, how long the oldest has, and those that were given up are told by channel', async () => {
  const { keys } = portal.portal
  await portal.db.transaction().execute(async (tx) => {
    await enqueue(tx, keys, mailOf('wait'))
    await enqueue(tx, keys, mailOf('dead'))
  })
  const failing = {
    ...deliveriesOf(portal.portal),
    mail: ({ subject }: { subject: string }) => Promise.reject(new DeliveryFailed('no', subject === 'dead')),
  }
  await sendDue(portal.db, keys, failing)
  await portal.clock.advance(300)
  onTestFinished(() => portal.clock.advance(0))
  const of = { channel: 'mail' }
  expect(await valueOf('sygnet_outbox_waiting', of)).toBe(1)
  expect(await valueOf('sygnet_outbox_dead', of)).toBe(1)
  const age = await valueOf('sygnet_outbox_oldest_seconds', of)
  expect(age).toBeGreaterThanOrEqual(300)
  expect(age).toBeLessThan(420)
  expect(await valueOf('sygnet_deliveries_total', { ...of, outcome: 'failed' })).toBe(1)
  expect(await valueOf('sygnet_deliveries_total', { ...of, outcome: 'dead' })).toBe(1)
  const sent = await valueOf('sygnet_deliveries_total', { ...of, outcome: 'sent' })
  await portal.deliver()
  expect(await valueOf('sygnet_deliveries_total', { ...of, outcome: 'sent' })).toBe(sent + 1)
  expect(await valueOf('sygnet_outbox_waiting', of)).toBe(0)
})

test('OPS-6 the pool, what the node does by itself, alarms and the process are told', async () => {
  const used = { state: 'used' }
  await portal.db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    expect(await valueOf('sygnet_database_connections', used)).toBeGreaterThanOrEqual(1)
  })
  await jobs.do({ job: 'tidy' }, async () => {})
  await expect(jobs.do({ job: 'tidy' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  alarmRaised.tell({ alarm: 'storage-full' })
  expect(await valueOf('sygnet_job_runs_total', { work: 'tidy', outcome: 'done' })).toBe(1)
  expect(await valueOf('sygnet_job_runs_total', { work: 'tidy', outcome: 'failed' })).toBe(1)
  expect(await valueOf('sygnet_alarms_total', { alarm: 'storage-full' })).toBe(1)
  expect(await valueOf('sygnet_ready')).toBe(1)
  expect(await valueOf('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
})

test('OPS-6 R86 whatever is sent, labels are words of ours: no more series than routes and kinds of answer, and nothing of a person', async () => {
  const person = await makeCustomer(portal)
  await signInAs(portal, person)
  const mark = 'KANAREK'
  const { endpoints } = portal.app
  const browser = openBrowser(portal)
  const spray = async (id: string) => {
    for (const { method, path } of endpoints) {
      const headers = { [mark]: mark, 'user-agent': mark, 'x-forwarded-for': '198.51.100.9' }
      await (await browser.raw(method, `${path.replace(/:\w+/g, id)}?${id}=1`, undefined, headers)).arrayBuffer()
    }
  }
  await spray(mark)
  for (const path of [
    `/${mark}`,
    `/api/${mark}`,
    `/en/${mark}?${mark}=1`,
    `/assets/${mark}`,
    `/setup-password/${mark}`,
  ])
    for (const method of ['GET', 'DELETE', 'PROPFIND', 'SUBSCRIBE'])
      await (await browser.raw(method, path)).arrayBuffer()
  const counted = (await samples()).filter(({ name }) => name === requests)
  const routes = new Set(counted.map(({ labels }) => labels['route']))
  expect(
    counted.filter(({ labels }) => labels['route'] === 'none').map(({ labels }) => labels['method']),
  ).not.toContain('PROPFIND')
  for (const { path } of endpoints) expect(routes).toContain(path)
  for (const { labels } of counted) expect(Object.keys(labels).toSorted()).toEqual(['method', 'route', 'status'])
  const series = counted.map(({ labels }) => JSON.stringify(labels))

  // The same once more, with other ids: nothing is added.
  await spray(`${mark}2`)
  const again = (await samples()).filter(({ name }) => name === requests).map(({ labels }) => JSON.stringify(labels))
  expect(again.filter((one) => !series.includes(one)).length).toBeLessThan(endpoints.length)
  expect(new Set(again.map((one) => (JSON.parse(one) as { route: string }).route))).toEqual(routes)

  const { text } = await metrics.read()
  const told = [mark, person.id, person.login, person.email, person.phone, person.surname, '198.51.100']
  expect(told.filter((one) => text.includes(one))).toEqual([])
  const known = Object.keys(acts)
  for (const { name, labels } of await samples())
    if (name === 'sygnet_acts_total') expect(known).toContain(labels['act'])
  expect(new Set((await samples()).map(({ name, labels }) => `${name}${JSON.stringify(labels)}`)).size).toBeLessThan(
    endpoints.length * 5 * 16,
  )
})

test('OPS-6 figures are read at the operator’s own door, and nowhere else', async () => {
  const readiness = openReadiness(portal.db)
  const door = await openOperations({ port: 0, host: '127.0.0.1' }, { metrics, readiness })
  onTestFinished(door.close)
  const ask = async (path: string, origin = `http://127.0.0.1:${door.port}`) => {
    const answer = await fetch(origin + path)
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const told = await ask('/metrics')
  expect([told.status, told.type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(told.text).toContain('\nsygnet_ready 1\n')
  expect((await ask('/readyz')).status).toBe(200)
  readiness.stop()
  expect(await ask('/readyz')).toMatchObject({ status: 503, text: '{"status":"not-ready","reason":"stopping"}' })
  expect((await ask('/metrics')).text).toContain('sygnet_ready')
  expect((await ask('/metrics', portal.origin)).status).toBe(404)
})

const files = ['prometheus-alerts.yml', 'grafana-dashboard.json'].map((name) =>
  join(import.meta.dirname, '../deploy', name),
)

test('OPS-6 the dashboard and the alerts name figures and labels that are really told', async () => {
  await signInAs(portal, await makeCustomer(portal))
  await jobs.do({ job: 'tidy' }, async () => {})
  alarmRaised.tell({ alarm: 'storage-full' })
  budgetRefused.tell({ budget: 'sign-in-login' })
  await portal.db.transaction().execute((tx) => enqueue(tx, portal.portal.keys, mailOf('wait')))
  await portal.deliver()
  await portal.db.transaction().execute((tx) => enqueue(tx, portal.portal.keys, mailOf('wait')))
  const told = await samples()
  const names = new Set(told.map(({ name }) => name))
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replaceAll('\\"', '"')
    const named = [...text.matchAll(/\b((?:sygnet|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)]
    expect(named.length).toBeGreaterThan(9)
    expect([...new Set(named.map(([, name]) => name!))].filter((name) => !names.has(name))).toEqual([])
    for (const [, name, selector = ''] of named)
      for (const [, label, sign, value] of selector.matchAll(/(\w+)(!?=~?)"([^"]*)"/g)) {
        const given = told
          .filter((one) => one.name === name && Object.hasOwn(one.labels, label!))
          .map(({ labels }) => labels[label!]!)
        expect([name, label, given.length > 0]).toEqual([name, label, true])
        if (sign === '=' && label === 'act') expect(Object.keys(acts)).toContain(value)
      }
  }
  expect(JSON.parse(readFileSync(files[1]!, 'utf8'))).toMatchObject({ title: 'Sygnet' })
})

test('OPS-6 a node that has just begun has every counter that an alert watches, at nothing: otherwise its first rise is none', async () => {
  const begun = openMetrics({
    db: portal.db,
    connections: () => ({ open: 0, idle: 0, asked: 0 }),
    readiness: openReadiness(portal.db),
  })
  onTestFinished(begun.close)
  const { text } = await begun.read()
  const rules = readFileSync(files[0]!, 'utf8')
  for (const alarm of alarmNames) expect(text).toContain(`\nsygnet_alarms_total{alarm="${alarm}"} 0\n`)
  // Those with a selector that the alert itself names; requests are of routes, which are there when they were asked for.
  const watched = [...rules.matchAll(/\bsygnet_(?:acts|job_runs)_total\{[^}]*\}/g)].map(([series]) => series)
  expect(watched.length).toBeGreaterThan(2)
  for (const series of watched) expect(text).toContain(`\n${series} 0\n`)
  expect(text).toContain('\nsygnet_background_faults_total 0\n')
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.skipIf(!hasPromtool)(
  'OPS-6 Prometheus itself takes the alerts and the figures (skipped without promtool)',
  async () => {
    execFileSync('promtool', ['check', 'rules', files[0]!])
    // The names of the process' own figures are prom-client's.
    const ours = (await metrics.read()).text
      .split('\n')
      .filter((line) => /^(?:# \w+ )?sygnet_/.test(line))
      .map((line) => `${line}\n`)
      .join('')
    execFileSync('promtool', ['check', 'metrics'], { input: ours })
  },
)
