import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { signIn } from '../../../contract/account.ts'
import { allAuditActions } from '../../../contract/desk/all-audit-actions.ts'
import { openBrowser } from '../../testing/browser.ts'
import { abandonSignIn } from '../../testing/concurrency.ts'
import { openPortal } from '../../testing/open-portal.ts'
import { makeCustomer, signInAs } from '../../testing/test-customers.ts'
import { words } from '../../testing/words.ts'
import { enqueue, sendDue } from '../messages/outbox.ts'
import { alarmRaised, rateLimitExceeded, jobs } from '../observability/events.ts'
import { alarmNames, DeliveryFailed } from '../ports.ts'
import { createDeliveries } from './deliveries.ts'
import { openMetrics, type Metrics } from './metrics.ts'
import { openOperations } from './operations-listener.ts'
import { openReadiness } from './readiness.ts'

let metrics: Metrics
/** A caller has its answer a moment before the node counts it. */
let underWay = 0
const portal = await openPortal({
  observe: (app, { db, connections }) => {
    metrics = openMetrics({ db, connections, readiness: openReadiness(db), jobNames: ['tidy'] })
    metrics.observe(app)
    app.addHook('onRequest', async (_request, { raw }) => {
      underWay += 1
      raw.once('close', () => (underWay -= 1))
    })
  },
})
afterAll(() => metrics.close())

function queueMail(subject: string) {
  const mail = { channel: 'mail' as const, to: 'a@mail.example', subject, text: '', html: '' }
  return portal.db.transaction().execute((tx) => enqueue(tx, portal.portal.keys, mail))
}

type Sample = { name: string; labels: Record<string, string>; value: number }

async function samples(): Promise<Sample[]> {
  while (underWay) await turn()
  const { text: lines } = await metrics.read()
  return [...lines.matchAll(/^(\w+)(?:\{(.*)\})? (\S+)$/gm)].map(([, name, labels = '', value]) => ({
    name: name!,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, text]) => [key!, text!])),
    value: Number(value),
  }))
}

async function valueOf(name: string, labels: Record<string, string> = {}) {
  const found = (await samples()).filter(
    (sample) => sample.name === name && Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
  )
  return found.reduce((sum, { value }) => sum + value, 0)
}

const requests = 'sygnet_http_request_duration_seconds_count'

test('OPS-6 requests are counted by route, method and class of status, audit entries by action, and refused tries by their limit', async () => {
  const person = await makeCustomer(portal)
  await signInAs(portal, person)
  const good = { method: 'POST', route: signIn.path, status: '2xx' }
  const finished = async () => [
    await valueOf(requests, good),
    await valueOf('sygnet_acts_total', { act: 'sign-in-finished' }),
  ]
  const before = await finished()
  await signInAs(portal, person)
  expect(await finished()).toEqual(before.map((count) => count + 1))
  const wrong = { login: person.login, password: 'Zle-Haslo-2026!' }
  const bad = { route: signIn.path, status: '4xx' }
  const refusedBefore = await valueOf(requests, bad)
  for (let i = 0; i < 12; i++)
    await openBrowser(portal).call(signIn, { body: { ...wrong, botProof: crypto.randomUUID() } })
  expect(await valueOf(requests, bad)).toBe(refusedBefore + 12)
  expect(await valueOf('sygnet_acts_total', { act: 'sign-in-refused' })).toBeGreaterThan(0)
  expect(await valueOf('sygnet_rate_limit_refusals_total')).toBeGreaterThan(0)
  await abandonSignIn(portal)
  expect(await valueOf(requests, { ...good, status: 'aborted' })).toBe(1)
})

test('OPS-6 R92 R93 waiting messages, the age of the oldest one and permanently failed ones are reported by channel', async () => {
  const { keys } = portal.portal
  await portal.deliver()
  await queueMail('wait')
  await queueMail('dead')
  const failing = {
    ...createDeliveries(portal.portal),
    mail: ({ subject }: { subject: string }) => Promise.reject(new DeliveryFailed('no', subject === 'dead')),
  }
  await sendDue({ db: portal.db, keys, deliveries: failing })
  await portal.clock.advance(300)
  onTestFinished(() => portal.clock.advance(0))
  const ofMails = (name: string, outcome?: string) =>
    valueOf(`sygnet_${name}`, { channel: 'mail', ...(outcome && { outcome }) })
  expect(await ofMails('outbox_waiting')).toBe(1)
  expect(await ofMails('outbox_dead')).toBe(1)
  const age = await ofMails('outbox_oldest_seconds')
  expect(age).toBeGreaterThanOrEqual(300)
  expect(age).toBeLessThan(420)
  expect(await ofMails('deliveries_total', 'failed')).toBe(1)
  expect(await ofMails('deliveries_total', 'dead')).toBe(1)
  const sent = await ofMails('deliveries_total', 'sent')
  await portal.deliver()
  expect(await ofMails('deliveries_total', 'sent')).toBe(sent + 1)
  expect(await ofMails('outbox_waiting')).toBe(0)
})

test('OPS-6 the pool, jobs, alarms and the process are reported', async () => {
  const used = { state: 'used' }
  await portal.db.transaction().execute(async (tx) => {
    await sql`select 1`.execute(tx)
    expect(await valueOf('sygnet_database_connections', used)).toBeGreaterThanOrEqual(1)
  })
  const countsOf = async () => [
    await valueOf('sygnet_job_runs_total', { work: 'tidy', outcome: 'done' }),
    await valueOf('sygnet_job_runs_total', { work: 'tidy', outcome: 'failed' }),
    await valueOf('sygnet_alarms_total', { alarm: 'storage-full' }),
  ]
  const before = await countsOf()
  await jobs.do({ job: 'tidy' }, async () => {})
  await expect(jobs.do({ job: 'tidy' }, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  alarmRaised.publish({ alarm: 'storage-full' })
  expect(await countsOf()).toEqual(before.map((count) => count + 1))
  expect(await valueOf('sygnet_ready')).toBe(1)
  expect(await valueOf('process_resident_memory_bytes')).toBeGreaterThan(1_000_000)
})

test('OPS-6 R86 for any requests, labels are constants: no more series than routes and classes of answers, and no personal data', async () => {
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
  for (const path of words(`/${mark} /api/${mark} /en/${mark}?${mark}=1 /assets/${mark} /setup-password/${mark}`))
    for (const method of ['GET', 'DELETE', 'PROPFIND', 'SUBSCRIBE'])
      await (await browser.raw(method, path)).arrayBuffer()
  const counted = (await samples()).filter(({ name }) => name === requests)
  const routes = new Set(counted.map(({ labels }) => labels['route']))
  const unrouted = counted.filter(({ labels }) => labels['route'] === 'none')
  expect(unrouted.map(({ labels }) => labels['method'])).not.toContain('PROPFIND')
  for (const { path } of endpoints) expect(routes).toContain(path)
  for (const { labels } of counted) expect(Object.keys(labels).toSorted()).toEqual(['method', 'route', 'status'])
  const series = counted.map(({ labels }) => JSON.stringify(labels))

  // The same again with different ids adds no series.
  await spray(`${mark}2`)
  const again = (await samples()).filter(({ name }) => name === requests).map(({ labels }) => JSON.stringify(labels))
  expect(again.filter((line) => !series.includes(line)).length).toBeLessThan(endpoints.length)
  expect(new Set(again.map((line) => (JSON.parse(line) as { route: string }).route))).toEqual(routes)

  const { text } = await metrics.read()
  const personal = [mark, person.id, person.login, person.email, person.phone, person.surname, '198.51.100']
  expect(personal.filter((value) => text.includes(value))).toEqual([])
  const known = Object.keys(allAuditActions)
  for (const { name, labels } of await samples())
    if (name === 'sygnet_acts_total') expect(known).toContain(labels['act'])
  const all = new Set((await samples()).map(({ name, labels }) => `${name}${JSON.stringify(labels)}`))
  expect(all.size).toBeLessThan(endpoints.length * 5 * 16)
})

test('OPS-6 metrics are read at the operator’s own port only', async () => {
  const readiness = openReadiness(portal.db)
  const listener = await openOperations({ port: 0, host: '127.0.0.1' }, { metrics, readiness })
  onTestFinished(listener.close)
  const get = async (path: string, origin = `http://127.0.0.1:${listener.port}`) => {
    const answer = await fetch(origin + path)
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
  }
  const scraped = await get('/metrics')
  expect([scraped.status, scraped.type]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8'])
  expect(scraped.text).toContain('\nsygnet_ready 1\n')
  expect((await get('/readyz')).status).toBe(200)
  readiness.stop()
  expect(await get('/readyz')).toMatchObject({ status: 503, text: '{"status":"not-ready","reason":"stopping"}' })
  expect((await get('/metrics')).text).toContain('sygnet_ready')
  expect((await get('/metrics', portal.origin)).status).toBe(404)
})

const deploy = join(import.meta.dirname, '../../../deploy')
const files = ['prometheus-alerts.yml', 'grafana-dashboard.json'].map((name) => join(deploy, name))

test('OPS-6 the dashboard and the alerts use metrics and labels that exist', async () => {
  await signInAs(portal, await makeCustomer(portal))
  await jobs.do({ job: 'tidy' }, async () => {})
  alarmRaised.publish({ alarm: 'storage-full' })
  rateLimitExceeded.publish({ rateLimit: 'sign-in-login' })
  await queueMail('wait')
  await portal.deliver()
  await queueMail('wait')
  const present = await samples()
  const names = new Set(present.map(({ name }) => name))
  for (const file of files) {
    const text = readFileSync(file, 'utf8').replaceAll('\\"', '"')
    const named = [...text.matchAll(/\b((?:sygnet|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)]
    expect(named.length).toBeGreaterThan(9)
    expect([...new Set(named.map(([, name]) => name!))].filter((name) => !names.has(name))).toEqual([])
    for (const [, name, selector = ''] of named)
      for (const [, label, sign, value] of selector.matchAll(/(\w+)(!?=~?)"([^"]*)"/g)) {
        const given = present
          .filter((sample) => sample.name === name && Object.hasOwn(sample.labels, label!))
          .map(({ labels }) => labels[label!]!)
        expect([name, label, given.length > 0]).toEqual([name, label, true])
        if (sign === '=' && label === 'act') expect(Object.keys(allAuditActions)).toContain(value)
      }
  }
  expect(JSON.parse(readFileSync(files[1]!, 'utf8'))).toMatchObject({ title: 'Sygnet' })
})

test('OPS-6 a new node has every counter that an alert watches, at 0, so that its first increase is seen', async () => {
  const begun = openMetrics({
    db: portal.db,
    connections: () => ({ open: 0, idle: 0, waiting: 0 }),
    readiness: openReadiness(portal.db),
    jobNames: ['tidy'],
  })
  onTestFinished(begun.close)
  const { text } = await begun.read()
  const rules = readFileSync(files[0]!, 'utf8')
  for (const alarm of alarmNames) expect(text).toContain(`\nsygnet_alarms_total{alarm="${alarm}"} 0\n`)
  for (const channel of ['mail', 'sms', 'webhook', 'unreadable'])
    for (const outcome of ['sent', 'failed', 'dead'])
      expect(text).toContain(`\nsygnet_deliveries_total{channel="${channel}",outcome="${outcome}"} 0\n`)
  // Those with a selector that the alert itself names; requests are of routes, which are there when they were asked for.
  const watched = [...rules.matchAll(/\bsygnet_(?:acts|job_runs)_total\{[^}]*\}/g)].map(([series]) => series)
  expect(watched.length).toBeGreaterThan(2)
  for (const series of watched) expect(text).toContain(`\n${series} 0\n`)
  expect(text).toContain('\nsygnet_background_faults_total 0\n')
})

test('OPS-6 metrics are named by the rules of Prometheus: a counter ends in _total, and nothing else does', async () => {
  const { text } = await metrics.read()
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!] as const)
  expect(types.length).toBeGreaterThan(40)
  expect(types.filter(([name, type]) => name.endsWith('_total') !== (type === 'counter'))).toEqual([])
  expect(types.filter(([name]) => /_(?:count|sum|bucket)$/.test(name))).toEqual([])
  expect(types.map(([name]) => name).filter((name) => !/^[a-z][a-z0-9_]*$/.test(name))).toEqual([])
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

test.skipIf(!hasPromtool)(
  'OPS-6 Prometheus itself takes the alerts and the figures (skipped without promtool)',
  async () => {
    execFileSync('promtool', ['check', 'rules', files[0]!])
    execFileSync('promtool', ['check', 'metrics'], { input: (await metrics.read()).text })
  },
)
