import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { readSession, signIn } from '../../../contract/account.ts'
import { findCountry } from '../../../contract/country.ts'
import { countryByHttp } from '../../adapters/country-http.ts'
import { listenOnLoopback } from '../../adapters/loopback/loopback-server.ts'
import { tracesByOtlp } from '../../adapters/traces-otlp.ts'
import { openBrowser } from '../../testing/browser.ts'
import { abandonSignIn } from '../../testing/concurrency.ts'
import { openTestPortal } from '../../testing/portal-nodes.ts'
import { smsCode } from '../../testing/sent-messages.ts'
import { makeCustomer, signInAs } from '../../testing/test-customers.ts'
import { jobs, spansDropped } from './events.ts'
import { openTraces, summaryOf } from './traces.ts'

type Attributes = { key: string; value: Record<string, string | number> }[]
type OtlpSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  attributes: Attributes
  status: { code: number }
}
type OtlpBody = { resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: OtlpSpan[] }[] }[] }

const attributesOf = ({ attributes }: { attributes: Attributes }) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Opens a portal whose traces go to a collector, and a country service that it calls. */
async function openTraced({ percent = 100, trustedProxies = ['127.0.0.1'], collectorStatus = 200 } = {}) {
  const collector = await listenOnLoopback((_, response) => response.writeHead(collectorStatus).end('{}'))
  const country = await listenOnLoopback((_, response) =>
    response.setHeader('content-type', 'application/json').end('{"country":"PL"}'),
  )
  const send = tracesByOtlp(`${collector.url}/v1/traces`)
  const traces = openTraces({ send, version: '1.2.3', percent, trustedProxies })
  // A caller has its answer a moment before the node knows that it has.
  let underWay = 0
  const portal = await openTestPortal({
    settings: { trustedProxies },
    ports: { country: countryByHttp({ url: `${country.url}/{ip}` }) },
    observe: (app) => {
      traces.observe(app)
      app.addHook('onRequest', async (_request, { raw }) => {
        underWay += 1
        raw.once('close', () => (underWay -= 1))
      })
    },
  })
  onTestFinished(async () => {
    await portal.close()
    await traces.close()
    await collector[Symbol.asyncDispose]()
    await country[Symbol.asyncDispose]()
  })
  return {
    portal,
    country,
    traces,
    /** Waits for the last span, and returns all that were sent to the collector. */
    async exported() {
      while (underWay) await turn()
      await traces.close()
      const { received } = collector
      expect(received.every(({ method, path }) => `${method} ${path}` === 'POST /v1/traces')).toBe(true)
      const bodies = received.flatMap(({ body }) => (JSON.parse(body) as OtlpBody).resourceSpans)
      return {
        text: received.map(({ body }) => body).join('\n'),
        resource: bodies[0] && attributesOf(bodies[0].resource),
        spans: bodies.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      }
    },
  }
}

test('OPS-6 R86 a request, a message and a job are traces, and none contains personal data', async () => {
  const { portal, traces, exported } = await openTraced()
  const person = await makeCustomer(portal)
  await signInAs(portal, person)
  const code = smsCode(portal, person.phone)
  let logged: string | undefined
  await jobs.do({ job: 'tidy' }, async () => {
    await sql`select id from sessions`.execute(portal.db)
    logged = traces.current()
  })
  const failure = Object.assign(new Error(person.email), { code: 'ENOSPC' })
  await expect(jobs.do({ job: 'expire' }, () => Promise.reject(failure))).rejects.toThrow(person.email)
  const { text, resource, spans } = await exported()

  expect(resource).toMatchObject({ 'service.name': 'sygnet', 'service.version': '1.2.3' })
  const ids = new Map(spans.map((span) => [span.spanId, span]))
  expect(ids.size).toBe(spans.length)
  for (const { kind, parentSpanId, traceId } of spans)
    if (parentSpanId) expect(ids.get(parentSpanId)?.traceId).toBe(traceId)
    else expect(kind, 'statements and calls are in another span').not.toBe(3)
  const request = spans.find(({ name }) => name === `POST ${signIn.path}`)!
  expect([request.kind, request.parentSpanId, request.status.code]).toEqual([2, undefined, 0])
  expect(attributesOf(request)).toMatchObject({
    'http.request.method': 'POST',
    'http.route': signIn.path,
    'http.response.status_code': 200,
    'sygnet.request': expect.stringMatching(/^[0-9a-f-]{36}$/),
  })
  // The body was read before them: the trace is not lost on the way.
  const within = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId)
  const statements = within.map((span) => attributesOf(span)['db.query.summary'])
  expect(statements).toEqual(
    expect.arrayContaining(['insert rate_limits', 'insert sessions', 'insert outbox', 'commit']),
  )
  for (const name of ['deliver sms', 'deliver mail', 'tidy', 'expire']) {
    const own = spans.find((span) => span.name === name)!
    expect([name, own.kind, own.parentSpanId]).toEqual([name, 1, undefined])
  }
  const tidy = spans.find(({ name }) => name === 'tidy')!
  expect(logged).toBe(tidy.traceId)
  expect(spans.filter(({ parentSpanId }) => parentSpanId === tidy.spanId).map(({ name }) => name)).toEqual([
    'select sessions',
  ])
  const failed = spans.filter(({ status }) => status.code)
  expect(failed.map((span) => [span.name, attributesOf(span)])).toEqual([['expire', { 'error.type': 'ENOSPC' }]])
  const secrets = [person.id, person.login, person.email, person.phone, person.surname, person.password, code]
  expect([...secrets, '198.51.100', '127.0.0.1'].filter((value) => text.includes(value))).toEqual([])
})

test('OPS-6 a request whose client hangs up is a trace without a status', async () => {
  const { portal, exported } = await openTraced()
  await abandonSignIn(portal)
  const { spans } = await exported()
  const request = spans.find(({ name }) => name === `POST ${signIn.path}`)!
  expect(attributesOf(request)).not.toHaveProperty(['http.response.status_code'])
})

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = (flags: string) => `00-${traceId}-00f067aa0ba902b7-${flags}`

test('OPS-6 R67 a trace that the trusted hop began goes on, and is handed on to whom the portal calls', async () => {
  const { portal, country, exported } = await openTraced()
  await openBrowser(portal).raw('GET', findCountry.path, undefined, {
    traceparent: traceparent('01'),
    tracestate: 'vendor=anything',
  })
  const { text, spans } = await exported()
  const request = spans.find(({ name }) => name === `GET ${findCountry.path}`)!
  expect([request.traceId, request.parentSpanId]).toEqual([traceId, '00f067aa0ba902b7'])
  const call = spans.find(({ kind, name }) => kind === 3 && name === 'GET')!
  expect([call.traceId, call.parentSpanId]).toEqual([traceId, request.spanId])
  expect(attributesOf(call)).toEqual({
    'http.request.method': 'GET',
    'server.address': '127.0.0.1',
    'http.response.status_code': 200,
  })
  const { headers } = country.received[0]!
  expect(headers).toMatchObject({ traceparent: `00-${traceId}-${call.spanId}-01` })
  expect([headers['tracestate'], text.includes('anything')]).toEqual([undefined, false])
})

test('OPS-6 R67 what anybody else says of a trace is not believed', async () => {
  const { portal, country, exported } = await openTraced({ trustedProxies: ['10.0.0.0/8'] })
  await openBrowser(portal).raw('GET', findCountry.path, undefined, { traceparent: traceparent('00') })
  const { text, spans } = await exported()
  expect(spans.map(({ name }) => name)).toContain(`GET ${findCountry.path}`)
  expect(text).not.toContain(traceId)
  expect(country.received[0]?.headers['traceparent']).toMatch(/^00-(?!4bf9)[0-9a-f]{32}-[0-9a-f]{16}-01$/)
})

test('OPS-6 the percentage applies to traces that start here; others follow their flag, which called services get', async () => {
  const { portal, country, exported } = await openTraced({ percent: 0 })
  await openBrowser(portal).call(readSession)
  await openBrowser(portal).raw('GET', findCountry.path, undefined, { traceparent: traceparent('00') })
  await openBrowser(portal).raw('GET', readSession.path, undefined, { traceparent: traceparent('01') })
  const { spans } = await exported()
  expect(spans.map((span) => [span.traceId, span.name])).toEqual([[traceId, `GET ${readSession.path}`]])
  expect(country.received[0]?.headers['traceparent']).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-00$`))
})

test('OPS-6 a collector that refuses costs spans, which are counted, and no request', async () => {
  let dropped = 0
  onTestFinished(spansDropped.subscribe(({ count }) => (dropped += count)))
  const { portal, exported } = await openTraced({ collectorStatus: 503 })
  for (let i = 0; i < 5; i++) expect((await openBrowser(portal).call(readSession)).status).toBe(401)
  const { spans } = await exported()
  expect(spans.length).toBeGreaterThanOrEqual(5)
  expect(dropped).toBe(spans.length)
})

test('OPS-6 a collector that hangs is not waited for: spans beyond a bound are dropped', async () => {
  let dropped = 0
  onTestFinished(spansDropped.subscribe(({ count }) => (dropped += count)))
  const sent: number[] = []
  const hanging = Promise.withResolvers<void>()
  const send = ({ length }: { length: number }) => (sent.push(length), hanging.promise)
  const traces = openTraces({ send, version: '1.2.3', percent: 100, trustedProxies: [] })
  for (let i = 0; i < 6000; i++) await jobs.do({ job: 'tidy' }, async () => {})
  expect(sent).toEqual([512])
  expect(dropped).toBe(6000 - 512 - 4096)
  hanging.resolve()
  await traces.close()
  expect(sent).toEqual(Array.from({ length: 9 }, () => 512))
})

test.each([
  ['select "id" from "sessions" where "id" = $1', 'select sessions'],
  ['select from accounts where id = $1 for no key update', 'select accounts'],
  [
    `update outbox set leased_until = portal_now() where id in (select id from outbox for update skip locked)`,
    'update outbox',
  ],
  ['update rate_limits b set spent = $1', 'update rate_limits'],
  [
    'with asked as (select 1) insert into rate_limits as b (name) select name from asked on conflict do update set name = 1',
    'insert rate_limits',
  ],
  ['delete from "sessions" where "id" = $1', 'delete sessions'],
  ['commit', 'commit'],
])('OPS-6 %s is called %s', (text, summary) => {
  expect(summaryOf(text)).toBe(summary)
})
